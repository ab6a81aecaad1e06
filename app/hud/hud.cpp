// Heads-up display: draws the HUD with Dear ImGui and passes SDL's events to it. Sizes are in
// heights of the text, so that everything scales together.
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
#ifdef FATHOM_IMGUI_FREETYPE
#include <imgui_freetype.h>
#endif
#ifdef FATHOM_IMGUI_SDL2_H
#include <imgui_impl_sdl2.h>
#else
#include <imgui_impl_sdl.h>
#endif

struct hud {
    ImGuiContext *context;
    double text_scale;  // scale of the fonts
    double pixel_ratio; // pixel ratio of the fonts
    size_t shape;       // shape of the last model
    hud_model model;    // the last model
    char *font;         // the system's font; null: none
    size_t font_length;
    struct panel panel;
    float numbers_width;   // width of the numbers with the margin
    ImVec2 numbers;        // how far right and down they go with the margin; 0: they are not shown
    map_place map;         // the minimap, as it was drawn last
    int help_pages;        // that the help has at this size; 0: it was never drawn
    ImVec2 mouse;          // where events say that it is
    bool buttons[3];       // left, right, middle
    unsigned waiting;      // kinds of events that Dear ImGui has not looked at yet, a bit each
    int looks;             // how often it did between two frames
    std::string clipboard; // what a field was given of it
    SDL_Keycode held;      // pressed last, before a field had the keyboard; 0: none
};

static const unsigned WAITING_MOTION = 1, WAITING_BUTTON = 2, WAITING_KEY = 4, WAITING_TEXT = 8;

static const float FONT_PX = 13.0f;  // how high a line is, for which the built-in font is drawn
static const float GLYPH_PX = 14.0f; // how high the system's font is in it, with accents and tails
static const float GRAPH_TOP_MS = 33.4f;
static const float GRAPH_WIDTH = 12, GRAPH_HEIGHT = 1.6f; // in heights of the text
static const float NO_TIME_S = 1e-6f;
static const float NARROW = 80; // windows that the help needs all of, in heights of the text
static const int LOOKS_MAX = 256;
static const int FIRST_LOOKS = 3;        // until a new window has its size and can be pointed at
static const int CLIPBOARD_MAX = 130000; // more than a number can have

// Returns the clipboard's text. A number has at most CLIPBOARD_MAX digits; longer texts are cut,
// because they are refused anyway.
static const char *read_clipboard(void *user) {
    struct hud *hud = (struct hud *)user;
    char *text = SDL_GetClipboardText();
    hud->clipboard.assign(text ? text : "", strnlen(text ? text : "", CLIPBOARD_MAX));
    SDL_free(text);
    return hud->clipboard.c_str();
}

// Ends the program with a message if memory runs out: Dear ImGui does not check for that, and
// exceptions of C++ libraries are not caught.
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
    io.ConfigInputTextCursorBlink = false; // nothing is drawn at rest
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

#ifdef FATHOM_IMGUI_FREETYPE
// Adds the system's font. Its glyphs may exceed their line a little, where only accents and
// descenders are. So text is as large as on desktops, and lines are as close as with the built-in
// font. Returns false if the font cannot be drawn.
static bool add_font(const struct hud *hud, ImFontAtlas *atlas, double scale) {
    static const ImWchar ranges[] = {FONT_RANGES, 0};
    if (!hud->font)
        return false;
    const double size = std::round(GLYPH_PX * scale), line = FONT_PX * scale;
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    config.GlyphOffset.y =
        (float)std::round((line + FONT_CAPITALS * size) / 2 - std::ceil(FONT_ASCENT * size));
    atlas->FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    ImFont *font =
        atlas->AddFontFromMemoryTTF(hud->font, (int)hud->font_length, (float)size, &config, ranges);
    if (!font || !atlas->Build())
        return false;
    font->FontSize = (float)line;
    return true;
}
#else
static bool add_font(const struct hud *, ImFontAtlas *, double) {
    return false;
}
#endif

// Adds the built-in font, which consists of squares: only integer multiples of its size are crisp.
static void add_built_in_font(ImFontAtlas *atlas, double scale) {
    ImFontConfig config;
    config.SizePixels = (float)(FONT_PX * scale);
    const bool whole = scale == std::floor(scale);
    config.OversampleH = config.OversampleV = whole ? 1 : 3;
    config.PixelSnapH = whole;
    atlas->AddFontDefault(&config);
}

