// Gallery and dialogs: lays them out with Dear ImGui and stores clicks for
// app/gallery/collection.c, which handles the keys.
#include "app/hud/panel_draw.h"
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <imgui_internal.h> // ScrollToRectEx

static const float CELL_EM = 16.9f; // [em] minimum width of a cell with its gap in a wide window
static const float PAIR_EM = 18.9f; // [em] minimum width of two cells with their gap
static const float COLUMNS_MAX = 6.0f;
static const float GAP_EM = 0.9f;
static const float DIALOG_EM = 28.0f, MARGIN_EM = 1.2f; // [em] width and margin of a dialog

static const ImGuiWindowFlags FIXED = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings;

// --- the gallery ---

// Draws a thumbnail with its name and note below, and returns the position below the note.
static float draw_item(collection *collection, size_t i, float width, float em) {
    const gallery_item &item = collection->gallery.items[i];
    const bool selected = i == collection->gallery.selected;
    ImGui::Dummy(ImVec2(width, std::round(width * 9 / 16)));
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float round = 0.3f * em, line = std::max(std::round(em / 5), 1.0f);
    if (ImGui::IsItemVisible())
        panel_draw_thumbnail(collection_texture(collection, i), from, to, round);
    if (selected)
        panel_draw_frame(from, to, ImGui::GetColorU32(ACCENT), line, round + line);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::TextColored(selected ? ACCENT : ImGui::GetStyleColorVec4(ImGuiCol_Text), "%s",
                       item.name);
    if (*item.note)
        ImGui::TextColored(DIM, "%s", item.note);
    ImGui::PopTextWrapPos();
    return ImGui::GetItemRectMax().y;
}

// Returns true if the pointer moves over the last item. A pointer at rest leaves the selection to
// the keys.
static bool pointed() {
    const ImGuiIO &io = ImGui::GetIO();
    const bool moves = io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0;
    return ImGui::IsItemClicked() || (moves && ImGui::IsItemHovered());
}

// Draws an item and a button of the same size over it.
static void draw_cell(collection *collection, panel *panel, size_t i, float width, float em) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginGroup();
    ImGui::PushID((int)i);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, std::round(0.2f * em)));
    const ImVec2 size(width, draw_item(collection, i, width, em) - at.y);
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton("cell", size);
    panel_note(panel, collection->gallery.items[i].name);
    if (clicked)
        collection->clicked = COLLECTION_ITEM;
    if (clicked || (pointed() && !panel->scrolls))
        collection->gallery.selected = i;
    ImGui::PopStyleVar();
    ImGui::PopID();
    ImGui::EndGroup();
}

// Scrolls just as far as necessary to show the last item and, if there is room, a heading above it.
static void scroll_to_item(float em) {
    ImGuiWindow *window = ImGui::GetCurrentWindow();
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float room = window->InnerRect.GetHeight() - (to.y - from.y);
    const float heading = std::max(std::min((1 + GAP_EM) * em, room), 0.0f);
    ImGui::ScrollToRectEx(window, ImRect(from.x, from.y - heading, to.x, to.y),
                          ImGuiScrollFlags_KeepVisibleEdgeY);
}

static int columns_in(float room, float em) {
    const float columns = std::min(std::floor(room / (CELL_EM * em)), COLUMNS_MAX);
    return (int)std::max(columns, room < PAIR_EM * em ? 1.0f : 2.0f);
}

static void draw_grid(collection *collection, panel *panel, float em) {
    static const char *const headings[] = {"Your views", "Examples", "Recent locations"};
    gallery &gallery = collection->gallery;
    const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const int columns = columns_in(room, em);
    const float width = std::max(std::floor((room + gap) / (float)columns) - gap, 1.0f);
    gallery_lay_out(&gallery, columns);
    for (size_t i = 0; i < gallery.count; i++) {
        const gallery_item &item = gallery.items[i];
        if (i == 0 || item.kind != gallery.items[i - 1].kind)
            ImGui::TextColored(DIM, "%s", headings[item.kind]);
        else if (item.column > 0)
            ImGui::SameLine();
        draw_cell(collection, panel, i, width, em);
        if (i != gallery.selected)
            continue;
        const float height = ImGui::GetItemRectSize().y + gap;
        gallery.page_rows =
            std::max((int)(ImGui::GetCurrentWindow()->InnerRect.GetHeight() / height), 1);
        if (gallery.reveal)
            scroll_to_item(em);
        gallery.reveal = false;
    }
}

