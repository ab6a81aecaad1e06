// Panel: draws its rows with Dear ImGui, labels in one column, controls in another, and queues
// edits.
#include "app/hud/panel_draw.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <imgui_internal.h> // ClearActiveID
#include <strings.h>

static const float WIDTH_EM = 26.5f, MARGIN_EM = 0.6f;
static const float SCROLL_EM = 0.75f; // [em] a longer drag scrolls
static const int STRIP_COLUMNS = 2, STRIP_PARTS = 48, STRIP_COLOURS = 4096;

static const ImGuiWindowFlags PANEL = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                                      ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoFocusOnAppearing;

void panel_push_edit(panel *panel, int item, int index, const char *text) {
    panel->edits.push_back({item, index, text ? strdup(text) : nullptr});
}

void panel_note(panel *panel, const char *label) {
    panel->parts.push_back({label, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

void panel_finish(panel *panel) {
    for (panel_edit &edit : panel->edits)
        free(edit.text);
    panel->edits.clear();
}

bool panel_typing(const panel *panel) {
    for (const panel_field &field : panel->fields)
        if (field.active)
            return true;
    return false;
}

static const float TIP_EM = 22.0f;

// Begins a tooltip next to the panel, or over it if there is no room.
static void begin_tip() {
    const float em = ImGui::GetFontSize(), left = ImGui::GetWindowPos().x - 0.4f * em;
    if (left > (TIP_EM + 2.0f) * em)
        ImGui::SetNextWindowPos(ImVec2(left, ImGui::GetItemRectMin().y - 0.5f * em),
                                ImGuiCond_Always, ImVec2(1.0f, 0.0f));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(TIP_EM * em);
}

static void end_tip() {
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

static void draw_help(const panel_row &row) {
    const bool typing = ImGui::GetIO().WantTextInput;
    if (typing || !row.help || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        return;
    begin_tip();
    ImGui::TextUnformatted(row.help);
    if (row.keys)
        ImGui::TextColored(ACCENT, "%s", row.keys);
    end_tip();
}

static void draw_label(const panel_row &row, float em) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(DIM, "%s", row.label);
    draw_help(row);
    ImGui::SameLine(LABEL_EM * em);
}

static void draw_problem(const panel_row &row, float em) {
    if (!row.problem)
        return;
    ImGui::SetCursorPosX(LABEL_EM * em);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored(WARNING, "%s", row.problem);
    ImGui::PopTextWrapPos();
}

// --- text fields ---

struct field_context {
    panel_field *field;
    const panel_rows *model;
    const panel_row *row;
};

// Replaces the rounded text of a field by all digits when editing begins.
static void show_exact(field_context *context, ImGuiInputTextCallbackData *data) {
    panel_field *field = context->field;
    field->active = true;
    field->exact = context->row->text;
    if (context->row->problem)
        return;
    char *exact = field_exact(context->model->scene, context->row->setting);
    if (!exact)
        return;
    field->exact = exact;
    free(exact);
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, field->exact.c_str());
    data->SelectionStart = data->BufTextLen;
    data->SelectionEnd = data->CursorPos = 0;
}

static int edit_callback(ImGuiInputTextCallbackData *data) {
    field_context *context = (field_context *)data->UserData;
    panel_field *field = context->field;
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        field->text.resize((size_t)data->BufTextLen);
        data->Buf = &field->text[0];
    } else if (!field->active) {
        show_exact(context, data);
    }
    return 0;
}

static bool is_cancelled() {
#if IMGUI_VERSION_NUM < 18700
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
#else
    return ImGui::IsKeyPressed(ImGuiKey_Escape, false);
#endif
}

static void end_edit(panel *panel, int item, panel_field *field) {
    field->active = false;
    field->text.resize(strlen(field->text.c_str()));
    if (is_cancelled())
        panel_push_edit(panel, item, 0, nullptr);
    else if (field->text != field->exact)
        panel_push_edit(panel, item, 0, field->text.c_str());
}

static void draw_field(panel *panel, const panel_rows *model, int item, float width) {
    const panel_row &row = model->rows[item];
    panel_field *field = &panel->fields[row.setting];
    field_context context = {field, model, &row};
    if (!field->active)
        field->text = row.text;
    if (row.problem)
        ImGui::PushStyleColor(ImGuiCol_Text, WARNING);
    ImGui::SetNextItemWidth(width);
    ImGui::InputText("##text", &field->text[0], field->text.capacity() + 1,
                     ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackResize |
                         ImGuiInputTextFlags_CallbackAlways,
                     edit_callback, &context);
    if (row.problem)
        ImGui::PopStyleColor();
    if (field->active && !ImGui::IsItemActive())
        end_edit(panel, item, field);
    if (!field->active)
        draw_help(row);
}

static void draw_slider(panel *panel, const panel_rows *model, int item) {
    const panel_row &row = model->rows[item];
    const ImGuiSliderFlags how = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat |
                                 (row.step > 0 ? 0 : ImGuiSliderFlags_Logarithmic);
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    double value = row.value;
    ImGui::SetNextItemWidth(std::max(0.62f * width - gap, 1.0f));
    if (ImGui::SliderScalar("##slider", ImGuiDataType_Double, &value, &row.low, &row.high, "",
                            how)) {
        char text[32];
        const double rounded = row.step > 0 ? std::round(value / row.step) * row.step : value;
        snprintf(text, sizeof text, row.step > 0 ? "%.6g" : "%.3g", rounded);
        panel_push_edit(panel, item, 0, text);
    }
    panel->slides = panel->slides || ImGui::IsItemActive();
    draw_help(row);
    ImGui::SameLine(0.0f, gap);
    draw_field(panel, model, item, -1.0f);
}

static void draw_number(panel *panel, const panel_row &row, int item) {
    double value = row.value;
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::SliderScalar("##number", ImGuiDataType_Double, &value, &row.low, &row.high, "%.4g",
                            ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat)) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", std::round(value / row.step) * row.step);
        panel_push_edit(panel, item, 0, text);
    }
    panel->slides = panel->slides || ImGui::IsItemActive();
    draw_help(row);
}

