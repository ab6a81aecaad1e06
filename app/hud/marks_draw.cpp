// Marks on the picture, drawn with Dear ImGui: a recording; behind the HUD's windows a box to zoom
// to, and the minimap with its frame and the screen's place in it. Light on dark lines are visible
// on every picture.
#include "app/hud/panel_draw.h"
#include <algorithm>
#include <cfloat>
#include <cmath>

static const ImU32 LIGHT = IM_COL32(255, 255, 255, 255), DARK = IM_COL32(0, 0, 0, 200);
static const ImU32 FRAME = IM_COL32(10, 13, 18, 230), EDGE = IM_COL32(255, 255, 255, 90);
static const float MARGIN = 0.6f;    // equals the margin of the numbers, in heights of the text
static const float LEAST_BOX = 0.7f; // a smaller box becomes a ring; in heights of the text

void mark_box(const hud_model *model, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 a((float)std::min(model->box_x0, model->box_x1) * screen.x,
                   (float)std::min(model->box_y0, model->box_y1) * screen.y);
    const ImVec2 b((float)std::max(model->box_x0, model->box_x1) * screen.x,
                   (float)std::max(model->box_y0, model->box_y1) * screen.y);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float line = std::max(em / 13.0f, 1.0f);
    list->AddRectFilled(a, b, IM_COL32(255, 255, 255, 24));
    list->AddRect(a, b, DARK, 0.0f, 0, 3.0f * line);
    list->AddRect(a, b, LIGHT, 0.0f, 0, line);
}

void mark_recording(float em) {
    ImGui::SetNextWindowPos(ImVec2(MARGIN * em, ImGui::GetIO().DisplaySize.y - MARGIN * em),
                            ImGuiCond_Always, ImVec2(0, 1));
    if (ImGui::Begin("recording", nullptr, OVERLAY)) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(at.x + 0.5f * em, at.y + 0.5f * em),
                                                    0.36f * em, IM_COL32(255, 70, 60, 255), 24);
        ImGui::Dummy(ImVec2(em, em));
        ImGui::SameLine();
        ImGui::TextUnformatted("recording");
    }
    ImGui::End();
}

// --- the minimap ---

static ImVec2 point(const hud_map &map, const map_place &place, int corner) {
    return ImVec2(place.x + (float)map.corners[corner][0] * place.w,
                  place.y + (float)map.corners[corner][1] * place.h);
}

// Moves a coordinate to the middle of a pixel, so that horizontal and vertical lines are sharp. A
// coordinate near the map's edge is moved onto it.
static float on_pixel(float at, float from, float size, float ratio) {
    const float half = 0.5f / ratio, near = 2 / ratio;
    if (std::abs(at - from) < near)
        return from + half;
    if (std::abs(at - from - size) < near)
        return from + size - half;
    return (std::floor(at * ratio) + 0.5f) / ratio;
}

static ImVec2 on_pixels(ImVec2 at, const map_place &place, float ratio) {
    return ImVec2(on_pixel(at.x, place.x, place.w, ratio), on_pixel(at.y, place.y, place.h, ratio));
}

static void draw_box(ImDrawList *list, const ImVec2 *at, float line) {
    list->AddQuad(at[0], at[1], at[2], at[3], DARK, 3 * line);
    list->AddQuad(at[0], at[1], at[2], at[3], LIGHT, line);
}

// Draws a ring with four ticks, clamped to the map even if the screen is outside of it.
static void draw_ring(ImDrawList *list, const map_place &place, ImVec2 at, float line, float em) {
    const float radius = 0.35f * em, tick = 0.7f * em;
    at.x = std::max(std::min(at.x, place.x + place.w - tick), place.x + tick);
    at.y = std::max(std::min(at.y, place.y + place.h - tick), place.y + tick);
    for (int dark = 1; dark >= 0; dark--) {
        const ImU32 colour = dark ? DARK : LIGHT;
        const float thick = dark ? 3 * line : line, more = dark ? line : 0;
        list->AddCircle(at, radius, colour, 24, thick);
        for (int i = 0; i < 4; i++) {
            const float x = (float)((i == 0) - (i == 1)), y = (float)((i == 2) - (i == 3));
            list->PathLineTo(ImVec2(at.x + x * radius, at.y + y * radius));
            list->PathLineTo(ImVec2(at.x + x * (tick + more), at.y + y * (tick + more)));
            list->PathStroke(colour, 0, thick);
        }
    }
}

