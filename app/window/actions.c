/* Table of the window's actions: how each is carried out, here or by the explorer, and the message
 * after it. */
#include "app/explore/go_to.h"
#include "app/explore/orbits.h"
#include "app/window/loop_parts.h"
#include "render/base/clock.h"
#include <math.h>
#include <stdio.h>

#define ESCAPE_MS    2000.0 /* Esc twice within this time quits */
#define BACKENDS_MAX 8      /* backends that are tried to find one for density pictures */

static void open_view(void *user, const char *path) {
    struct loop *loop = user;
    if (path && path_has_ending(path)) {
        if (!path_control_open(loop, path) && loop->script && !trap_image_has_pending())
            loop->failed = loop->quit = true;
        return;
    }
    if (style_control_open(loop->explorer, path, loop->messages) ||
        go_to_palette_file(loop->explorer, path, loop->messages) ||
        go_to_image_file(loop->explorer, path, loop->messages))
        return;
    if (go_to_file(loop->explorer, path, loop->messages)) {
        recent_add(loop->recent, &loop->explorer->scene);
        title_name(&loop->title, path, &loop->explorer->scene.view);
    } else if (loop->script && !trap_image_has_pending()) {
        loop->failed = loop->quit = true;
    }
}

static void open_text(void *user, const char *text) {
    struct loop *loop = user;
    if (go_to_text(loop->explorer, "clipboard", text, loop->messages))
        recent_add(loop->recent, &loop->explorer->scene);
}

static void open_file(struct loop *loop, const struct action *action) {
    screenshots_before_change(loop);
    opening_attempt(&loop->opening, open_view, loop, action->path);
}

static void paste(struct loop *loop) {
    screenshots_before_change(loop);
    char *text = go_to_clipboard(loop->messages);
    if (text)
        opening_attempt(&loop->opening, open_text, loop, text);
    SDL_free(text);
}

/* Switches to the next backend, for density pictures to one that counts orbits. Without another
 * backend the picture in flight continues. */
static void next_backend(struct loop *loop) {
    for (int tries = 0; tries < BACKENDS_MAX && active_backend_next(loop->active); tries++) {
        explorer_redraw(loop->explorer, true);
        if (!loop->explorer->scene.orbit_density ||
            backend_has_density(active_backend_get(loop->active)))
            break;
    }
}

static void open_julia(struct loop *loop, const struct action *action) {
    const char *useless = explorer_refusal(loop->explorer, action);
    if (useless) {
        messages_post(loop->messages, "%s", useless);
    } else if (action->amount > 0) {
        loop->julia.on = !loop->julia.on;
        messages_post(loop->messages, loop->julia.on
                                          ? "Julia set of the point under the pointer; J opens it"
                                          : "inset off");
    } else {
        screenshots_before_change(loop);
        if (!go_to_julia(loop->explorer))
            messages_post(loop->messages, "nothing to see: this Julia set is dust");
    }
}

static void keep_palette(struct loop *loop, const struct action *action) {
    const int index = (int)action->amount;
    const struct palette *palette = loop->explorer->scene.palette;
    const int digit = (index + 1) % FAVOURITES_COUNT;
    if (loop->explorer->scene.orbit_density)
        messages_post(loop->messages, "not in Buddhabrot view (D switches back)");
    else if (favourites_assign(&loop->favourites, index, palette))
        messages_post(loop->messages, "key %d: %s", digit, palette->name);
    else
        messages_post(loop->messages, "key %d could not be saved", digit);
}

/* Moves the light: vertical above the middle, and on the horizon at half the shorter side from
 * it. */