// --- choices ---

static void draw_choice(panel *panel, const panel_row &row, int item) {
    ImGui::SetNextItemWidth(-1.0f);
    const bool known = row.index >= 0 && row.index < row.count;
    const bool open = ImGui::BeginCombo("##choice", known ? row.names[row.index] : "");
    if (!open)
        draw_help(row);
    for (int i = 0; open && i < row.count; i++) {
        if (ImGui::Selectable(row.names[i], i == row.index) && i != row.index)
            panel_push_edit(panel, item, i, nullptr);
        panel_note(panel, row.names[i]);
    }
    if (open && panel->shut)
        ImGui::CloseCurrentPopup();
    if (open)
        ImGui::EndCombo();
}

static void draw_switch(panel *panel, const panel_row &row, int item) {
    bool on = row.index != 0;
    if (ImGui::Checkbox("##switch", &on))
        panel_push_edit(panel, item, on, nullptr);
    draw_help(row);
}

static void draw_strip(const uint32_t *colours, ImVec2 from, ImVec2 to) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int i = 0; i < STRIP_PARTS; i++) {
        const float x0 = from.x + (to.x - from.x) * (float)i / STRIP_PARTS;
        const float x1 = from.x + (to.x - from.x) * (float)(i + 1) / STRIP_PARTS;
        const ImU32 left = colours[i * STRIP_COLOURS / STRIP_PARTS];
        const ImU32 right = colours[((i + 1) * STRIP_COLOURS - 1) / STRIP_PARTS];
        list->AddRectFilledMultiColor(ImVec2(x0, from.y), ImVec2(x1, to.y), left, right, right,
                                      left);
    }
}