static void draw_marker(ImDrawList *list, const hud_map &map, const map_place &place, float line,
                        float ratio, float em) {
    ImVec2 at[4], low(FLT_MAX, FLT_MAX), high(-FLT_MAX, -FLT_MAX);
    for (int i = 0; i < 4; i++) {
        at[i] = point(map, place, i);
        low = ImVec2(std::min(low.x, at[i].x), std::min(low.y, at[i].y));
        high = ImVec2(std::max(high.x, at[i].x), std::max(high.y, at[i].y));
    }
    const ImVec2 middle((low.x + high.x) / 2, (low.y + high.y) / 2);
    const bool small = std::max(high.x - low.x, high.y - low.y) < LEAST_BOX * em;
    const bool outside = low.x > place.x + place.w || high.x < place.x ||
                         low.y > place.y + place.h || high.y < place.y;
    const bool upright =
        std::abs(at[1].y - at[0].y) * ratio < 0.5f || std::abs(at[1].x - at[0].x) * ratio < 0.5f;
    for (int i = 0; i < 4 && upright; i++)
        at[i] = on_pixels(at[i], place, ratio);
    if (small || outside)
        draw_ring(list, place, on_pixels(middle, place, ratio), line, em);
    else
        draw_box(list, at, line);
}

static void draw_inset(const hud_inset &inset, const map_place &place, float line) {
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const ImVec2 from(place.x, place.y), to(place.x + place.w, place.y + place.h);
    list->AddRectFilled(ImVec2(from.x - 2 * line, from.y - 2 * line),
                        ImVec2(to.x + 2 * line, to.y + 2 * line), FRAME);
    list->AddRectFilled(ImVec2(from.x - line, from.y - line), ImVec2(to.x + line, to.y + line),
                        EDGE);
    list->AddImage((ImTextureID)(intptr_t)inset.texture, from, to);
}

// Places an inset in the lower right corner of the room next to the panel, `lift` above the bottom.
// Returns an empty place if there is not enough room.
static map_place place_inset(const hud_inset &inset, float panel, ImVec2 numbers, float lift,
                             float ratio, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float w = (float)inset.width_px / ratio, h = (float)inset.height_px / ratio;
    const float x = std::floor((screen.x - panel - MARGIN * em - w) * ratio) / ratio;
    const float y = std::floor((screen.y - lift - MARGIN * em - h) * ratio) / ratio;
    const bool below = x < numbers.x && y < numbers.y;
    if (inset.texture == 0 || below || x < 0.5f * screen.x || y < MARGIN * em)
        return map_place();
    return map_place{x, y, w, h};
}

map_place mark_insets(const hud_model *model, float panel, ImVec2 numbers, float em) {
    const float scale = ImGui::GetIO().DisplayFramebufferScale.x, ratio = scale > 0 ? scale : 1;
    const float line = std::max(std::round(em * ratio / 13.0f), 1.0f) / ratio;
    const map_place map = place_inset(model->map.inset, panel, numbers, 0, ratio, em);
    if (map.w > 0) {
        ImDrawList *list = ImGui::GetBackgroundDrawList();
        draw_inset(model->map.inset, map, line);
        list->PushClipRect(ImVec2(map.x, map.y), ImVec2(map.x + map.w, map.y + map.h), true);
        draw_marker(list, model->map, map, line, ratio, em);
        list->PopClipRect();
    }
    const float lift = map.h > 0 ? map.h + MARGIN * em : 0;
    const map_place julia = place_inset(model->julia, panel, numbers, lift, ratio, em);
    if (julia.w > 0)
        draw_inset(model->julia, julia, line);
    return map;
}
