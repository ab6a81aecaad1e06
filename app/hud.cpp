// The HUD with Dear ImGui. Sizes are in units of the text's height, so that it grows as a whole.
#include "app/hud.h"
extern "C" {
#include "app/input.h"
#include "render/log.h"
}
#include <algorithm>
#include <cmath>
#include <cstring>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#ifdef FATHOM_IMGUI_SDL2_H
#include <imgui_impl_sdl2.h>
#else
#include <imgui_impl_sdl.h>
#endif

struct hud {
    ImGuiContext *context;
    int text_scale;     // the fonts were made for
    double pixel_ratio; // likewise
    size_t shape;       // of what was drawn last
};

static const ImVec4 DIM(0.62f, 0.66f, 0.72f, 1.0f);
static const ImVec4 WARNING(1.0f, 0.72f, 0.25f, 1.0f);
static const ImVec4 ACCENT(0.45f, 0.72f, 1.0f, 1.0f);
static const float FONT_PX = 13.0f; // what the built-in font is drawn for
static const float GRAPH_TOP_MS = 33.4f;

static const ImGuiWindowFlags OVERLAY =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

static void set_style(float scale) {
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowRounding = 4.0f;
    style.FrameRounding = 2.0f;
    style.WindowBorderSize = 0.0f;
    style.WindowPadding = ImVec2(9.0f, 7.0f);
    style.ItemSpacing = ImVec2(8.0f, 3.0f);
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.04f, 0.05f, 0.07f, 0.72f);
    style.Colors[ImGuiCol_Text] = ImVec4(0.92f, 0.94f, 0.96f, 1.0f);
    style.Colors[ImGuiCol_FrameBg] = ImVec4(1.0f, 1.0f, 1.0f, 0.07f);
    style.Colors[ImGuiCol_PlotHistogram] = ACCENT;
    style.ScaleAllSizes(scale);
    style.WindowMinSize = ImVec2(1.0f, 1.0f); // never scaled to less, at which ImGui aborts
    ImGui::GetStyle() = style;
}

extern "C" struct hud *hud_create(SDL_Window *window, SDL_GLContext context) {
    struct hud *hud = new (std::nothrow) struct hud();
    if (!hud)
        return nullptr;
    hud->context = ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
    ImGui_ImplSDL2_InitForOpenGL(window, context);
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        log_error("cannot set up the display of numbers (Dear ImGui)");
        hud_destroy(hud);
        return nullptr;
    }
    return hud;
}

extern "C" void hud_destroy(struct hud *hud) {
    if (!hud)
        return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext(hud->context);
    delete hud;
}

extern "C" bool hud_event(struct hud *, const SDL_Event *event) {
    ImGui_ImplSDL2_ProcessEvent(event);
    const ImGuiIO &io = ImGui::GetIO();
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_TEXTINPUT:
        return io.WantTextInput;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
        return io.WantCaptureMouse;
    default:
        return false;
    }
}

// The built-in font is made of squares: only whole multiples of its size are crisp.
static void fit_fonts(struct hud *hud, double text_scale) {
    const ImGuiIO &io = ImGui::GetIO();
    const double ratio = io.DisplayFramebufferScale.y > 0 ? io.DisplayFramebufferScale.y : 1;
    const int scale = std::max(1, (int)std::lround(text_scale));
    if (scale == hud->text_scale && ratio == hud->pixel_ratio)
        return;
    hud->text_scale = scale;
    hud->pixel_ratio = ratio;
    ImFontConfig config;
    config.SizePixels = FONT_PX * (float)scale;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    io.Fonts->Clear();
    io.Fonts->AddFontDefault(&config);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    ImGui::GetIO().FontGlobalScale = (float)(1 / ratio);
    set_style((float)(scale / ratio));
}

static void line(const char *text, const ImVec4 &colour) {
    if (*text)
        ImGui::TextColored(colour, "%s", text);
}

static void labelled(const char *label, const char *text, float column) {
    if (!*text)
        return;
    ImGui::TextColored(DIM, "%s", label);
    ImGui::SameLine(column);
    ImGui::TextUnformatted(text);
}