static void move_light(struct loop *loop, const struct action *action) {
    struct explorer *explorer = loop->explorer;
    const double x = action->x - 0.5 * explorer->width_px;
    const double y = 0.5 * explorer->height_px - action->y;
    const int least =
        explorer->width_px < explorer->height_px ? explorer->width_px : explorer->height_px;
    const double angle = atan2(y, x) * 180 / M_PI, part = 2 * hypot(x, y) / least;
    const struct scene *scene = &explorer->scene;
    struct setting_problem problem;
    char turned[32], high[32];
    if (scene->orbit_density ||
        (scene->layers[0].kind != LAYER_LIGHT && scene->layers[1].kind != LAYER_LIGHT)) {
        messages_post(loop->messages, "no light yet; Shift+L adds one");
        return;
    }
    screenshots_before_change(loop);
    snprintf(turned, sizeof turned, "%.0f", angle < -0.5 ? angle + 360 : fabs(angle));
    snprintf(high, sizeof high, "%.0f", 90 * (1 - fmin(part, 1)));
    if (explorer_set(explorer, SETTING_LIGHT_ANGLE, turned, &problem) &&
        explorer_set(explorer, SETTING_LIGHT_HEIGHT, high, &problem))
        messages_post(loop->messages, "light from %s degrees, height %s", turned, high);
}

/* Closes the innermost dialog. Drags and the panel's fields have handled the key before. */
static void escape(struct loop *loop) {
    const double now = clock_ms();
    if (pending_image_give_up(loop) || path_control_stop(loop))
        return;
    if (loop->help > 0) {
        loop->help = 0;
    } else if (loop->panel.open) {
        panel_model_toggle(&loop->panel, loop->active);
    } else if (window_fullscreen(loop->window) && !loop->flight.kiosk) {
        window_toggle_fullscreen(loop->window);
    } else if (loop->escaped_ms > 0 && now - loop->escaped_ms <= ESCAPE_MS) {
        loop->quit = true;
    } else {
        loop->escaped_ms = now;
        messages_post(loop->messages, "Esc again to quit");
    }
}

/* --- commands of the window --- */

static void order_screenshot(struct loop *loop, const struct action *action) {
    screenshots_order_file(loop, action->amount > 0 ? IMAGE_PNG : loop->format);
}

static void copy(struct loop *loop, const struct action *action) {
    if (action->amount > 0)
        screenshots_order_copy(loop);
    else
        go_to_copy(&loop->explorer->scene, loop->messages);
}

/* Releases all held keys, whose release the gallery would receive. */
static void release_keys(struct loop *loop) {
    const struct action let_go = input_release_all(&loop->input);
    explorer_apply(loop->explorer, &let_go);
}

static void toggle_gallery(struct loop *loop) {
    release_keys(loop);
    collection_toggle_gallery(&loop->collection);
}

static void save_view(struct loop *loop) {
    release_keys(loop);
    collection_ask_name(&loop->collection);
}

static void keep_view(struct loop *loop) {
    collection_add_bookmark(&loop->collection);
}

static void go_to_bookmark(struct loop *loop, const struct action *action) {
    screenshots_before_change(loop);
    collection_go_to_bookmark(&loop->collection, (int)action->amount);
}

static void next_numbers(struct loop *loop) {
    loop->numbers = (loop->numbers + 1) % HUD_NUMBERS_COUNT;
    preferences_follow_numbers(&loop->preferences, (int)loop->numbers);
}

static void next_help_page(struct loop *loop) {
    if (loop->collection.gallery.open) { /* it covers the help */
        toggle_gallery(loop);
        loop->help = 0;
    }
    loop->help = loop->help < hud_help_pages(loop->hud) ? loop->help + 1 : 0;
}

static void toggle_panel(struct loop *loop) {
    panel_model_toggle(&loop->panel, loop->active);
}

static void toggle_fullscreen(struct loop *loop) {
    window_toggle_fullscreen(loop->window);
}

static void start_search(struct loop *loop, const struct action *action) {
    location_search_start(loop, (enum locate_kind)action->amount);
}

/* --- changes of the view --- */

static void report_colours(struct loop *loop, const struct action *action) {
    const struct scene *scene = &loop->explorer->scene;
    (void)action;
    messages_post(loop->messages, "%s",
                  scene->orbit_density ? tone_ramp_names[scene->tone.ramp] : scene->palette->name);
}