static void draw_one_strip(panel *panel, const panel_row &row, int item, int i, ImVec2 size) {
    if (ImGui::InvisibleButton(row.names[i], size) && i != row.index)
        panel_push_edit(panel, item, i, nullptr);
    panel_note(panel, row.names[i]);
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float line = std::max(std::round(size.y / 9.0f), 1.0f);
    draw_strip(row.strips[i], from, to);
    if (i == row.index || ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRect(
            ImVec2(from.x - line, from.y - line), ImVec2(to.x + line, to.y + line),
            i == row.index ? 0xffffffffu : 0x90ffffffu, 0.0f, 0, line);
    if (!ImGui::IsItemHovered())
        return;
    begin_tip();
    ImGui::TextUnformatted(row.names[i]);
    if (i < row.key_count)
        ImGui::TextColored(ACCENT, "%s", row.name_keys[i]);
    end_tip();
}

static void draw_strips(panel *panel, const panel_row &row, int item, float em) {
    const bool known = row.index >= 0 && row.index < row.count;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(known ? row.names[row.index] : row.text);
    draw_help(row);
    const float gap = 0.5f * em;
    const float all = std::max(ImGui::GetContentRegionAvail().x, 2.0f * gap);
    const ImVec2 size(std::floor((all - (STRIP_COLUMNS - 1) * gap) / STRIP_COLUMNS), 0.9f * em);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, std::round(0.45f * em)));
    for (int i = 0; i < row.count; i++) {
        if (i % STRIP_COLUMNS > 0)
            ImGui::SameLine();
        draw_one_strip(panel, row, item, i, size);
    }
    ImGui::PopStyleVar();
}

// --- texts, plots, and locations to go to ---

static void draw_bars(const panel_row &row, ImVec2 from, ImVec2 to) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg));
    const ImU32 colour = ImGui::GetColorU32(ImGuiCol_PlotHistogram);
    for (int i = 0; i < row.count; i++) {
        const float x0 = from.x + (to.x - from.x) * (float)i / (float)row.count;
        const float x1 = from.x + (to.x - from.x) * (float)(i + 1) / (float)row.count;
        const float top = to.y - (to.y - from.y) * row.bars[i];
        list->AddRectFilled(ImVec2(std::floor(x0), std::floor(top)),
                            ImVec2(std::max(std::floor(x1) - 1.0f, std::floor(x0) + 1.0f), to.y),
                            colour);
    }
}

static void draw_plot(const panel_row &row, float em) {
    const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0f);
    ImGui::Dummy(ImVec2(width, 4.0f * em));
    draw_bars(row, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    draw_help(row);
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::TextColored(DIM, "%s", row.names[0]);
    ImGui::SameLine(right - ImGui::CalcTextSize(row.names[1]).x);
    ImGui::TextColored(DIM, "%s", row.names[1]);
}

static const float LIST_EM = 2.6f; // [em] height of a row with a thumbnail

// Draws the label "DATE  zoom ZOOM  COORDINATES" in two lines: zoom and date, then the coordinates.
static void draw_list_text(const char *label, ImVec2 at, float em) {
    const char *zoom = strstr(label, "  "), *rest = zoom ? strstr(zoom + 2, "  ") : nullptr;
    const ImU32 white = ImGui::GetColorU32(ImGuiCol_Text), dim = ImGui::GetColorU32(DIM);
    ImDrawList *list = ImGui::GetWindowDrawList();
    at = ImVec2(std::floor(at.x), std::floor(at.y));
    if (!rest) {
        list->AddText(at, white, label);
        return;
    }
    const float width = ImGui::CalcTextSize(zoom + 2, rest).x;
    list->AddText(at, white, zoom + 2, rest);
    list->AddText(ImVec2(at.x + width + em, at.y), dim, label, zoom);
    list->AddText(ImVec2(at.x, at.y + std::floor(1.15f * em)), dim, rest + 2);
}

// Draws the thumbnail and the label over the last item.
static void draw_list_picture(const panel_row &row, int i, float em) {
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float height = to.y - from.y - 0.2f * em, width = std::round(height * 16.0f / 9.0f);
    const ImVec2 at(from.x + 0.2f * em, from.y + 0.1f * em);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (row.textures[i])
        list->AddImage((ImTextureID)(intptr_t)row.textures[i], at,
                       ImVec2(at.x + width, at.y + height));
    else
        list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), 0x0effffffu);
    draw_list_text(row.names[i], ImVec2(at.x + width + 0.6f * em, from.y + 0.15f * em), em);
}

static void draw_list(panel *panel, const panel_row &row, int item, float em) {
    panel->listed = true;
    for (int i = 0; i < row.count; i++) {
        ImGui::PushID(i);
        const bool chosen = row.textures
                                ? ImGui::Selectable("##row", false, 0, ImVec2(0.0f, LIST_EM * em))
                                : ImGui::Selectable(row.names[i]);
        if (row.textures)
            draw_list_picture(row, i, em);
        if (chosen)
            panel_push_edit(panel, item, i, nullptr);
        draw_help(row);
        ImGui::PopID();
    }
}

