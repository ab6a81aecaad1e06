// Style of Dear ImGui: font, colours, corners and spacing of everything over the picture.
extern "C" {
#include "app/hud/font.h"
}
#include "app/hud/panel_draw.h"
#include <cmath>
#ifdef FATHOM_IMGUI_FREETYPE
#include <imgui_freetype.h>
#endif

static const float GLYPH_PX = 14.0f; // [px] height of the system's font, with accents and tails

void hud_set_style(float scale) {
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowRounding = 4.0f;
    style.FrameRounding = 2.0f;
    style.WindowBorderSize = 0.0f;
    style.WindowPadding = ImVec2(9.0f, 7.0f);
    style.ItemSpacing = ImVec2(8.0f, 3.0f);
    style.FramePadding = ImVec2(5.0f, 2.0f);
    style.ScrollbarSize = 9.0f;
    style.GrabMinSize = 8.0f;
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.04f, 0.05f, 0.07f, 0.80f);
    style.Colors[ImGuiCol_MenuBarBg] = ImVec4(1.0f, 1.0f, 1.0f, 0.04f);
    style.Colors[ImGuiCol_Text] = ImVec4(0.92f, 0.94f, 0.96f, 1.0f);
    style.Colors[ImGuiCol_FrameBg] = ImVec4(1.0f, 1.0f, 1.0f, 0.07f);
    style.Colors[ImGuiCol_FrameBgHovered] = ImVec4(1.0f, 1.0f, 1.0f, 0.12f);
    style.Colors[ImGuiCol_FrameBgActive] = ImVec4(1.0f, 1.0f, 1.0f, 0.16f);
    style.Colors[ImGuiCol_Header] = ImVec4(1.0f, 1.0f, 1.0f, 0.04f);
    style.Colors[ImGuiCol_HeaderHovered] = ImVec4(1.0f, 1.0f, 1.0f, 0.12f);
    style.Colors[ImGuiCol_HeaderActive] = ImVec4(1.0f, 1.0f, 1.0f, 0.16f);
    style.Colors[ImGuiCol_Button] = ImVec4(1.0f, 1.0f, 1.0f, 0.07f);
    style.Colors[ImGuiCol_ButtonHovered] = ImVec4(1.0f, 1.0f, 1.0f, 0.14f);
    style.Colors[ImGuiCol_ButtonActive] = ImVec4(1.0f, 1.0f, 1.0f, 0.18f);
    style.Colors[ImGuiCol_PopupBg] = ImVec4(0.06f, 0.07f, 0.09f, 0.97f);
    style.Colors[ImGuiCol_ScrollbarBg] = ImVec4(0.0f, 0.0f, 0.0f, 0.0f);
    style.Colors[ImGuiCol_SliderGrab] = ImVec4(0.45f, 0.72f, 1.0f, 0.75f);
    style.Colors[ImGuiCol_SliderGrabActive] = ACCENT;
    style.Colors[ImGuiCol_CheckMark] = ACCENT;
    style.Colors[ImGuiCol_TextSelectedBg] = ImVec4(0.45f, 0.72f, 1.0f, 0.35f);
    style.Colors[ImGuiCol_PlotHistogram] = ACCENT;
    style.ScaleAllSizes(scale);
    style.WindowMinSize = ImVec2(1.0f, 1.0f); // Dear ImGui aborts at less than 1
    ImGui::GetStyle() = style;
}

#ifdef FATHOM_IMGUI_FREETYPE
// Adds the system's font. Accents and tails reach beyond their line a little: so text is as large
// as on the desktop, and lines are as close as with the built-in font. Returns false if the font is
// unusable.
static bool add_font(ImFontAtlas *atlas, char *data, size_t length, double scale) {
    static const ImWchar ranges[] = {FONT_RANGES, 0};
    if (!data)
        return false;
    const double size = std::round(GLYPH_PX * scale), line = FONT_PX * scale;
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    config.GlyphOffset.y =
        (float)std::round((line + FONT_CAPITALS * size) / 2 - std::ceil(FONT_ASCENT * size));
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    ImFont *font = atlas->AddFontFromMemoryTTF(data, (int)length, (float)size, &config, ranges);
    if (!font || !atlas->Build())
        return false;
    font->FontSize = (float)line;
    return true;
}
#else
static bool add_font(ImFontAtlas *, char *, size_t, double) {
    return false;
}
#endif

// Adds the built-in font. It is made of squares, so only whole multiples of its size are crisp.
static void add_built_in_font(ImFontAtlas *atlas, double scale) {
    ImFontConfig config;
    config.SizePixels = (float)(FONT_PX * scale);
    const bool whole = scale == std::floor(scale);
    config.OversampleH = config.OversampleV = whole ? 1 : 3;
    config.PixelSnapH = whole;
    atlas->AddFontDefault(&config);
}

void hud_set_font(char *data, size_t length, double scale) {
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    atlas->Clear();
    if (add_font(atlas, data, length, scale))
        return;
    atlas->Clear();
    add_built_in_font(atlas, scale);
}