static void report_samples(struct loop *loop, const struct action *action) {
    const uint32_t samples = loop->explorer->scene.pixel_samples;
    (void)action;
    if (samples > 1)
        messages_post(loop->messages, "anti-aliasing: %u samples per pixel", samples);
    else
        messages_post(loop->messages, "anti-aliasing off");
}

/* Posts the new value of a setting that neither the picture nor the brief numbers show at once. */
static void report_step(struct loop *loop, const struct action *action) {
    const enum setting_id id = action->setting;
    const struct scene *scene = &loop->explorer->scene;
    const struct setting *setting = &setting_table[id];
    if (setting->subject && setting->names)
        messages_post(loop->messages, "%s: %s", setting->subject,
                      setting->names[setting_index(id, scene)]);
    else if (setting->subject)
        messages_post(loop->messages, "%s: %.0f", setting->subject,
                      id == SETTING_LIMIT && scene->orbit_density ? orbits_limit(scene)
                                                                  : setting_number(id, scene));
}

static void report_variant(struct loop *loop, const struct action *action) {
    (void)action;
    messages_post(loop->messages, "showing the %s", orbits_name(&loop->explorer->scene.orbits));
}

static void report_reset_tone(struct loop *loop, const struct action *action) {
    (void)action;
    messages_post(loop->messages, "tone settings reset");
}

static void report_zoom_speed(struct loop *loop, const struct action *action) {
    (void)action;
    messages_post(loop->messages, "zoom speed %.2g", loop->explorer->zoom_speed);
}

static void apply_to_view(struct loop *loop, const struct action *action);

/* Chooses the user's palette of a digit if there is one, else a built-in palette. */
static void choose(struct loop *loop, const struct action *action) {
    const int index = (int)action->amount;
    const bool digit = action->setting == SETTING_PALETTE && index >= 0 &&
                       index < FAVOURITES_COUNT && !loop->explorer->scene.orbit_density;
    const struct palette *palette = digit ? loop->favourites.palettes[index] : NULL;
    if (!palette) {
        apply_to_view(loop, action);
        return;
    }
    screenshots_before_change(loop);
    explorer_set_palette(loop->explorer, palette_ref(palette), true);
    messages_post(loop->messages, "%s", palette->name);
}

static void next_style(struct loop *loop, const struct action *action) {
    style_control_next(&loop->style_control, loop->explorer, action->amount, loop->messages);
}

static void plain_style(struct loop *loop, const struct action *action) {
    (void)action;
    style_control_apply(&loop->style_control, loop->explorer, 0, loop->messages);
}

static void random_style(struct loop *loop, const struct action *action) {
    (void)action;
    style_control_random(&loop->style_control, loop->explorer, loop->messages);
}

void actions_report(struct loop *loop) {
    char text[MESSAGE_TEXT_MAX];
    const bool at_bound = motion_at_bound(loop->explorer);
    if (loop_at_rest(loop) && explorer_limit_message(loop->explorer, text, sizeof text))
        messages_post(loop->messages, "%s", text);
    if (at_bound && !loop->at_bound)
        messages_post(loop->messages, "fully zoomed out (R: home)");
    loop->at_bound = at_bound;
}

/* --- the table --- */

