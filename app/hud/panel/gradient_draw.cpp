// Palette editor: draws a bar with the gradient's stops, and the colour of the selected stop below.
// A double click adds a stop, a drag moves it, the right button deletes it.
#include "app/hud/panel_draw.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

static const float BAR_EM = 1.5f, HANDLE_EM = 0.9f, REACH_EM = 0.55f, PICKER_EM = 11.0f;
static const int PARTS = 192;

struct bar {
    const gradient *colours;
    float x0, x1, y0, y1; // [px] edges of the colours
    float y2;             // [px] lower end of the handles
};

static float x_of(const bar &b, double place) {
    return b.x0 + (b.x1 - b.x0) * (float)place;
}

static double place_of(const bar &b, float x) {
    const double place = (x - b.x0) / std::max(b.x1 - b.x0, 1.0f);
    return std::round(std::min(std::max(place, 0.0), 1.0) * 1000) / 1000;
}

// Returns the stop whose handle is nearest to `x`, or -1 if none is within `reach`. Of two at the
// same distance, the chosen one is preferred.
static int stop_at(const bar &b, float x, float reach, int chosen) {
    int nearest = -1;
    for (int i = 0; i < b.colours->count; i++) {
        const float away = std::fabs(x_of(b, b.colours->stops[i].place) - x);
        if (away > reach)
            continue;
        const float best =
            nearest < 0 ? reach : std::fabs(x_of(b, b.colours->stops[nearest].place) - x);
        if (away < best || nearest < 0 || (away == best && i == chosen))
            nearest = i;
    }
    return nearest;
}

static void draw_handle(const bar &b, int i, bool chosen, float em) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const gradient_stop &stop = b.colours->stops[i];
    const float x = std::round(x_of(b, stop.place)), half = 0.38f * em;
    const ImU32 edge = chosen ? 0xffffffffu : 0xffa0a0a0u;
    list->AddTriangleFilled(ImVec2(x, b.y1 - 0.3f * em), ImVec2(x - half, b.y1 + 0.25f * em),
                            ImVec2(x + half, b.y1 + 0.25f * em), edge);
    list->AddRectFilled(ImVec2(x - half, b.y1 + 0.2f * em), ImVec2(x + half, b.y2), edge);
    const float line = std::max(std::round(0.12f * em), 1.0f);
    list->AddRectFilled(ImVec2(x - half + line, b.y1 + 0.2f * em + line),
                        ImVec2(x + half - line, b.y2 - line), stop.rgba);
}

// Returns the index that stop `moved` gets at `place`, as gradient_move does.
static int index_after(const gradient *g, int moved, double place) {
    int at = 0;
    for (int i = 0; i < g->count; i++)
        at += i != moved && g->stops[i].place <= place;
    return at;
}

static void edit(panel *panel, int item, const char *format, int stop, double value) {
    char text[64];
    snprintf(text, sizeof text, format, stop, value);
    panel_push_edit(panel, item, 0, text);
}

static void drag(panel *panel, const bar &b, int item, double place) {
    const gradient *g = b.colours;
    if (!panel->grabbed || !ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2.0f) ||
        panel->stop >= g->count || g->stops[panel->stop].place == place)
        return;
    edit(panel, item, "move %d %.6g", panel->stop, place);
    panel->stop = index_after(g, panel->stop, place);
}

// Turns clicks and drags on the bar into edits.
static void edit_by_pointer(panel *panel, const bar &b, int item, float em) {
    const float x = ImGui::GetIO().MousePos.x;
    const int near = stop_at(b, x, REACH_EM * em, panel->stop);
    const double place = place_of(b, x);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && near < 0 && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        edit(panel, item, "add %d %.6g", 0, place);
        panel->stop = index_after(b.colours, -1, place);
        panel->grabbed = false;
    } else if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        panel->grabbed = near >= 0;
        panel->stop = near >= 0 ? near : panel->stop;
    } else if (hovered && near >= 0 && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        edit(panel, item, "delete %d %.0f", near, 0.0);
        panel->stop -= panel->stop >= near && panel->stop > 0;
        panel->grabbed = false;
    } else if (ImGui::IsItemActive()) {
        panel->slides = true; // a finger that drags a stop does not scroll
        drag(panel, b, item, place);
    } else {
        panel->grabbed = false;
    }
}

void gradient_draw_bar(panel *panel, const panel_row &row, int item, float em) {
    const float width = std::max(ImGui::GetContentRegionAvail().x, 4.0f * em);
    ImGui::InvisibleButton("##bar", ImVec2(width, (BAR_EM + HANDLE_EM) * em),
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float inset = 0.4f * em;
    const bar b = {row.gradient, from.x + inset, to.x - inset, from.y, from.y + BAR_EM * em, to.y};
    panel->stop = std::min(std::max(panel->stop, 0), row.gradient->count - 1);
    panel->parts.push_back({"stop bar", ImVec2(b.x0, b.y1), ImVec2(b.x1, b.y2)});
    panel_draw_colours(row.strips[0], PARTS, ImVec2(b.x0, b.y0), ImVec2(b.x1, b.y1));
    for (int i = 0; i < row.gradient->count; i++)
        if (i != panel->stop)
            draw_handle(b, i, false, em);
    draw_handle(b, panel->stop, true, em);
    edit_by_pointer(panel, b, item, em);
}

// Draws for example "3 of 8 at 0.25" and the label of the stop.
static void tell_stop(const panel_row &row, int stop) {
    const gradient_stop &s = row.gradient->stops[stop];
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(DIM, "%d of %d at %.3g%s%s", stop + 1, row.gradient->count, s.place,
                       s.label[0] ? ": " : "", s.label);
}

void gradient_draw_colour(panel *panel, const panel_row &row, int item, float em) {
    const int stop = std::min(std::max(panel->stop, 0), row.gradient->count - 1);
    const ImU32 rgba = row.gradient->stops[stop].rgba;
    const ImVec4 was = ImGui::ColorConvertU32ToFloat4(rgba);
    float c[3] = {was.x, was.y, was.z};
    if (ImGui::ColorButton("##swatch", was, ImGuiColorEditFlags_NoTooltip,
                           ImVec2(3.0f * em, ImGui::GetFrameHeight())))
        panel->picking = !panel->picking;
    panel_note(panel, "stop colour");
    tell_stop(row, stop);
    if (!panel->picking)
        return;
    ImGui::SetCursorPosX(LABEL_EM * em);
    ImGui::SetNextItemWidth(PICKER_EM * em);
    if (ImGui::ColorPicker3("##picker", c,
                            ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoSidePreview |
                                ImGuiColorEditFlags_NoLabel | ImGuiColorEditFlags_NoAlpha |
                                ImGuiColorEditFlags_NoOptions)) {
        const ImU32 colour = ImGui::ColorConvertFloat4ToU32(ImVec4(c[0], c[1], c[2], 1.0f));
        if (colour != rgba)
            edit(panel, item, "colour %d %.0f", stop, (double)(colour & 0xffffffu));
    }
    panel_note(panel, "picker");
    panel->slides = panel->slides || ImGui::IsItemActive();
}
