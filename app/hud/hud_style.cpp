// HUD style: colours, corners and spacing of everything that is drawn over the picture.
#include "app/hud/panel_draw.h"

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
    style.WindowMinSize = ImVec2(1.0f, 1.0f); // smaller sizes make Dear ImGui abort
    ImGui::GetStyle() = style;
}