static void draw_gallery(collection *collection, panel *panel, float em) {
    const bool covered = collection->dialog.open;
    const ImGuiWindowFlags inputs = covered ? ImGuiWindowFlags_NoInputs : ImGuiWindowFlags_None;
    const float gap = std::round(GAP_EM * em);
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::SetNextWindowBgAlpha(0.925f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gap, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, gap);
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, 2 * em);
    ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, DIM);
    if (ImGui::Begin("gallery", nullptr,
                     FIXED | ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoBringToFrontOnFocus |
                         inputs)) {
        ImGui::BeginDisabled(covered);
        if (ImGui::BeginMenuBar()) {
            ImGui::TextUnformatted("Gallery");
            ImGui::TextColored(DIM, "   Esc: close    Return or click: open    Ctrl+S: save    "
                                    "Delete: remove your own view");
            ImGui::EndMenuBar();
        }
        draw_grid(collection, panel, em);
        if (!covered)
            panel_drag_rows(panel, true, em);
        ImGui::EndDisabled();
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(6);
}

// --- dialogs ---

static void draw_buttons(collection *collection, panel *panel, float em) {
    const dialog &dialog = collection->dialog;
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 size(std::max(std::min(8 * em, 0.5f * (width - em)), 1.0f), 2 * em);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width - 2 * size.x - em);
    if (ImGui::Button("Cancel", size))
        collection->clicked = COLLECTION_NO;
    panel_note(panel, "Cancel");
    ImGui::SameLine(0, em);
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_TextSelectedBg));
    if (ImGui::Button(dialog.yes, size))
        collection->clicked = COLLECTION_YES;
    panel_note(panel, dialog.yes);
    ImGui::PopStyleColor();
}

static void draw_field(collection *collection, float em) {
    dialog &dialog = collection->dialog;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.5f * em, 0.5f * em));
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::IsAnyItemActive() && !ImGui::IsMouseDown(ImGuiMouseButton_Left))
        ImGui::SetKeyboardFocusHere(); // at first, and after a click elsewhere
    if (ImGui::InputText("##field", dialog.field, sizeof dialog.field,
                         ImGuiInputTextFlags_AutoSelectAll))
        collection_check_field(collection);
    ImGui::PopStyleVar();
}

static void draw_dialog(collection *collection, panel *panel, float em) {
    const dialog &dialog = collection->dialog;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::max(std::min(DIALOG_EM * em, screen.x - 2 * em), em);
    ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(0, 0), screen, IM_COL32(0, 0, 0, 110));
    ImGui::SetNextWindowPos(ImVec2(std::floor(0.5f * screen.x), std::floor(0.42f * screen.y)),
                            ImGuiCond_Always, ImVec2(0.5f, 0.42f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 1), ImVec2(width, FLT_MAX));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(22, 26, 33, 255));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(MARGIN_EM * em, MARGIN_EM * em));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(em, 0.7f * em));
    if (ImGui::Begin("dialog", nullptr,
                     FIXED | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize)) {
        ImGui::TextUnformatted(dialog.title);
        if (dialog.has_field)
            draw_field(collection, em);
        ImGui::PushTextWrapPos(0);
        ImGui::TextColored(dialog.warning ? WARNING : DIM, "%s", dialog.text);
        ImGui::PopTextWrapPos();
        draw_buttons(collection, panel, em);
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

void collection_draw(collection *collection, panel *panel, float em) {
    if (collection->gallery.open)
        draw_gallery(collection, panel, em);
    if (collection->dialog.open)
        draw_dialog(collection, panel, em);
}
