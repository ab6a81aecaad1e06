/* fathom [VIEW]: the explorer. Creates its parts, runs its loop, and destroys them. */
#include "app/bench/frame_check.h"
#include "app/command/commands.h"
#include "app/gallery/thumbnails.h"
#include "app/options/config.h"
#include "app/process_age.h"
#include "app/still/screenshot.h"
#include "app/window/greeting.h"
#include "app/window/loop.h"
#include "app/window/x11.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/locate/home.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WAIT_MS 40.0 /* longest wait for the first pass of the first picture */

static void print_statistics(const struct loop *loop) {
    const struct picture *picture = loop->picture;
    const struct backend_info info = active_backend_info(loop->active);
    printf("{");
    json_member_text(stdout, "backend", info.name, ", ");
    json_member_text(stdout, "device", info.device, ", ");
    json_member_text(stdout, "interop", picture->gl ? "gl" : "host", ", ");
    const struct frame_req drawn = picture_drawn(picture);
    json_member_text(stdout, "route", route_names[drawn.route], ", ");
    json_member_text(stdout, "precision", number_type_name(drawn.type), ", ");
    json_member_number(stdout, "width", picture->req.width_px, ", ");
    json_member_number(stdout, "height", picture->req.height_px, ", ");
    json_member_number(stdout, "turns", (double)loop->turn_count, ", ");
    json_member_number(stdout, "frames", (double)loop->frame_count, ", ");
    json_member_number(stdout, "screenshots", loop->screenshot_count, ", ");
    json_member_number(stdout, "turns_busy", (double)loop->turns.seen, ", ");
    json_member_number(stdout, "turn_ms_median", stats_percentile(&loop->turns, 0.5), ", ");
    json_member_number(stdout, "turn_ms_p99", stats_percentile(&loop->turns, 0.99), ", ");
    json_member_number(stdout, "turn_ms_max", loop->turns.largest, ", ");
    json_member_number(stdout, "submit_ms_max", picture->submit_ms_max, ", ");
    json_member_number(stdout, "cancel_ms_max", picture->cancel_ms_max, ", ");
    json_member_number(stdout, "complete_ms", picture->complete_ms, ", ");
    json_member_number(stdout, "first_complete_ms", loop->first_complete_ms, ", ");
    json_member_number(stdout, "limit", picture->req.limit, ", ");
    json_member_number(stdout, "iterations", (double)picture->report.iterations, ", ");
    json_member_number(stdout, "kept", (double)picture->report.kept, ", ");
    char orbit[UNDER_POINTER_TEXT_MAX];
    under_pointer_print(&loop->under_pointer, orbit);
    json_member_text(stdout, "formula", formula_names[loop->explorer->scene.fractal.formula], ", ");
    json_member_text(stdout, "under_pointer", orbit, ", ");
    json_member_number(stdout, "flights", (double)loop->flight.flights, ", ");
    json_member_number(stdout, "turning_points", (double)loop->flight.turns_in_all, ", ");
    json_member_number(stdout, "measured", (double)loop->measured.seen, ", ");
    json_member_number(stdout, "frame_ms_median", stats_percentile(&loop->measured, 0.5), ", ");
    json_member_number(stdout, "frame_ms_p99", stats_percentile(&loop->measured, 0.99), ", ");
    json_member_number(stdout, "device_ms_median", stats_percentile(&loop->measured_device, 0.5),
                       "}\n");
}

/* The parts that live as long as the window; the pointers may be NULL. */
struct explore_parts {
    struct window *window;
    struct hud *hud;
    struct presenter *presenter;
    struct active_backend *active;
    struct script *script;
    char *folder;
    struct recent *recent; /* NULL: nothing is kept from run to run */
    struct thumbnails *thumbnails;
    struct messages messages;
    bool scripted; /* no display is needed */
    bool windowed; /* --fullscreen or --kiosk made the window full screen; this is not remembered */
    const struct loop_watch *watch; /* NULL: the loop is not watched */
    struct frame_check *check;      /* NULL unless FATHOM_DEBUG requests it */
};

static void destroy_parts(struct explore_parts *parts) {
    active_backend_destroy(parts->active);
    presenter_destroy(parts->presenter);
    thumbnails_destroy(parts->thumbnails);
    hud_destroy(parts->hud);
    window_destroy(parts->window);
    script_destroy(parts->script);
    free(parts->folder);
    recent_destroy(parts->recent);
}