static void fit_fonts(struct hud *hud, double text_scale) {
    const ImGuiIO &io = ImGui::GetIO();
    const double ratio = io.DisplayFramebufferScale.y > 0 ? io.DisplayFramebufferScale.y : 1;
    const double scale = hud_text_px(text_scale) / (double)FONT_PX;
    if (scale == hud->text_scale && ratio == hud->pixel_ratio)
        return;
    hud->text_scale = scale;
    hud->pixel_ratio = ratio;
    io.Fonts->Clear();
    if (!add_font(hud, io.Fonts, scale)) {
        io.Fonts->Clear();
        add_built_in_font(io.Fonts, scale);
    }
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    ImGui::GetIO().FontGlobalScale = (float)(1 / ratio);
    hud_set_style((float)(scale / ratio));
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

static const ImVec4 part_colours[FRAME_PARTS] = {
    ImVec4(0.95f, 0.95f, 0.95f, 1.0f), ImVec4(0.45f, 0.72f, 1.0f, 1.0f),
    ImVec4(0.55f, 0.85f, 0.45f, 1.0f), ImVec4(1.0f, 0.78f, 0.35f, 1.0f),
    ImVec4(1.0f, 0.50f, 0.42f, 1.0f)};

// Draws a column for each frame, oldest left, with the frame's parts stacked.
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

// Draws the times of frames; there are none before the first frame.
static void draw_frame_times(const struct hud_model *model, float column, float em) {
    char text[64];
    if (model->frame_count == 0)
        return;
    snprintf(text, sizeof text, "%.1f ms", model->frame_ms);
    labelled("frame", text, column);
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
        labelled("latency", text, column);
        ImGui::SameLine();
        ImGui::TextColored(DIM, "p50 %.1f", model->latency_p50_ms);
    }
}

static void draw_all(const struct hud_model *model, float em) {
    static const char *const labels[LINE_LOCATION] = {
        "picture", "",     "device",    "",      "precision", "reference", "",
        "zoom",    "real", "imaginary", "angle", "pointer",   "formula",   "iteration limit",
        "palette", "tone"};
    const float column = ImGui::CalcTextSize("iteration limit").x + 1.6f * em;
    draw_frame_times(model, column, em);
    for (int i = 0; i < LINE_LOCATION; i++)
        if (i == LINE_WARNING)
            line(model->text[i], WARNING);
        else
            labelled(labels[i], model->text[i], column);
    line(model->text[LINE_OFF], WARNING);
    if (model->progress < 1)
        ImGui::ProgressBar((float)model->progress, ImVec2(-1.0f, 0.35f * em), "");
}

// Draws the brief numbers, always in the same number of lines so that nothing jumps; only warnings
// add lines.
static void draw_brief(const struct hud_model *model, float em) {
    const float column = ImGui::CalcTextSize("location").x + 1.6f * em;
    labelled("zoom", model->text[LINE_ZOOM], column);
    ImGui::SameLine(0, 1.6f * em);
    ImGui::TextColored(DIM, "%s", model->text[LINE_STATUS]);
    labelled("location", model->text[LINE_LOCATION], column);
    labelled("pointer", *model->text[LINE_POINTER] ? model->text[LINE_POINTER] : "-", column);
    labelled("formula", model->text[LINE_FORMULA], column);
    for (int i : {LINE_WARNING, LINE_OFF})
        line(model->text[i], WARNING);
}

// Draws the numbers next to the panel. They are left out if there is no room, or the help needs it.
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

// Draws texts in the middle of the room next to the panel, if that is at least half of the window.
// `lift` is the distance above their usual position. Returns their height.
static float draw_texts(const struct hud *hud, const char *name, const char *const *texts,
                        int count, const ImVec4 &colour, float lift, float em) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float left = screen.x - hud->panel.width;
    const float width = left < 0.5f * screen.x ? screen.x : left;
    ImGui::SetNextWindowPos(ImVec2(0.5f * width, screen.y - 0.9f * em - lift), ImGuiCond_Always,
                            ImVec2(0.5f, 1.0f));
    float height = 0;
    if (ImGui::Begin(name, nullptr, OVERLAY)) {
        const float wrap = hud->map.w > 0 ? 2 * hud->map.x - width : width; // next to the map
        ImGui::PushTextWrapPos(std::max(wrap - 2.0f * em, em));
        for (int i = 0; i < count; i++)
            ImGui::TextColored(colour, "%s", texts[i]);
        ImGui::PopTextWrapPos();
        height = ImGui::GetWindowSize().y;
    }
    ImGui::End();
    return height;
}

