// HUD: draws numbers, panel, gallery and help with Dear ImGui and passes SDL's events to it. Sizes
// are in units of the text's height, so that everything grows together.
#include "app/hud/hud.h"
extern "C" {
#include "app/hud/font.h"
#include "render/base/log.h"
#include "render/base/memory.h"
}
#include "app/hud/panel_draw.h"
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <new>
#ifdef FATHOM_IMGUI_SDL2_H
#include <imgui_impl_sdl2.h>
#else
#include <imgui_impl_sdl.h>
#endif

struct hud {
    ImGuiContext *context;
    double text_scale;  // scale of the fonts; 0 before the first frame
    double pixel_ratio; // pixels per unit of SDL's window coordinates for which the fonts were made
    hud_model model;    // model of the last frame
    char *font;         // contents of the system's font; null if there is none
    size_t font_length;
    struct panel panel;
    float numbers_width;   // with the margin
    ImVec2 numbers;        // lower right corner of the numbers with the margin; 0 if not drawn
    map_place map;         // minimap of the last frame
    int help_pages;        // number of pages of the help; 0 before its first frame
    ImVec2 mouse;          // pointer's position by the events so far
    bool buttons[3];       // left, right and middle button
    unsigned shown;        // windows of the last frame that take input, one bit each
    bool moved;            // the pointer has moved since the last frame
    int unseen;            // number of unseen frames since the last visible frame
    std::string clipboard; // text that Dear ImGui has read from the clipboard
    SDL_Keycode held; // last key that was pressed while no field had the keyboard; 0 if released
};

static const float GRAPH_TOP_MS = 33.4f;
static const float GRAPH_WIDTH = 12, GRAPH_HEIGHT = 1.6f; // [em]
static const float NO_TIME_S = 1e-6f;
static const float NARROW = 80;          // [em] the help hides the numbers in a narrower window
static const int UNSEEN_MAX = 256;       // maximum number of unseen frames before a visible one
static const int UNSEEN_FIRST = 3;       // frames until a new window has its size and takes input
static const int CLIPBOARD_MAX = 130000; // [bytes] more than any number has

// Returns the clipboard's text. Longer texts than CLIPBOARD_MAX are cut, as they are refused
// anyway.
static const char *read_clipboard(void *user) {
    struct hud *hud = (struct hud *)user;
    char *text = SDL_GetClipboardText();
    hud->clipboard.assign(text ? text : "", strnlen(text ? text : "", CLIPBOARD_MAX));
    SDL_free(text);
    return hud->clipboard.c_str();
}

// Ends the program with a message if memory runs out: Dear ImGui does not check its allocations,
// and no code here catches exceptions of C++ libraries.
static void watch_memory() {
    std::set_new_handler([] { memory_end(0, "a C++ library"); });
    ImGui::SetAllocatorFunctions(
        [](size_t size, void *) { return memory_or_end(size, "the window's texts"); },
        [](void *memory, void *) { free(memory); });
}

extern "C" struct hud *hud_create(SDL_Window *window, SDL_GLContext context) {
    watch_memory();
    struct hud *hud = new (std::nothrow) struct hud();
    if (!hud)
        return nullptr;
    hud->context = ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
    io.ConfigInputTextCursorBlink = false; // at rest nothing is drawn
    io.KeyRepeatDelay = FLT_MAX;           // the keyboard repeats keys, not slow frames
    hud->mouse = ImVec2(-FLT_MAX, -FLT_MAX);
    ImGui_ImplSDL2_InitForOpenGL(window, context);
    io.GetClipboardTextFn = read_clipboard;
    io.ClipboardUserData = hud;
#ifdef FATHOM_IMGUI_FREETYPE
    hud->font = font_load(&hud->font_length);
#endif
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        log_error("cannot set up the numbers on the screen (Dear ImGui)");
        hud_destroy(hud);
        return nullptr;
    }
    return hud;
}

extern "C" const char *hud_library_compiled(void) {
    return IMGUI_VERSION;
}

extern "C" const char *hud_library_linked(void) {
    return ImGui::GetVersion();
}

extern "C" void hud_destroy(struct hud *hud) {
    if (!hud)
        return;
    panel_finish(&hud->panel);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext(hud->context);
    free(hud->font);
    delete hud;
}