/* --- state kept from run to run --- */

static bool open_window(struct explore_parts *parts, const struct options *options) {
    struct window_state place;
    const bool placed = config_keeps_preferences(options) && window_state_load(&place);
    parts->window = window_create(options->width_px, options->height_px, parts->scripted,
                                  placed ? &place : NULL);
    if (!parts->window)
        return false;
    window_set_text_scale(parts->window, options->ui_scale);
    if ((options->fullscreen || options->kiosk) && !window_fullscreen(parts->window)) {
        window_toggle_fullscreen(parts->window);
        parts->windowed = true;
    }
    return true;
}

struct exit_state {
    const struct explore_parts *parts;
    const struct scene *scene;
    struct screenshot_writer *writer;
    const struct preferences *preferences;
};

/* Waits until the screenshots are written. Then saves the last location, unless it is home, the
 * window's position and the preferences. Stops at the first file that cannot be written: the others
 * would fail, too, and one message is enough. */
static void save_state(void *user) {
    const struct exit_state *state = user;
    const struct explore_parts *parts = state->parts;
    const struct scene *scene = state->scene;
    screenshot_finish(state->writer);
    if (!parts->recent)
        return;
    int width_px, height_px;
    window_size(parts->window, &width_px, &height_px);
    if (!explorer_at_home(&scene->view, &scene->fractal, width_px, height_px))
        recent_add(parts->recent, scene);
    struct window_state place = window_current_state(parts->window);
    place.fullscreen = place.fullscreen && !parts->windowed;
    if (recent_save(parts->recent) && window_state_save(&place))
        preferences_save(state->preferences);
}

/* Creates the parts. Returns false on failure; the reason is logged. destroy_parts frees those
 * already created. */
static bool create_parts(struct explore_parts *parts, const struct options *options) {
    if (options->script && !(parts->script = script_load(options->script)))
        return false;
    parts->scripted = parts->scripted || options->script;
    parts->folder = screenshot_folder(options->screenshots);
    parts->recent = config_keeps_preferences(options) ? recent_load() : NULL;
    if (!parts->folder || !open_window(parts, options))
        return false;
    process_age_log("window and OpenGL");
    struct backend_options backend = command_backend_options(options);
    backend.low_priority = true;
    backend.gl = true;
    parts->active =
        active_backend_create(backends_all, options->backend, &backend, &parts->messages);
    parts->presenter = parts->active ? presenter_create() : NULL;
    parts->hud = parts->presenter
                     ? hud_create(window_sdl(parts->window), window_context(parts->window))
                     : NULL;
    parts->thumbnails = thumbnails_create(&backend);
    return parts->hud && parts->thumbnails;
}

/* Shows the first frame, with the first pass of the first picture. While the picture is completed,
 * OpenGL's driver compiles the programs that show pictures in motion. Density pictures need their
 * cells first: the loop submits their requests. Returns false on failure; the reason is logged. */
static bool begin(const struct explore_parts *parts, struct loop *loop) {
    struct picture *picture = loop->picture;
    loop_fit_window(loop);
    explorer_begin_request(loop->explorer);
    picture_begin(picture);
    explorer_redraw(loop->explorer, false);
    process_age_log("what lies behind all pictures");
    bool ok = loop->explorer->scene.orbit_density || loop_submit(loop, true);
    process_age_log("the first picture begins");
    const double until = clock_ms() + FIRST_WAIT_MS;
    while (ok && picture_busy(picture) && !loop->news && clock_ms() < until)
        ok = loop_poll(loop, 1);
    ok = ok && loop_show_first(loop);
    process_age_log("the first frame is shown");
    if (ok && window_begin(parts->window))
        presenter_warm_up(parts->presenter);
    process_age_log("shaders compiled");
    return ok;
}

/* --- the window's defaults --- */

/* Returns true if the automatic limit is to be on: it is not switched off, and the limit is not set
 * by hand. A limit on the command line overrides a switch in the settings. */
static bool choose_auto_limit(const struct options *options, uint32_t limit,
                              struct messages *messages) {
    const bool by_hand =
        options->texts[SETTING_LIMIT] &&
        (options_given(options, "iterations") ? !options_given(options, "auto-limit")
                                              : options->auto_limit < 0);
    if (by_hand)
        messages_post(messages,
                      "automatic limit off: iterations are set to %" PRIu32 "; I switches it on",
                      limit);
    return !by_hand && options->auto_limit != 0;
}