static const int TILE_COLUMNS = 6;

static void draw_tile(panel *panel, const panel_row &row, int item, int i, ImVec2 size) {
    if (ImGui::InvisibleButton(row.names[i], size))
        panel_push_edit(panel, item, i, nullptr);
    panel_note(panel, row.names[i]);
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float line = std::max(std::round(size.y / 24.0f), 1.0f);
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (row.textures[i])
        list->AddImage((ImTextureID)(intptr_t)row.textures[i], from, to);
    else
        list->AddRectFilled(from, to, 0x0effffffu);
    const bool worn = i == row.index, pointed = ImGui::IsItemHovered();
    if (worn || pointed)
        list->AddRect(ImVec2(from.x - line, from.y - line), ImVec2(to.x + line, to.y + line),
                      worn ? 0xffffffffu : 0x90ffffffu, 0.0f, 0, line);
    if (!pointed)
        return;
    begin_tip();
    ImGui::TextUnformatted(row.names[i]);
    end_tip();
}

static void draw_tiles(panel *panel, const panel_row &row, int item, float em) {
    const bool known = row.index >= 0 && row.index < row.count;
    panel->listed = true;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(known ? row.names[row.index] : "of your own");
    draw_help(row);
    const float gap = 0.35f * em;
    const float all = std::max(ImGui::GetContentRegionAvail().x, TILE_COLUMNS * gap);
    const float width = std::max(std::floor((all - (TILE_COLUMNS - 1) * gap) / TILE_COLUMNS), 1.0f);
    const ImVec2 size(width, std::max(std::round(width * 9.0f / 16.0f), 1.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, std::round(gap)));
    for (int i = 0; i < row.count; i++) {
        if (i % TILE_COLUMNS > 0)
            ImGui::SameLine();
        draw_tile(panel, row, item, i, size);
    }
    ImGui::PopStyleVar();
}

static void draw_buttons(panel *panel, const panel_row &row, int item) {
    for (int i = 0; i < row.count; i++) {
        if (i > 0)
            ImGui::SameLine();
        if (ImGui::Button(row.names[i]))
            panel_push_edit(panel, item, i, nullptr);
        panel_note(panel, row.names[i]);
        draw_help(row);
    }
}

// --- the whole ---

static void draw_row(panel *panel, const panel_rows *model, int item, float em) {
    const panel_row &row = model->rows[item];
    if (row.kind != PANEL_PLOT && row.kind != PANEL_LIST)
        draw_label(row, em);
    switch (row.kind) {
    case PANEL_FIELD:
        draw_field(panel, model, item, -1.0f);
        break;
    case PANEL_SLIDER:
        draw_slider(panel, model, item);
        break;
    case PANEL_CHOICE:
        draw_choice(panel, row, item);
        break;
    case PANEL_SWITCH:
        draw_switch(panel, row, item);
        break;
    case PANEL_TEXT:
        ImGui::TextUnformatted(row.text);
        draw_help(row);
        break;
    case PANEL_STRIPS:
        draw_strips(panel, row, item, em);
        break;
    case PANEL_PLOT:
        draw_plot(row, em);
        break;
    case PANEL_LIST:
        draw_list(panel, row, item, em);
        break;
    case PANEL_TILES:
        draw_tiles(panel, row, item, em);
        break;
    case PANEL_PROGRESS:
        ImGui::ProgressBar((float)row.value, ImVec2(-1.0f, 0.0f), row.text);
        break;
    case PANEL_BUTTONS:
        draw_buttons(panel, row, item);
        break;
    case PANEL_NUMBER:
        draw_number(panel, row, item);
        break;
    case PANEL_GRADIENT:
        gradient_draw_bar(panel, row, item, em);
        break;
    case PANEL_SWATCH:
        gradient_draw_colour(panel, row, item, em);
        break;
    default:
        break;
    }
    draw_problem(row, em);
}

static bool has_field(const panel_row &row) {
    return row.kind == PANEL_FIELD || row.kind == PANEL_SLIDER;
}