static void fit_fonts(struct hud *hud, double text_scale) {
    const ImGuiIO &io = ImGui::GetIO();
    const double ratio = io.DisplayFramebufferScale.y > 0 ? io.DisplayFramebufferScale.y : 1;
    const double scale = hud_text_px(text_scale) / (double)FONT_PX;
    if (scale == hud->text_scale && ratio == hud->pixel_ratio)
        return;
    hud->text_scale = scale;
    hud->pixel_ratio = ratio;
    hud_set_font(hud->font, hud->font_length, scale);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    ImGui::GetIO().FontGlobalScale = (float)(1 / ratio);
    hud_set_style((float)(scale / ratio));
}

static void draw_line(const char *text, const ImVec4 &colour) {
    if (*text)
        ImGui::TextColored(colour, "%s", text);
}

static void draw_labelled(const char *label, const char *text, float column) {
    if (!*text)
        return;
    ImGui::TextColored(DIM, "%s", label);
    ImGui::SameLine(column);
    ImGui::TextUnformatted(text);
}

static const ImVec4 part_colours[FRAME_PARTS] = {
    ImVec4(0.95f, 0.95f, 0.95f, 1.0f), ImVec4(0.45f, 0.72f, 1.0f, 1.0f),
    ImVec4(0.55f, 0.85f, 0.45f, 1.0f), ImVec4(1.0f, 0.78f, 0.35f, 1.0f),
    ImVec4(1.0f, 0.50f, 0.42f, 1.0f)};

// Draws a column for each frame, the oldest on the left, with its parts on top of each other.
static void draw_graph(const struct hud_model *model, float em) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(GRAPH_WIDTH * em, GRAPH_HEIGHT * em);
    const float wide = size.x / (float)model->frame_count;
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                        ImGui::GetColorU32(ImGuiCol_FrameBg));
    for (int i = 0; i < model->frame_count; i++) {
        const int frame = (model->frame_next + i) % model->frame_count;
        float from = 0;
        for (int part = 0; part < FRAME_PARTS && from < GRAPH_TOP_MS; part++) {
            const float to = std::min(from + model->parts_ms[part][frame], GRAPH_TOP_MS);
            list->AddRectFilled(
                ImVec2(at.x + (float)i * wide, at.y + size.y * (1 - to / GRAPH_TOP_MS)),
                ImVec2(at.x + (float)(i + 1) * wide, at.y + size.y * (1 - from / GRAPH_TOP_MS)),
                ImGui::GetColorU32(part_colours[part]));
            from = to;
        }
    }
    ImGui::Dummy(size);
}

// Draws nothing before the first frame, which has no times.
static void draw_frame_times(const struct hud_model *model, float column, float em) {
    char text[64];
    if (model->frame_count == 0)
        return;
    snprintf(text, sizeof text, "%.1f ms", model->frame_ms);
    draw_labelled("frame", text, column);
    ImGui::SameLine();
    snprintf(text, sizeof text, "p99 %.1f", model->frame_p99_ms);
    ImGui::TextColored(DIM, "%s", text);
    ImGui::SameLine();
    draw_graph(model, em);
    ImGui::SetCursorPosX(column);
    for (int part = 0; part < FRAME_PARTS; part++) {
        if (part > 0)
            ImGui::SameLine();
        ImGui::TextColored(part_colours[part], "%s %.1f", frame_part_names[part],
                           model->part_ms[part]);
    }
    if (model->latency_ms > 0) {
        snprintf(text, sizeof text, "%.1f ms", model->latency_ms);
        draw_labelled("latency", text, column);
        ImGui::SameLine();
        ImGui::TextColored(DIM, "p50 %.1f", model->latency_p50_ms);
    }
}

static void draw_all(const struct hud_model *model, float em) {
    static const char *const labels[LINE_LOCATION] = {
        "picture", "",        "device",    "",      "precision", "reference", "",
        "zoom",    "real",    "imaginary", "angle", "pointer",   "formula",   "iteration limit",
        "check",   "palette", "tone"};
    const float column = ImGui::CalcTextSize("iteration limit").x + 1.6f * em;
    draw_frame_times(model, column, em);
    for (int i = 0; i < LINE_LOCATION; i++)
        if (i == LINE_WARNING)
            draw_line(model->text[i], WARNING);
        else
            draw_labelled(labels[i], model->text[i], column);
    draw_line(model->text[LINE_OFF], WARNING);
    if (model->progress < 1)
        ImGui::ProgressBar((float)model->progress, ImVec2(-1.0f, 0.35f * em), "");
}