// Draws the messages; the hint for beginners is the lowest line.
static void draw_messages(const struct hud *hud, const struct hud_model *model, float em) {
    float lift = 0;
    if (model->hint)
        lift = draw_texts(hud, "hint", &model->hint, 1, DIM, 0, em) + 0.5f * em;
    if (model->message_count > 0)
        draw_texts(hud, "messages", model->messages, model->message_count,
                   ImGui::GetStyleColorVec4(ImGuiCol_Text), lift, em);
}

// Returns a hash of the lengths of all lines: when it changes, windows probably change their sizes.
static size_t shape_of(const struct hud_model *model) {
    size_t shape =
        (size_t)model->numbers * 1024 + (size_t)model->help * 16 + (model->progress < 1 ? 4 : 0);
    for (const char *text : model->text)
        shape = 31 * shape + strlen(text);
    shape = 31 * shape + (model->hint ? strlen(model->hint) : 0);
    shape += (model->panel ? 8 : 0) + (model->map.inset.texture ? 4096 : 0) +
             (model->julia.texture ? 8192 : 0);
    for (int i = 0; i < model->message_count; i++)
        shape = 31 * shape + strlen(model->messages[i]);
    return shape;
}

// --- events ---

static void build(struct hud *hud, const struct hud_model *model) {
    ImGuiIO &io = ImGui::GetIO();
    io.MousePos = hud->mouse;
    for (int i = 0; i < 3; i++)
        io.MouseDown[i] = hud->buttons[i];
    ImGui::NewFrame();
    const float em = ImGui::GetFontSize();
    if (model->box)
        mark_box(model, em);
    hud->panel.width = 0;
    hud->numbers = ImVec2(0, 0);
    hud->map = map_place();
    const bool open = model->collection && collection_open(model->collection);
    if (open)
        collection_draw(model->collection, em);
    if (model->panel && !open)
        panel_draw(&hud->panel, model->panel, em);
    if (model->numbers != HUD_NONE && !open)
        draw_numbers(hud, model, em);
    if (!model->help && !open)
        hud->map = mark_insets(model, hud->panel.width, hud->numbers, em);
    draw_messages(hud, model, em);
    if (model->help && !open)
        hud->help_pages = help_draw(model->help, model->orbit_density, em);
    ImGui::Render();
    hud->waiting = 0;
    const bool typing = (model->panel && panel_typing(&hud->panel)) ||
                        (model->collection && collection_typing(model->collection));
    if (typing && !SDL_IsTextInputActive())
        SDL_StartTextInput();
    else if (!typing && SDL_IsTextInputActive())
        SDL_StopTextInput();
}

// Dear ImGui sees what is pressed when a frame begins, so of a quick key or click nothing, and of
// text and keys no order: where it matters, it gets a frame that is not shown.
static void look(struct hud *hud) {
    const bool drawn = hud->text_scale > 0;
    if (!hud->model.panel || !drawn || !hud->waiting || hud->looks >= LOOKS_MAX)
        return;
    hud->looks++;
    for (int i = hud->panel.width > 0 ? 1 : FIRST_LOOKS; i > 0; i--) {
        ImGui::GetIO().DeltaTime = NO_TIME_S;
        build(hud, &hud->model);
    }
}

// Keys that only make text need no frame of their own.
static bool is_letter(const SDL_KeyboardEvent *key) {
    return key->keysym.sym >= ' ' && key->keysym.sym < 127 &&
           !(key->keysym.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI));
}