// Closes the fields of absent rows, for example those of another kind of picture.
static void leave_absent(panel *panel, const panel_rows *model) {
    bool there[SETTING_COUNT] = {};
    for (const panel_row &row : model->rows)
        if (has_field(row))
            there[row.setting] = true;
    for (int i = 0; i < SETTING_COUNT; i++)
        panel->fields[i].active = panel->fields[i].active && there[i];
}

// Adds a row that is drawn next to the parts.
static void note_row(panel *panel, const panel_row &row, float em) {
    const float left = row.kind == PANEL_SECTION ? 0.0f : LABEL_EM * em;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    panel->parts.push_back(
        {row.label, ImVec2(at.x + left, at.y),
         ImVec2(at.x + ImGui::GetContentRegionAvail().x, at.y + ImGui::GetFrameHeight())});
}

static void draw_rows(panel *panel, const panel_rows *model, float em) {
    bool open = true;
    for (int at = 0; at < model->item_count; at++) {
        const int i = model->items[at];
        const panel_row &row = model->rows[i];
        if (row.kind == PANEL_ABSENT)
            continue;
        ImGui::PushID(i);
        if (row.kind == PANEL_SECTION || open)
            note_row(panel, row, em);
        if (row.kind == PANEL_SECTION) {
            open = ImGui::CollapsingHeader(row.label, row.index ? ImGuiTreeNodeFlags_DefaultOpen
                                                                : ImGuiTreeNodeFlags_None);
            draw_help(row);
        } else if (open) {
            ImGui::BeginDisabled(row.disabled);
            draw_row(panel, model, i, em);
            ImGui::EndDisabled();
        } else if (has_field(row) && panel->fields[row.setting].active) {
            end_edit(panel, i, &panel->fields[row.setting]);
        }
        ImGui::PopID();
    }
}

bool panel_find(const panel *panel, const char *label, double part, double *x, double *y) {
    for (const panel_part &shown : panel->parts) {
        if (strcasecmp(shown.label.c_str(), label) != 0)
            continue;
        *x = shown.from.x + (shown.to.x - shown.from.x) * part;
        *y = (shown.from.y + shown.to.y) / 2;
        return true;
    }
    return false;
}

static bool began_on_rows() {
    const ImVec2 from = ImGui::GetIO().MouseClickedPos[0], at = ImGui::GetWindowPos();
    const ImVec2 end = ImGui::GetWindowContentRegionMax(); // excludes the bar
    return ImGui::GetIO().MouseDownOwned[0] && from.x >= at.x && from.x < at.x + end.x &&
           from.y >= at.y && from.y < at.y + ImGui::GetWindowSize().y &&
           !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// A drag up or down scrolls the rows and presses no button, unless it began on a slider.
void panel_drag_rows(panel *panel, bool mouse, float em) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        panel->slides = panel->scrolls = false;
        panel->scroll = ImGui::GetScrollY();
        return;
    }
    const ImVec2 way = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, SCROLL_EM * em);
    if ((panel->finger || mouse) && !panel->scrolls && !panel->slides &&
        std::fabs(way.y) > std::fabs(way.x) && began_on_rows()) {
        panel->scrolls = true;
        ImGui::ClearActiveID();
    }
    if (panel->scrolls)
        ImGui::SetScrollY(panel->scroll - way.y);
}

void panel_draw(panel *panel, const panel_rows *model, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float margin = MARGIN_EM * em;
    const float width = std::max(std::min(WIDTH_EM * em, screen.x - 2.0f * margin), 1.0f);
    const float height = std::max(screen.y - 2.0f * margin, 1.0f);
    ImGui::SetNextWindowPos(ImVec2(screen.x - margin, margin), ImGuiCond_Always,
                            ImVec2(1.0f, 0.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 1.0f), ImVec2(width, height));
    ImGui::SetNextWindowBgAlpha(0.88f);
    panel->listed = false;
    if (ImGui::Begin("panel", nullptr, PANEL)) {
        draw_rows(panel, model, em);
        panel_drag_rows(panel, false, em);
    }
    ImGui::End();
    leave_absent(panel, model);
    panel->shut = false;
    panel->width = width + margin;
}