static void draw_frame_times(const struct hud_model *model, float em) {
    char text[64];
    snprintf(text, sizeof text, "%5.1f ms", model->frame_ms);
    ImGui::TextUnformatted(text);
    ImGui::SameLine();
    snprintf(text, sizeof text, "p99 %.1f", model->frame_p99_ms);
    ImGui::TextColored(DIM, "%s", text);
    ImGui::SameLine();
    ImGui::PlotHistogram("##frames", model->frames_ms, model->frame_count, model->frame_next,
                         nullptr, 0.0f, GRAPH_TOP_MS, ImVec2(9.0f * em, em));
}

static void draw_numbers(const struct hud_model *model, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0.6f * em, 0.6f * em));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(std::max(screen.x - 1.2f * em, 1.0f),
                                                             std::max(screen.y - 1.2f * em, 1.0f)));
    if (ImGui::Begin("numbers", nullptr, OVERLAY)) {
        const float column = 5.2f * em;
        draw_frame_times(model, em);
        labelled("picture", model->picture, column);
        labelled("", model->counts, column);
        labelled("device", model->device, column);
        labelled("", model->path, column);
        labelled("number", model->type, column);
        line(model->warning, WARNING);
        labelled("zoom", model->zoom, column);
        labelled("re", model->re, column);
        labelled("im", model->im, column);
        labelled("limit", model->colours, column);
        labelled("tone", model->tone, column);
        if (model->progress < 1)
            ImGui::ProgressBar((float)model->progress, ImVec2(-1.0f, 0.35f * em), "");
    }
    ImGui::End();
}

static void draw_messages(const struct hud_model *model, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0.5f * screen.x, screen.y - 0.9f * em), ImGuiCond_Always,
                            ImVec2(0.5f, 1.0f));
    if (ImGui::Begin("messages", nullptr, OVERLAY)) {
        ImGui::PushTextWrapPos(std::max(screen.x - 2.0f * em, em));
        for (int i = 0; i < model->message_count; i++)
            ImGui::TextUnformatted(model->messages[i]);
        ImGui::PopTextWrapPos();
    }
    ImGui::End();
}

static void draw_help(float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0.5f * screen.x, 0.5f * screen.y), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowBgAlpha(0.92f);
    if (ImGui::Begin("help", nullptr, OVERLAY)) {
        const char *keys, *text;
        for (size_t i = 0; input_help(i, &keys, &text); i++) {
            ImGui::TextColored(ACCENT, "%s", keys);
            ImGui::SameLine(12.5f * em);
            ImGui::TextUnformatted(text);
        }
    }
    ImGui::End();
}

// A sum over the lengths of all lines: when it changes, windows probably need other sizes.
static size_t shape_of(const struct hud_model *model) {
    const char *const lines[] = {model->picture, model->counts,  model->device, model->path,
                                 model->type,    model->warning, model->zoom,   model->re,
                                 model->im,      model->colours, model->tone};
    size_t shape = (model->numbers ? 1 : 0) + (model->help ? 2 : 0) + (model->progress < 1 ? 4 : 0);
    for (const char *text : lines)
        shape = 31 * shape + strlen(text);
    for (int i = 0; i < model->message_count; i++)
        shape = 31 * shape + strlen(model->messages[i]);
    return shape;
}

static void build(const struct hud_model *model) {
    ImGui::NewFrame();
    const float em = ImGui::GetFontSize();
    if (model->numbers)
        draw_numbers(model, em);
    if (model->message_count > 0)
        draw_messages(model, em);
    if (model->help)
        draw_help(em);
    ImGui::Render();
}

// Windows have the sizes that their contents had when they were built last: so new ones are built twice.
extern "C" void hud_draw(struct hud *hud, const struct hud_model *model, double text_scale) {
    const size_t shape = shape_of(model);
    ImGui_ImplSDL2_NewFrame();
    fit_fonts(hud, text_scale);
    ImGui_ImplOpenGL3_NewFrame();
    if (shape != hud->shape)
        build(model);
    hud->shape = shape;
    build(model);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
