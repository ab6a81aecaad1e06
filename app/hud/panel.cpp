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
static const int STRIP_COLUMNS = 2, STRIP_PARTS = 48, TILE_COLUMNS = 6;

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

// Draws a tooltip next to the panel, or over it if there is no room. `keys` may be null.
static void draw_tip(const char *text, const char *keys) {
    const float em = ImGui::GetFontSize(), left = ImGui::GetWindowPos().x - 0.4f * em;
    if (left > (TIP_EM + 2.0f) * em)
        ImGui::SetNextWindowPos(ImVec2(left, ImGui::GetItemRectMin().y - 0.5f * em),
                                ImGuiCond_Always, ImVec2(1.0f, 0.0f));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(TIP_EM * em);
    ImGui::TextUnformatted(text);
    if (keys)
        ImGui::TextColored(ACCENT, "%s", keys);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

static void draw_help(const panel_row &row) {
    const bool typing = ImGui::GetIO().WantTextInput;
    if (!typing && row.help && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        draw_tip(row.help, row.keys);
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

static void draw_slider(panel *panel, const panel_row &row, int item, float width,
                        const char *format) {
    const ImGuiSliderFlags how = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat |
                                 (row.step > 0 ? 0 : ImGuiSliderFlags_Logarithmic);
    double value = row.value;
    ImGui::SetNextItemWidth(width);
    if (ImGui::SliderScalar("##slider", ImGuiDataType_Double, &value, &row.low, &row.high, format,
                            how)) {
        char text[32];
        const double rounded = row.step > 0 ? std::round(value / row.step) * row.step : value;
        snprintf(text, sizeof text, row.step > 0 ? "%.6g" : "%.3g", rounded);
        panel_push_edit(panel, item, 0, text);
    }
    panel->slides = panel->slides || ImGui::IsItemActive();
    draw_help(row);
}

static void draw_slider_and_field(panel *panel, const panel_rows *model, int item) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const float width = std::max(0.62f * ImGui::GetContentRegionAvail().x - gap, 1.0f);
    draw_slider(panel, model->rows[item], item, width, "");
    ImGui::SameLine(0.0f, gap);
    draw_field(panel, model, item, -1.0f);
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

void panel_draw_colours(const uint32_t *colours, int parts, ImVec2 from, ImVec2 to) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float width = (to.x - from.x) / (float)parts;
    for (int i = 0; i < parts; i++) {
        const float x = from.x + width * (float)i;
        const ImU32 left = colours[i * COLOUR_TABLE_SIZE / parts];
        const ImU32 right = colours[((i + 1) * COLOUR_TABLE_SIZE - 1) / parts];
        list->AddRectFilledMultiColor(ImVec2(x, from.y), ImVec2(x + width, to.y), left, right,
                                      right, left);
    }
}

void panel_draw_thumbnail(uint32_t texture, ImVec2 from, ImVec2 to, float round) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (texture)
        list->AddImageRounded((ImTextureID)(intptr_t)texture, from, to, ImVec2(0, 0), ImVec2(1, 1),
                              ImGui::GetColorU32(IM_COL32_WHITE), round);
    else
        list->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg), round);
}

void panel_draw_frame(ImVec2 from, ImVec2 to, ImU32 colour, float line, float round) {
    const float out = 0.5f * (line + 1);
    ImGui::GetWindowDrawList()->AddRect(ImVec2(from.x - out, from.y - out),
                                        ImVec2(to.x + out, to.y + out), colour, round, 0, line);
}

// Draws a choice as a strip of colours or as a thumbnail.
static void draw_picture(panel *panel, const panel_row &row, int item, int i, ImVec2 size) {
    if (ImGui::InvisibleButton(row.names[i], size) && i != row.index)
        panel_push_edit(panel, item, i, nullptr);
    panel_note(panel, row.names[i]);
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const bool pointed = ImGui::IsItemHovered();
    if (row.strips)
        panel_draw_colours(row.strips[i], STRIP_PARTS, from, to);
    else
        panel_draw_thumbnail(row.textures[i], from, to, 0);
    if (i == row.index || pointed)
        panel_draw_frame(from, to, i == row.index ? 0xffffffffu : 0x90ffffffu,
                         std::max(std::round(0.09f * ImGui::GetFontSize()), 1.0f), 0);
    if (pointed)
        draw_tip(row.names[i], i < row.key_count ? row.name_keys[i] : nullptr);
}