static const struct row {
    /* Carry out the action, without arguments or with them. Both NULL: apply_to_view does. */
    void (*command)(struct loop *loop);
    void (*apply)(struct loop *loop, const struct action *action);
    /* Posts a message after the explorer has applied the action. NULL: there is none. */
    void (*report)(struct loop *loop, const struct action *action);
    /* Replaces an action on a Buddhabrot's tone or kind in escape-time view. */
    void (*style)(struct loop *loop, const struct action *action);
} rows[ACTION_COUNT] = {
    [ACTION_QUIT] = {.command = quit_ask},
    [ACTION_ESCAPE] = {.command = escape},
    [ACTION_LIGHT] = {.apply = move_light},
    [ACTION_BACKEND] = {.command = next_backend},
    [ACTION_SCREENSHOT] = {.apply = order_screenshot},
    [ACTION_GALLERY] = {.command = toggle_gallery},
    [ACTION_SAVE_VIEW] = {.command = save_view},
    [ACTION_KEEP_VIEW] = {.command = keep_view},
    [ACTION_BOOKMARK] = {.apply = go_to_bookmark},
    [ACTION_HUD] = {.command = next_numbers},
    [ACTION_HELP] = {.command = next_help_page},
    [ACTION_AUTOPILOT] = {.command = flight_toggle},
    [ACTION_LOCATE] = {.apply = start_search},
    [ACTION_MAP] = {.command = insets_toggle_map},
    [ACTION_PANEL] = {.command = toggle_panel},
    [ACTION_COPY] = {.apply = copy},
    [ACTION_PASTE] = {.command = paste},
    [ACTION_JULIA] = {.apply = open_julia},
    [ACTION_KEEP_PALETTE] = {.apply = keep_palette},
    [ACTION_FULLSCREEN] = {.command = toggle_fullscreen},
    [ACTION_RECORD] = {.command = path_control_record},
    [ACTION_PLAY] = {.command = path_control_play},
    [ACTION_MOVIE] = {.command = path_control_movie},
    [ACTION_OPEN] = {.apply = open_file},
    [ACTION_CHOOSE] = {.apply = choose, .report = report_colours},
    [ACTION_STEP] = {.report = report_step, .style = next_style},
    [ACTION_RESET_TONE] = {.report = report_reset_tone, .style = plain_style},
    [ACTION_VARIANT] = {.report = report_variant, .style = random_style},
    [ACTION_RANDOM_PALETTE] = {.report = report_colours},
    [ACTION_ANTIALIAS] = {.report = report_samples},
    [ACTION_ZOOM_SPEED] = {.report = report_zoom_speed},
};

/* Has the explorer apply the action, and posts what changed or why it is impossible. */
static void apply_to_view(struct loop *loop, const struct action *action) {
    const struct row *row = &rows[action->kind];
    const char *refusal = explorer_refusal(loop->explorer, action);
    const bool tone = action->kind != ACTION_STEP || action->setting == SETTING_CURVE;
    const bool automatic = loop->explorer->auto_limit.on;
    const bool adapting = loop->explorer->auto_frequency.on;
    if (row->style && tone && !loop->explorer->scene.orbit_density) {
        screenshots_before_change(loop);
        row->style(loop, action);
        return;
    }
    if (refusal)
        messages_post(loop->messages, "%s", refusal);
    else if (action->kind != ACTION_NONE && action->kind != ACTION_POINT)
        screenshots_before_change(loop);
    explorer_apply(loop->explorer, action);
    if (row->report && !refusal)
        row->report(loop, action);
    if (loop->explorer->auto_limit.on != automatic)
        messages_post(loop->messages, "automatic limit %s", automatic ? "off" : "on");
    if (loop->explorer->auto_frequency.on != adapting)
        messages_post(loop->messages,
                      adapting ? "automatic colour frequency off, held at %.3g"
                               : "automatic colour frequency on",
                      loop->explorer->scene.frequency);
}

void actions_apply(struct loop *loop, const struct action *action) {
    const struct row *row = &rows[action->kind];
    const bool event = action->kind != ACTION_NONE && action->kind != ACTION_POINT;
    const bool pointed = action->kind == ACTION_POINT && loop->numbers != HUD_NONE;
    loop->redraw = loop->redraw || pointed || event;
    if (row->command)
        row->command(loop);
    else if (row->apply)
        row->apply(loop, action);
    else
        apply_to_view(loop, action);
    preferences_follow(&loop->preferences, action, loop->explorer, loop->panel.open);
}
