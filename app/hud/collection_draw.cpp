// The gallery and its questions with Dear ImGui: only drawing, in lists behind the HUD's windows.
// What is where, and what a click means, is gallery.c's and dialog.c's.
#include "app/gallery/collection.h"
#include "app/hud/panel_draw.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

static const ImU32 SHADE = IM_COL32(8, 10, 14, 236), BLANK = IM_COL32(255, 255, 255, 14);
static const ImU32 WHITE = IM_COL32(240, 243, 247, 255), GREY = IM_COL32(150, 158, 170, 255);
static const ImU32 FAINT = IM_COL32(255, 255, 255, 28), BLUE = IM_COL32(115, 184, 255, 255);
static const ImU32 AMBER = IM_COL32(255, 184, 64, 255), BOX = IM_COL32(22, 26, 33, 255);
static const ImU32 SELECTION = IM_COL32(115, 184, 255, 90);

struct canvas {
    ImDrawList *list;
    float em;
};

static float width_of(const char *what) {
    return ImGui::CalcTextSize(what).x;
}

static void text(const canvas &on, float x, float y, ImU32 colour, const char *what) {
    on.list->AddText(ImGui::GetFont(), on.em, ImVec2(std::floor(x), std::floor(y)), colour, what);
}

// Ends in "..." where there is no room for all of it.
static void fitting_text(const canvas &on, float x, float y, float width, ImU32 colour,
                         const char *what) {
    if (width_of(what) <= width) {
        text(on, x, y, colour, what);
        return;
    }
    std::string cut = what;
    while (!cut.empty() && width_of((cut + "...").c_str()) > width) {
        while (cut.size() > 1 && ((unsigned char)cut.back() & 0xc0) == 0x80)
            cut.pop_back();
        cut.pop_back();
    }
    text(on, x, y, colour, (cut + "...").c_str());
}

// A note is broken at blanks into at most so many lines; the examples' need no more.
static const int NOTE_LINES = 3;
static const float NOTE_LINE_EM = 1.15f;

// The end of the line that begins at `from`, no wider than that.
static const char *line_end(const canvas &on, const char *from, float width) {
    const ImFont *font = ImGui::GetFont();
    const char *const all = from + strlen(from);
    const char *end = font->CalcWordWrapPositionA(on.em / font->FontSize, from, all, width);
    return end > from || from == all ? end : from + 1;
}

static const char *next_line(const char *end) {
    return end + strspn(end, " ");
}

static int note_lines(const canvas &on, const char *note, float width) {
    int lines = 0;
    for (; *note && lines < NOTE_LINES; lines++)
        note = next_line(line_end(on, note, width));
    return lines;
}

static void wrapped_note(const canvas &on, float x, float y, float width, const char *note) {
    for (int line = 1; *note; line++, y += NOTE_LINE_EM * on.em) {
        const char *end = line_end(on, note, width);
        if (line == NOTE_LINES) {
            fitting_text(on, x, y, width, GREY, note);
            return;
        }
        text(on, x, y, GREY, std::string(note, end).c_str());
        note = next_line(end);
    }
}

static ImVec2 corner(const dialog_rect &rect) {
    return ImVec2(rect.x, rect.y);
}

static ImVec2 far_corner(const dialog_rect &rect) {
    return ImVec2(rect.x + rect.w, rect.y + rect.h);
}

static float line_width(const canvas &on) {
    return std::max(std::round(on.em / 7.0f), 1.0f);
}

// --- the gallery ---

static void draw_picture(const canvas &on, uint32_t texture, ImVec2 from, ImVec2 to) {
    const float round = 0.3f * on.em;
    if (texture)
        on.list->AddImageRounded((ImTextureID)(intptr_t)texture, from, to, ImVec2(0, 0),
                                 ImVec2(1, 1), 0xffffffffu, round);
    else
        on.list->AddRectFilled(from, to, BLANK, round);
}

static void draw_cell(const canvas &on, collection *collection, size_t i, const dialog_rect &cell) {
    const gallery &gallery = collection->gallery;
    const gallery_item &item = gallery.items[i];
    const ImVec2 from = corner(cell), to(cell.x + cell.w, cell.y + gallery.picture_h);
    draw_picture(on, collection_texture(collection, i), from, to);
    const float line = line_width(on);
    if (i == gallery.selected)
        on.list->AddRect(ImVec2(from.x - line, from.y - line), ImVec2(to.x + line, to.y + line),
                         BLUE, 0.3f * on.em + line, 0, 1.5f * line);
    fitting_text(on, cell.x, to.y + 0.3f * on.em, cell.w, i == gallery.selected ? BLUE : WHITE,
                 item.name);
    wrapped_note(on, cell.x, to.y + 1.45f * on.em, cell.w, item.note);
}

static void draw_grid(const canvas &on, collection *collection) {
    static const char *const headings[] = {"Your views", "Examples", "Recent locations"};
    gallery &gallery = collection->gallery;
    on.list->PushClipRect(ImVec2(0, gallery.top), ImVec2(gallery.width, gallery.height), true);
    for (int kind = 0; kind < GALLERY_KINDS; kind++) {
        const float y = gallery.top + gallery.heading_y[kind] - gallery.scroll;
        if (gallery.heading_y[kind] >= 0 && y < gallery.height && y > gallery.top - 2.0f * on.em)
            text(on, 1.2f * on.em, y + 0.5f * on.em, GREY, headings[kind]);
    }
    for (size_t i = 0; i < gallery.count; i++) {
        dialog_rect cell;
        if (gallery_cell(&gallery, i, &cell))
            draw_cell(on, collection, i, cell);
    }
    dialog_rect thumb;
    if (gallery_thumb(&gallery, &thumb))
        on.list->AddRectFilled(corner(thumb), far_corner(thumb), GREY, 0.5f * thumb.w);
    on.list->PopClipRect();
}