// Draws a constant number of lines, so that nothing jumps; only warnings add lines.
static void draw_brief(const struct hud_model *model, float em) {
    const float column = ImGui::CalcTextSize("location").x + 1.6f * em;
    draw_labelled("zoom", model->text[LINE_ZOOM], column);
    ImGui::SameLine(0, 1.6f * em);
    ImGui::TextColored(DIM, "%s", model->text[LINE_STATUS]);
    draw_labelled("location", model->text[LINE_LOCATION], column);
    draw_labelled("pointer", *model->text[LINE_POINTER] ? model->text[LINE_POINTER] : "-", column);
    draw_labelled("formula", model->text[LINE_FORMULA], column);
    for (int i : {LINE_WARNING, LINE_OFF})
        draw_line(model->text[i], WARNING);
}

// Draws the numbers, unless the panel or the help leaves no room for them.
static void draw_numbers(struct hud *hud, const struct hud_model *model, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if ((hud->panel.width > 0 && hud->numbers_width + hud->panel.width > screen.x) ||
        (model->help && screen.x < NARROW * em))
        return;
    ImGui::SetNextWindowPos(ImVec2(0.6f * em, 0.6f * em));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(std::max(screen.x - 1.2f * em, 1.0f),
                                                             std::max(screen.y - 1.2f * em, 1.0f)));
    if (ImGui::Begin("numbers", nullptr, OVERLAY)) {
        if (model->numbers == HUD_ALL)
            draw_all(model, em);
        else
            draw_brief(model, em);
        const ImVec2 size = ImGui::GetWindowSize();
        hud->numbers_width = size.x + 1.2f * em;
        hud->numbers = ImVec2(hud->numbers_width, size.y + 1.2f * em);
    }
    ImGui::End();
}

// Draws texts at the bottom, centred next to the panel if half of the window is free there,
// otherwise centred in the window. `lift` is the distance above the usual position. Returns their
// height.
static float draw_texts(const struct hud *hud, const char *name, const char *const *texts,
                        int count, const ImVec4 &colour, float lift, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float left = screen.x - hud->panel.width;
    const float width = left < 0.5f * screen.x ? screen.x : left;
    ImGui::SetNextWindowPos(ImVec2(0.5f * width, screen.y - 0.9f * em - lift), ImGuiCond_Always,
                            ImVec2(0.5f, 1.0f));
    float height = 0;
    if (ImGui::Begin(name, nullptr, OVERLAY)) {
        const float wrap = hud->map.w > 0 ? 2 * hud->map.x - width : width; // ends at the map
        ImGui::PushTextWrapPos(std::max(wrap - 2.0f * em, em));
        for (int i = 0; i < count; i++)
            ImGui::TextColored(colour, "%s", texts[i]);
        ImGui::PopTextWrapPos();
        height = ImGui::GetWindowSize().y;
    }
    ImGui::End();
    return height;
}

// Draws the messages above the line for beginners.
static void draw_messages(const struct hud *hud, const struct hud_model *model, float em) {
    float lift = 0;
    if (model->hint)
        lift = draw_texts(hud, "hint", &model->hint, 1, DIM, 0, em) + 0.5f * em;
    if (model->message_count > 0)
        draw_texts(hud, "messages", model->messages, model->message_count,
                   ImGui::GetStyleColorVec4(ImGuiCol_Text), lift, em);
}

// --- events ---

static bool is_covered(const struct hud *hud) {
    return hud->model.collection && collection_open(hud->model.collection);
}

static bool is_typing(const struct hud *hud) {
    return (hud->model.panel && panel_typing(&hud->panel)) ||
           (hud->model.collection && collection_typing(hud->model.collection));
}

// Returns a bit for each window that takes input.
static unsigned windows_shown(const struct hud *hud) {
    const collection *collection = hud->model.collection;
    return (hud->model.panel ? 1 : 0) | (collection && collection->gallery.open ? 2 : 0) |
           (collection && collection->dialog.open ? 4 : 0);
}