// What has to have been seen before an event of this kind, and what kind it is.
static unsigned kind_of(const SDL_Event *event, unsigned *before) {
    const unsigned all = WAITING_MOTION | WAITING_BUTTON | WAITING_KEY | WAITING_TEXT;
    switch (event->type) {
    case SDL_MOUSEMOTION:
    case SDL_WINDOWEVENT: // the pointer may leave
        *before = WAITING_BUTTON;
        return WAITING_MOTION;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
        *before = all;
        return WAITING_BUTTON;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        *before = is_letter(&event->key) ? WAITING_BUTTON | WAITING_KEY : all;
        return is_letter(&event->key) ? 0 : WAITING_KEY;
    case SDL_TEXTINPUT:
        *before = WAITING_BUTTON | WAITING_KEY;
        return WAITING_TEXT;
    default:
        *before = 0;
        return 0;
    }
}

static void follow_mouse(struct hud *hud, const SDL_Event *event) {
    static const Uint8 buttons[] = {SDL_BUTTON_LEFT, SDL_BUTTON_RIGHT, SDL_BUTTON_MIDDLE};
    const bool button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
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
// Up to 1.86 letters were where an English keyboard has them, and modifiers whatever SDL knew, not
// what the event says.
static void pass(const SDL_Event *event) {
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
static void pass(const SDL_Event *event) {
    ImGui_ImplSDL2_ProcessEvent(event);
}
#endif

// A key that repeats is released before it is pressed again.
static void let_go(struct hud *hud, const SDL_Event *event) {
    if (event->type != SDL_KEYDOWN || !event->key.repeat || !hud->model.panel)
        return;
    SDL_Event up = *event;
    up.type = SDL_KEYUP;
    up.key.state = SDL_RELEASED;
    pass(&up);
    hud->waiting |= WAITING_KEY;
    look(hud);
}

// A key that was down before a field got the keyboard is not typed into it when the keyboard
// repeats it.
static bool is_from_before(struct hud *hud, const SDL_Event *event, bool typing) {
    if (event->type == SDL_KEYDOWN && !event->key.repeat)
        hud->held = typing ? 0 : event->key.keysym.sym;
    else if (event->type == SDL_KEYUP && event->key.keysym.sym == hud->held)
        hud->held = 0;
    return typing && hud->held && (event->type == SDL_KEYDOWN || event->type == SDL_TEXTINPUT);
}

// Escape closes an open list of choices, and nothing else then.
static bool shuts_list(struct hud *hud, const SDL_Event *event) {
    const ImGuiPopupFlags any = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
    if (event->type != SDL_KEYDOWN || event->key.keysym.sym != SDLK_ESCAPE || !hud->model.panel ||
        !ImGui::IsPopupOpen("", any))
        return false;
    hud->panel.shut = true;
    return true;
}

extern "C" bool hud_event(struct hud *hud, const SDL_Event *event, const struct panel_rows *panel) {
    unsigned before;
    hud->model.panel = panel;
    if (panel && hud->panel.width == 0)
        hud->waiting |= WAITING_MOTION; // it is new under the pointer
    const unsigned kind = kind_of(event, &before);
    if (hud->waiting & before)
        look(hud);
    const bool typing = panel && panel_typing(&hud->panel);
    if (is_from_before(hud, event, typing))
        return true;
    let_go(hud, event);
    const ImGuiIO &io = ImGui::GetIO();
    follow_mouse(hud, event);
    pass(event);
    hud->waiting |= kind;
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_TEXTINPUT:
        return typing || shuts_list(hud, event);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
        return hud->model.panel && io.WantCaptureMouse;
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
    return hud->panel.width > 0 && hud->model.panel && panel_find(&hud->panel, label, part, x, y);
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

// Windows have the sizes that their contents had when they were built last: so new ones are built
// twice, and the panel always, because a click may open anything.
extern "C" void hud_draw(struct hud *hud, const struct hud_model *model, double text_scale) {
    const size_t shape = shape_of(model);
    hud->model.panel = model->panel;
    look(hud);
    ImGui_ImplSDL2_NewFrame();
    fit_fonts(hud, text_scale);
    ImGui_ImplOpenGL3_NewFrame();
    hud->model = *model;
    if (shape != hud->shape || model->panel) {
        build(hud, model);
        ImGui::GetIO().DeltaTime = NO_TIME_S;
    }
    hud->shape = shape;
    hud->looks = 0;
    build(hud, model);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