static void draw_header(const canvas &on, const gallery &gallery) {
    const char *const hints[] = {
        ("Return or click: open    Delete: remove your own view    Ctrl+S: save this location    "
         "Esc: close"),
        "Return: open    Delete    Ctrl+S: save    Esc: close", "Esc: close"};
    const float x = 1.2f * on.em, y = 0.5f * gallery.top, title = width_of("Gallery");
    text(on, x, y - 0.5f * on.em, WHITE, "Gallery");
    for (const char *hint : hints) {
        const float left = gallery.width - x - width_of(hint);
        if (left < x + title + on.em)
            continue;
        text(on, left, y - 0.5f * on.em, GREY, hint);
        break;
    }
    on.list->AddLine(ImVec2(x, gallery.top - 1.0f), ImVec2(gallery.width - x, gallery.top - 1.0f),
                     FAINT);
}

static void draw_gallery(const canvas &on, collection *collection) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    gallery &gallery = collection->gallery;
    gallery_layout(&gallery, screen.x, screen.y, on.em);
    int lines = 1;
    for (size_t i = 0; i < gallery.count; i++)
        lines = std::max(lines, note_lines(on, gallery.items[i].note, gallery.cell_w));
    if (lines != std::max(gallery.note_lines, 1)) {
        gallery.note_lines = lines;
        gallery_layout(&gallery, screen.x, screen.y, on.em);
    }
    on.list->AddRectFilled(ImVec2(0, 0), screen, SHADE);
    draw_header(on, collection->gallery);
    draw_grid(on, collection);
}

// --- questions ---

static void draw_button(const canvas &on, const dialog_rect &rect, const char *label, bool over,
                        bool first) {
    on.list->AddRectFilled(corner(rect), far_corner(rect), over || first ? SELECTION : FAINT,
                           0.2f * on.em);
    if (over)
        on.list->AddRect(corner(rect), far_corner(rect), BLUE, 0.2f * on.em);
    text(on, rect.x + 0.5f * (rect.w - width_of(label)), rect.y + 0.5f * (rect.h - on.em), WHITE,
         label);
}

// The end of a long text is seen, where the caret is.
static void draw_field(const canvas &on, const dialog &dialog) {
    const line_edit &field = dialog.field;
    const float pad = 0.5f * on.em, y = dialog.line.y + 0.5f * (dialog.line.h - on.em);
    const float room = dialog.line.w - 2.0f * pad, all = width_of(field.text);
    const float caret = ImGui::CalcTextSize(field.text, field.text + field.caret).x;
    const float x = dialog.line.x + pad - std::max(caret - room, 0.0f);
    on.list->AddRectFilled(corner(dialog.line), far_corner(dialog.line), FAINT, 0.2f * on.em);
    on.list->PushClipRect(corner(dialog.line), far_corner(dialog.line), true);
    if (field.selected)
        on.list->AddRectFilled(ImVec2(x, y - 0.2f * on.em), ImVec2(x + all, y + 1.2f * on.em),
                               SELECTION);
    on.list->AddText(ImVec2(std::floor(x), std::floor(y)), WHITE, field.text);
    on.list->AddRectFilled(ImVec2(x + caret, y - 0.1f * on.em),
                           ImVec2(x + caret + std::max(on.em / 10.0f, 1.0f), y + 1.1f * on.em),
                           WHITE);
    on.list->PopClipRect();
}

static void draw_dialog(const canvas &on, dialog *dialog) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    float height = ImGui::CalcTextSize(dialog->text, nullptr, false, dialog->line.w).y;
    dialog_layout(dialog, screen.x, screen.y, on.em, height);
    height = ImGui::CalcTextSize(dialog->text, nullptr, false, dialog->line.w).y;
    dialog_layout(dialog, screen.x, screen.y, on.em, height);
    const dialog_rect &box = dialog->box, &line = dialog->line;
    on.list->AddRectFilled(ImVec2(0, 0), screen, IM_COL32(0, 0, 0, 110));
    on.list->AddRectFilled(corner(box), far_corner(box), BOX, 0.4f * on.em);
    on.list->AddRect(corner(box), far_corner(box), FAINT, 0.4f * on.em);
    text(on, line.x, box.y + 1.2f * on.em, WHITE, dialog->title);
    if (dialog->has_field)
        draw_field(on, *dialog);
    const float below = line.y + line.h + (dialog->has_field ? 0.6f * on.em : 0.2f * on.em);
    on.list->AddText(ImGui::GetFont(), on.em, ImVec2(line.x, std::floor(below)),
                     dialog->warning ? AMBER : GREY, dialog->text, nullptr, line.w);
    draw_button(on, dialog->no_box, "Cancel", dialog->over_no, false);
    draw_button(on, dialog->yes_box, dialog->yes, dialog->over_yes, true);
}

void collection_draw(struct collection *collection, float em) {
    const canvas on = {ImGui::GetBackgroundDrawList(), em};
    if (collection->gallery.open)
        draw_gallery(on, collection);
    if (collection->dialog.open)
        draw_dialog(on, &collection->dialog);
}