static void build(struct hud *hud) {
    const hud_model *model = &hud->model;
    ImGuiIO &io = ImGui::GetIO();
    io.MousePos = hud->mouse;
    for (int i = 0; i < 3; i++)
        io.MouseDown[i] = hud->buttons[i];
    ImGui::NewFrame();
    const float em = ImGui::GetFontSize();
    if (model->box)
        mark_box(model, em);
    hud->panel.width = 0;
    hud->panel.parts.clear();
    hud->numbers = ImVec2(0, 0);
    hud->map = map_place();
    if (is_covered(hud)) {
        collection_draw(model->collection, &hud->panel, em);
    } else {
        if (model->panel)
            panel_draw(&hud->panel, model->panel, em);
        if (model->numbers != HUD_NONE)
            draw_numbers(hud, model, em);
        if (!model->help)
            hud->map = mark_insets(model, hud->panel.width, hud->numbers, em);
    }
    draw_messages(hud, model, em);
    if (model->recording)
        mark_recording(em);
    if (model->help && !is_covered(hud))
        hud->help_pages = help_draw(model->help, model->orbit_density, em);
    ImGui::Render();
    hud->moved = false;
    hud->shown = windows_shown(hud);
    if (is_typing(hud) && !SDL_IsTextInputActive())
        SDL_StartTextInput();
    else if (!is_typing(hud) && SDL_IsTextInputActive())
        SDL_StopTextInput();
}

// Builds an unseen frame if a window takes input. Dear ImGui reads keys and buttons only when a
// frame begins: it would miss quick clicks and the order of keys and text.
static void build_unseen(struct hud *hud) {
    const bool drawn = hud->text_scale > 0;
    if (!windows_shown(hud) || !drawn || hud->unseen >= UNSEEN_MAX)
        return;
    hud->unseen++;
    for (int i = windows_shown(hud) == hud->shown ? 1 : UNSEEN_FIRST; i > 0; i--) {
        ImGui::GetIO().DeltaTime = NO_TIME_S;
        build(hud);
    }
}

// Returns true for events that need a frame of their own. Keys that only make text do not.
static bool is_action(const SDL_Event *event) {
    const SDL_Keysym *key = &event->key.keysym;
    switch (event->type) {
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
    case SDL_TEXTINPUT:
        return true;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        return key->sym < ' ' || key->sym >= 127 || key->mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI);
    default:
        return false;
    }
}

static void follow_mouse(struct hud *hud, const SDL_Event *event) {
    static const Uint8 buttons[] = {SDL_BUTTON_LEFT, SDL_BUTTON_RIGHT, SDL_BUTTON_MIDDLE};
    const bool button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
    hud->moved |= event->type == SDL_MOUSEMOTION || event->type == SDL_WINDOWEVENT;
    if (event->type == SDL_MOUSEMOTION)
        hud->mouse = ImVec2((float)event->motion.x, (float)event->motion.y);
    else if (button)
        hud->mouse = ImVec2((float)event->button.x, (float)event->button.y);
    else if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_LEAVE)
        hud->mouse = ImVec2(-FLT_MAX, -FLT_MAX);
    if (event->type == SDL_MOUSEBUTTONDOWN)
        hud->panel.finger = event->button.which == SDL_TOUCH_MOUSEID;
    for (int i = 0; button && i < 3; i++)
        if (event->button.button == buttons[i])
            hud->buttons[i] = event->type == SDL_MOUSEBUTTONDOWN;
}

#if IMGUI_VERSION_NUM < 18700
// Passes an event to a version up to 1.86, which would take letters from an English layout,
// modifiers from SDL's present state instead of the event, and whole notches from a touch pad.
static void forward(const SDL_Event *event) {
    if (event->type == SDL_MOUSEWHEEL && std::isfinite(event->wheel.preciseY)) {
        ImGui::GetIO().MouseWheel += event->wheel.preciseY;
        return;
    }
    SDL_Event copy = *event;
    const SDL_Keycode sym = event->key.keysym.sym;
    const bool key = event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
    if (key && sym >= SDLK_a && sym <= SDLK_z)
        copy.key.keysym.scancode = (SDL_Scancode)(SDL_SCANCODE_A + (sym - SDLK_a));
    ImGui_ImplSDL2_ProcessEvent(&copy);
    ImGuiIO &io = ImGui::GetIO();
    if (key) {
        io.KeyCtrl = event->key.keysym.mod & KMOD_CTRL;
        io.KeyShift = event->key.keysym.mod & KMOD_SHIFT;
        io.KeyAlt = event->key.keysym.mod & KMOD_ALT;
    } else if (event->type == SDL_TEXTINPUT) {
        io.KeyCtrl = io.KeyAlt = false;
    }
}
#else
static void forward(const SDL_Event *event) {
    ImGui_ImplSDL2_ProcessEvent(event);
}
#endif