static void draw_pictures(panel *panel, const panel_row &row, int item, float em) {
    const bool known = row.index >= 0 && row.index < row.count;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(known ? row.names[row.index] : row.text);
    draw_help(row);
    const int columns = row.strips ? STRIP_COLUMNS : TILE_COLUMNS;
    const float gap = std::round(0.4f * em), room = ImGui::GetContentRegionAvail().x + gap;
    const float width = std::max(std::floor(room / (float)columns) - gap, 1.0f);
    const float height = std::max(row.strips ? 0.9f * em : std::round(width * 9 / 16), 1.0f);
    panel->listed |= row.textures != nullptr;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    for (int i = 0; i < row.count; i++) {
        if (i % columns > 0)
            ImGui::SameLine();
        draw_picture(panel, row, item, i, ImVec2(width, height));
    }
    ImGui::PopStyleVar();
}

// --- texts, plots, and locations to go to ---

// Draws the bars disabled, since Dear ImGui would show their heights in a tooltip.
static void draw_plot(const panel_row &row, float em) {
    const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1);
    ImGui::BeginDisabled();
    ImGui::PlotHistogram("##plot", row.bars, row.count, 0, nullptr, 0, 1, ImVec2(width, 4 * em));
    ImGui::EndDisabled();
    ImGui::PopStyleVar();
    draw_help(row);
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::TextColored(DIM, "%s", row.names[0]);
    ImGui::SameLine(right - ImGui::CalcTextSize(row.names[1]).x);
    ImGui::TextColored(DIM, "%s", row.names[1]);
}

static const float LIST_EM = 2.6f; // [em] height of a row with a thumbnail

// Draws over the last item: the thumbnail, and the label "DATE  zoom ZOOM  COORDINATES" in two
// lines.
static void draw_list_picture(const panel_row &row, int i, float em) {
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float height = to.y - from.y - 0.2f * em, width = std::round(height * 16.0f / 9.0f);
    const ImVec2 at(from.x + 0.2f * em, from.y + 0.1f * em);
    const ImVec2 text(std::floor(at.x + width + 0.6f * em), std::floor(from.y + 0.15f * em));
    const std::string label = row.names[i];
    const size_t end = label.rfind("  "), rest = end == std::string::npos ? label.size() : end + 2;
    ImDrawList *list = ImGui::GetWindowDrawList();
    panel_draw_thumbnail(row.textures[i], at, ImVec2(at.x + width, at.y + height), 0);
    list->AddText(text, ImGui::GetColorU32(ImGuiCol_Text), label.substr(0, end).c_str());
    list->AddText(ImVec2(text.x, text.y + std::floor(1.15f * em)), ImGui::GetColorU32(DIM),
                  label.c_str() + rest);
}

static void draw_list(panel *panel, const panel_row &row, int item, float em) {
    panel->listed = true;
    for (int i = 0; i < row.count; i++) {
        ImGui::PushID(i);
        if (ImGui::Selectable("##row", false, 0, ImVec2(0.0f, LIST_EM * em)))
            panel_push_edit(panel, item, i, nullptr);
        draw_list_picture(row, i, em);
        draw_help(row);
        ImGui::PopID();
    }
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
        draw_slider_and_field(panel, model, item);
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
    case PANEL_PICTURES:
        draw_pictures(panel, row, item, em);
        break;
    case PANEL_PLOT:
        draw_plot(row, em);
        break;
    case PANEL_LIST:
        draw_list(panel, row, item, em);
        break;
    case PANEL_PROGRESS:
        ImGui::ProgressBar((float)row.value, ImVec2(-1.0f, 0.0f), row.text);
        break;
    case PANEL_BUTTONS:
        draw_buttons(panel, row, item);
        break;
    case PANEL_NUMBER:
        draw_slider(panel, row, item, -1.0f, "%.4g");
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