/* Returns true if colours are to adapt: adaptation is not switched off, and neither the view nor an
 * option sets the mapping or the frequency. */
static bool choose_auto_frequency(const struct options *options, const struct scene *scene) {
    const bool by_hand =
        (scene->tuned || options->texts[SETTING_MAPPING] || options->texts[SETTING_FREQUENCY]) &&
        !scene_wants_ranks(scene) && !options_given(options, "auto-frequency");
    return !by_hand && options->auto_frequency != 0;
}

/* Posts the number of wrong settings and the first of them: standard error is not visible if the
 * program is started from a menu. The path in the message is shortened with ~. */
static void post_wrong_settings(const struct options *options, struct messages *messages) {
    const char *home = getenv("HOME"), *first = options->wrong_setting;
    const size_t length = home ? strlen(home) : 0;
    const bool at_home = length > 0 && strncmp(first, home, length) == 0 && first[length] == '/';
    if (options->wrong_settings > 0)
        messages_post(messages, "%u wrong setting%s: %s%s", options->wrong_settings,
                      options->wrong_settings > 1 ? "s, the first" : "", at_home ? "~" : "",
                      first + (at_home ? length : 0));
}

static bool begins_at_home(const struct options *options) {
    return options->argument_count == 0 && !options->last && !options->texts[SETTING_RE] &&
           !options->texts[SETTING_IM] && !options->texts[SETTING_ZOOM];
}

/* Returns true if the command line or the settings choose what to show. */
static bool chooses_scene(const struct options *options) {
    bool told = options->given != 0 || options->argument_count > 0 || options->autopilot;
    for (int id = 0; id < SETTING_COUNT; id++)
        told = told || options->texts[id];
    return told;
}

/* Shows beginners the keys at the very first start. Also plans a dive, unless an option or a
 * setting chooses what to show. */
static void greet_beginner(struct greeting *greeting, const struct options *options,
                           struct scene *scene) {
    if (!config_keeps_preferences(options) || !greeting_is_first_start())
        return;
    greeting_show_keys(greeting);
    if (!chooses_scene(options))
        greeting_plan_dive(greeting, scene);
}

/* Returns the zoom speed; 0: as fast as the pictures can follow. Scripts zoom equally fast on every
 * machine. */
static double choose_zoom_speed(const struct options *options, const struct script *script) {
    return options->zoom_speed > 0 || !script ? options->zoom_speed : 1;
}

static bool shows_path(const struct options *options) {
    return options->argument_count > 0 && path_has_ending(options->arguments[0]);
}