// Releases a repeated key before it is pressed again.
static void release_repeated(struct hud *hud, const SDL_Event *event) {
    if (event->type != SDL_KEYDOWN || !event->key.repeat || !windows_shown(hud))
        return;
    SDL_Event up = *event;
    up.type = SDL_KEYUP;
    up.key.state = SDL_RELEASED;
    forward(&up);
    build_unseen(hud);
}

// Returns true for the repeats of a key that was pressed before a field got the keyboard. The field
// does not receive them.
static bool is_from_before(struct hud *hud, const SDL_Event *event, bool typing) {
    if (event->type == SDL_KEYDOWN && !event->key.repeat)
        hud->held = typing ? 0 : event->key.keysym.sym;
    else if (event->type == SDL_KEYUP && event->key.keysym.sym == hud->held)
        hud->held = 0;
    return typing && hud->held && (event->type == SDL_KEYDOWN || event->type == SDL_TEXTINPUT);
}

// Returns true if the event is Escape and closes an open list of choices.
static bool closes_list(struct hud *hud, const SDL_Event *event) {
    const ImGuiPopupFlags any = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
    if (event->type != SDL_KEYDOWN || event->key.keysym.sym != SDLK_ESCAPE || !hud->model.panel ||
        !ImGui::IsPopupOpen("", any))
        return false;
    hud->panel.shut = true;
    return true;
}

extern "C" bool hud_event(struct hud *hud, const SDL_Event *event, const struct panel_rows *panel) {
    const bool action = is_action(event);
    hud->model.panel = panel;
    if (action && (hud->moved || windows_shown(hud) != hud->shown))
        build_unseen(hud); // a new window gets its size, and the pointer finds it
    const bool typing = is_typing(hud), covered = is_covered(hud);
    if (is_from_before(hud, event, typing))
        return true;
    release_repeated(hud, event);
    const ImGuiIO &io = ImGui::GetIO();
    follow_mouse(hud, event);
    forward(event);
    if (action)
        build_unseen(hud);
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_TEXTINPUT:
        return typing || closes_list(hud, event);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
        return covered || (hud->model.panel && io.WantCaptureMouse);
    case SDL_MOUSEMOTION:
        return covered;
    default:
        return false;
    }
}

extern "C" bool hud_take_edit(struct hud *hud, struct panel_edit *edit) {
    if (hud->panel.edits.empty())
        return false;
    *edit = hud->panel.edits.front();
    hud->panel.edits.pop_front();
    return true;
}

extern "C" bool hud_lists_locations(const struct hud *hud) {
    return hud->panel.listed;
}

extern "C" bool hud_find_in_panel(const struct hud *hud, const char *label, double part, double *x,
                                  double *y) {
    return panel_find(&hud->panel, label, part, x, y);
}

extern "C" bool hud_find_in_map(const struct hud *hud, double x, double y, double *across,
                                double *down) {
    const map_place &map = hud->map;
    *across = map.w > 0 ? (x - map.x) / map.w : -1;
    *down = map.h > 0 ? (y - map.y) / map.h : -1;
    return *across >= 0 && *across < 1 && *down >= 0 && *down < 1;
}

extern "C" int hud_text_px(double text_scale) {
    return (int)std::lround(FONT_PX * text_scale);
}

extern "C" int hud_help_pages(const struct hud *hud) {
    return std::max(hud->help_pages, 1);
}

// --- drawing ---

// Builds a frame twice, because a window has the size of its contents in the frame before, and
// draws it. Building takes 0.06 ms with the panel.
extern "C" void hud_draw(struct hud *hud, const struct hud_model *model, double text_scale) {
    ImGui_ImplSDL2_NewFrame();
    fit_fonts(hud, text_scale);
    ImGui_ImplOpenGL3_NewFrame();
    hud->model = *model;
    hud->unseen = 0;
    build(hud);
    ImGui::GetIO().DeltaTime = NO_TIME_S;
    build(hud);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