/* Runs the explorer. Takes over the scene. */
static int explore(struct explore_parts *parts, const struct options *options,
                   struct scene *scene) {
    int width_px, height_px;
    window_size(parts->window, &width_px, &height_px);
    presenter_fit(parts->presenter, &width_px, &height_px);
    struct greeting greeting = {0};
    greet_beginner(&greeting, options, scene);
    struct explorer explorer;
    /* Samples of a pixel: from the command line, else from the view, else from the settings. A view
     * without `samples` has 1. */
    const uint64_t spare = options->spare_samples;
    if (options->samples == 0 && scene->pixel_samples <= 1)
        scene->pixel_samples = spare > 0 ? (uint32_t)spare : EXPLORER_SAMPLES;
    if (begins_at_home(options))
        home_view(&scene->view, &scene->fractal, width_px, height_px);
    explorer_init(&explorer, scene, width_px, height_px);
    explorer_configure(&explorer, (unsigned)options->shortcuts,
                       choose_auto_limit(options, explorer.scene.limit, &parts->messages),
                       choose_auto_frequency(options, scene), options->inertia,
                       choose_zoom_speed(options, parts->script));
    post_wrong_settings(options, &parts->messages);
    struct picture picture;
    picture_init(&picture, parts->presenter, parts->active, &explorer);
    picture.tagged = parts->check != NULL;
    struct loop loop = {
        .window = parts->window,
        .hud = parts->hud,
        .active = parts->active,
        .explorer = &explorer,
        .picture = &picture,
        .messages = &parts->messages,
        .script = parts->script,
        .folder = parts->folder,
        .format = options->format >= 0 ? (enum image_format)options->format : IMAGE_PPM,
        .quality = options->quality,
        .recent = parts->recent,
        .watch = parts->watch,
        .greeting = greeting,
        .enlarge = {.folder = parts->folder,
                    .options = command_backend_options(options),
                    .messages = &parts->messages,
                    .resolution = 1,
                    .samples = 2,
                    .format = options->format >= 0 ? options->format : IMAGE_PNG,
                    .quality = options->quality},
        .path_control.job = {.folder = parts->folder,
                             .options = options,
                             .messages = &parts->messages},
        .verification = {.options = command_backend_options(options)},
        .collection = {.explorer = &explorer,
                       .messages = &parts->messages,
                       .recent = parts->recent,
                       .thumbnails = parts->thumbnails},
    };
    title_init(&loop.title);
    loop.collection.title = &loop.title;
    loop.collection.opening = &loop.opening;
    if (options->argument_count > 0)
        title_name(&loop.title, options->arguments[0], &explorer.scene.view);
    struct exit_state state = {parts, &explorer.scene, &loop.writer, &loop.preferences};
    preferences_begin(&loop.preferences, options->remembered, &explorer, options->panel == 1);
    if (config_keeps_preferences(options))
        favourites_begin(&loop.favourites);
    loop.numbers = (enum hud_numbers)options->numbers;
    loop.map.on = options->map == 1;
    if (options->panel == 1)
        panel_model_toggle(&loop.panel, parts->active);
    flight_begin(&loop, options);
    x11_watch_loss(save_state, &state);
    const bool ok = loop_init(&loop) && begin(parts, &loop) &&
                    (!shows_path(options) || path_control_open(&loop, options->arguments[0])) &&
                    loop_run(&loop);
    if (ok && options->json)
        print_statistics(&loop);
    x11_watch_loss(NULL, NULL);
    save_state(&state);
    loop_finish(&loop);
    picture_finish(&picture);
    explorer_finish(&explorer);
    return ok ? 0 : 1;
}

struct explore_parts *explore_open(const struct options *options) {
    struct explore_parts *parts = calloc(1, sizeof *parts);
    if (!parts)
        return NULL;
    parts->scripted = true;
    if (create_parts(parts, options)) {
        if (options->hz > 0)
            window_set_rate(parts->window, options->hz);
        return parts;
    }
    explore_close(parts);
    return NULL;
}

void explore_close(struct explore_parts *parts) {
    if (parts)
        destroy_parts(parts);
    free(parts);
}

struct window *explore_window(struct explore_parts *parts) {
    return parts->window;
}

int explore_scripted(struct explore_parts *parts, const struct options *options,
                     struct scene *scene, struct script *script, const struct loop_watch *watch) {
    script_destroy(parts->script);
    parts->script = script;
    parts->watch = watch;
    return explore(parts, options, scene);
}

/* Enables the check of frames if FATHOM_DEBUG=generations: pictures are tagged, and each frame's
 * tags are checked. */
static void check_frames(struct explore_parts *parts, struct frame_check *check) {
    const char *debug = getenv("FATHOM_DEBUG");
    if (!debug || strcmp(debug, "generations") != 0)
        return;
    frame_check_init(check);
    parts->check = check;
    parts->watch = &check->watch;
}

/* Reads the scene that the window shows first: of a path, its first stop, whose colours adapt. */
static bool first_scene(const struct options *options, struct scene *scene) {
    struct path path = {0};
    if (!shows_path(options))
        return command_scene(options, scene);
    const bool ok = palette_ready() && path_load(&path, options->arguments[0]);
    if (ok)
        scene_assign(scene, &path.stops[0].scene);
    scene->tuned = false;
    path_finish(&path);
    return ok && command_scene_override(options, scene);
}

int command_explore(const struct options *options) {
    struct scene scene;
    scene_init(&scene);
    struct explore_parts parts = {0};
    struct frame_check check = {0};
    int status = 1;
    interrupt_catch(); /* before SDL installs its own handlers */
    check_frames(&parts, &check);
    trap_image_defer(true); /* reads images only after the window is open */
    const bool known = first_scene(options, &scene);
    trap_image_defer(false);
    if (known && create_parts(&parts, options))
        status = explore(&parts, options, &scene);
    else
        scene_finish(&scene);
    destroy_parts(&parts);
    if (parts.check && !frame_check_passed(&check))
        status = 1;
    frame_check_finish(&check);
    return status;
}
