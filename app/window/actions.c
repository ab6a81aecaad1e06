/* Carries out each action: those of the window here, those of the view by the explorer. */
#include "app/explore/go_to.h"
#include "app/explore/orbits.h"
#include "app/window/loop_parts.h"
#include "render/base/clock.h"
#include <math.h>
#include <stdio.h>

#define ESCAPE_MS    2000.0 /* Esc quits when it comes twice within that */
#define BACKENDS_MAX 8      /* that are tried for one that counts */

static void open_view(void *user, const char *path) {
    struct loop *loop = user;
    if (wardrobe_open(loop->explorer, path, loop->messages) ||
        go_to_palette_file(loop->explorer, path, loop->messages) ||
        go_to_image_file(loop->explorer, path, loop->messages))
        return;
    if (go_to_file(loop->explorer, path, loop->messages)) {
        recent_add(loop->recent, &loop->explorer->scene);
        title_name(&loop->title, path, &loop->explorer->scene.view);
    } else if (loop->script && !trap_image_unanswered()) {
        loop->failed = loop->quit = true;
    }
}

static void open_text(void *user, const char *text) {
    struct loop *loop = user;
    if (go_to_text(loop->explorer, "clipboard", text, loop->messages))
        recent_add(loop->recent, &loop->explorer->scene);
}

static void paste(struct loop *loop) {
    char *text = go_to_clipboard(loop->messages);
    if (text)
        opening_attempt(&loop->opening, open_text, loop, text);
    SDL_free(text);
}

/* For density pictures the next one that counts orbits, if there is any. Without another one, the
 * picture in flight goes on. */
static void next_backend(struct loop *loop) {
    for (int tries = 0; tries < BACKENDS_MAX && active_backend_next(loop->active); tries++) {
        explorer_redraw(loop->explorer, true);
        if (!loop->explorer->scene.orbit_density ||
            backend_has_density(active_backend_get(loop->active)))
            break;
    }
}

static const char *colours_name(const struct scene *scene) {
    return scene->orbit_density ? tone_ramp_names[scene->tone.ramp] : scene->palette->name;
}

static void tell_samples(struct loop *loop) {
    const uint32_t samples = loop->explorer->scene.pixel_samples;
    if (samples > 1)
        messages_post(loop->messages, "anti-aliasing: %u samples per pixel", samples);
    else
        messages_post(loop->messages, "anti-aliasing off");
}

/* A message for choices that neither the picture nor the brief numbers show at once. */
static void tell_step(struct loop *loop, enum setting_id id) {
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

static void to_julia(struct loop *loop, const struct action *action) {
    const char *useless = explorer_refusal(loop->explorer, action);
    if (useless) {
        messages_post(loop->messages, "%s", useless);
    } else if (action->amount > 0) {
        loop->julia.on = !loop->julia.on;
        messages_post(loop->messages, loop->julia.on
                                          ? "Julia set of the point under the pointer; J opens it"
                                          : "inset off");
    } else {
        shots_before_change(loop);
        if (!go_to_julia(loop->explorer))
            messages_post(loop->messages, "nothing to see: this Julia set is dust");
    }
}

static void keep_palette(struct loop *loop, int index) {
    const struct palette *palette = loop->explorer->scene.palette;
    const int digit = (index + 1) % FAVOURITES_COUNT;
    if (loop->explorer->scene.orbit_density)
        messages_post(loop->messages, "not in Buddhabrot view (D switches back)");
    else if (favourites_keep(&loop->favourites, index, palette))
        messages_post(loop->messages, "key %d: %s", digit, palette->name);
    else
        messages_post(loop->messages, "key %d could not be saved", digit);
}

/* False: the digit has none of its own. */
static bool choose_favourite(struct loop *loop, const struct action *action) {
    const int index = (int)action->amount;
    const bool digit = action->kind == ACTION_CHOOSE && action->setting == SETTING_PALETTE &&
                       index >= 0 && index < FAVOURITES_COUNT &&
                       !loop->explorer->scene.orbit_density;
    const struct palette *palette = digit ? loop->favourites.palettes[index] : NULL;
    if (!palette)
        return false;
    shots_before_change(loop);
    explorer_set_palette(loop->explorer, palette_ref(palette), true);
    messages_post(loop->messages, "%s", palette->name);
    return true;
}

/* What keys do to tones and kinds of orbit density they do to the look of escape time. False: the
 * action is another one. */
static bool change_look(struct loop *loop, const struct action *action) {
    struct wardrobe *wardrobe = &loop->wardrobe;
    const bool step = action->kind == ACTION_STEP && action->setting == SETTING_CURVE;
    const bool look = step || action->kind == ACTION_RESET_TONE || action->kind == ACTION_VARIANT;
    if (loop->explorer->scene.orbit_density || !look)
        return false;
    shots_before_change(loop);
    if (step)
        wardrobe_next(wardrobe, loop->explorer, action->amount, loop->messages);
    else if (action->kind == ACTION_RESET_TONE)
        wardrobe_wear(wardrobe, loop->explorer, 0, loop->messages);
    else
        wardrobe_surprise(wardrobe, loop->explorer, loop->messages);
    return true;
}

static void apply_to_view(struct loop *loop, const struct action *action) {
    if (choose_favourite(loop, action) || change_look(loop, action))
        return;
    const char *useless = explorer_refusal(loop->explorer, action);
    if (useless)
        messages_post(loop->messages, "%s", useless);
    const bool automatic = loop->explorer->auto_limit.on;
    const bool adapting = loop->explorer->auto_frequency.on;
    if (action->kind != ACTION_NONE && action->kind != ACTION_POINT && !useless)
        shots_before_change(loop);
    explorer_apply(loop->explorer, action);
    if (action->kind == ACTION_ANTIALIAS && !useless)
        tell_samples(loop);
    if (action->kind == ACTION_STEP && !useless)
        tell_step(loop, action->setting);
    if (action->kind == ACTION_VARIANT && !useless)
        messages_post(loop->messages, "showing the %s", orbits_name(&loop->explorer->scene.orbits));
    if (loop->explorer->auto_limit.on != automatic)
        messages_post(loop->messages, "automatic limit %s", automatic ? "off" : "on");
    if (loop->explorer->auto_frequency.on != adapting)
        messages_post(loop->messages,
                      adapting ? "automatic colour frequency off, held at %.3g"
                               : "automatic colour frequency on",
                      loop->explorer->scene.frequency);
    if (action->kind == ACTION_RESET_TONE && !useless)
        messages_post(loop->messages, "tone settings reset");
    if (action->kind == ACTION_ZOOM_SPEED)
        messages_post(loop->messages, "zoom speed %.2g", loop->explorer->zoom_speed);
    if ((action->kind == ACTION_CHOOSE || action->kind == ACTION_RANDOM_PALETTE) && !useless)
        messages_post(loop->messages, "%s", colours_name(&loop->explorer->scene));
}

/* It stands straight above the middle, and lies on the horizon where the shorter side ends. */
static void move_light(struct loop *loop, double x_px, double y_px) {
    struct explorer *explorer = loop->explorer;
    const double x = x_px - 0.5 * explorer->width_px, y = 0.5 * explorer->height_px - y_px;
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
    shots_before_change(loop);
    snprintf(turned, sizeof turned, "%.0f", angle < -0.5 ? angle + 360 : fabs(angle));
    snprintf(high, sizeof high, "%.0f", 90 * (1 - fmin(part, 1)));
    if (explorer_set(explorer, SETTING_LIGHT_ANGLE, turned, &problem) &&
        explorer_set(explorer, SETTING_LIGHT_HEIGHT, high, &problem))
        messages_post(loop->messages, "light from %s degrees, height %s", turned, high);
}

/* The release of held keys would not be noticed. */
static void open_collection(struct loop *loop, enum action_kind kind) {
    const struct action let_go = input_let_go(&loop->input);
    explorer_apply(loop->explorer, &let_go);
    if (kind == ACTION_GALLERY)
        collection_toggle_gallery(&loop->collection);
    else
        collection_ask_name(&loop->collection);
}

static void to_bookmark(struct loop *loop, int steps) {
    shots_before_change(loop);
    collection_go_to_bookmark(&loop->collection, steps);
}

/* Closes what is innermost; drags and the panel's fields have taken the key before. */
static void escape(struct loop *loop) {
    const double now = clock_ms();
    if (awaited_give_up(loop))
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

void actions_apply(struct loop *loop, const struct action *action) {
    const bool pointed = action->kind == ACTION_POINT && loop->numbers != HUD_NONE;
    loop->redraw =
        loop->redraw || pointed || (action->kind != ACTION_NONE && action->kind != ACTION_POINT);
    if (action->kind == ACTION_OPEN || action->kind == ACTION_PASTE)
        shots_before_change(loop);
    switch (action->kind) {
    case ACTION_QUIT:
        leave_ask(loop);
        break;
    case ACTION_ESCAPE:
        escape(loop);
        break;
    case ACTION_LIGHT:
        move_light(loop, action->x, action->y);
        break;
    case ACTION_BACKEND:
        next_backend(loop);
        break;
    case ACTION_SCREENSHOT:
        shots_order_file(loop, action->amount > 0 ? IMAGE_PNG : loop->format);
        break;
    case ACTION_GALLERY:
    case ACTION_SAVE_VIEW:
        open_collection(loop, action->kind);
        break;
    case ACTION_KEEP_VIEW:
        collection_keep(&loop->collection);
        break;
    case ACTION_BOOKMARK:
        to_bookmark(loop, (int)action->amount);
        break;
    case ACTION_HUD:
        loop->numbers = (loop->numbers + 1) % HUD_NUMBERS_COUNT;
        preferences_follow_numbers(&loop->preferences, (int)loop->numbers);
        break;
    case ACTION_HELP:
        loop->help = loop->help < hud_help_pages(loop->hud) ? loop->help + 1 : 0;
        break;
    case ACTION_AUTOPILOT:
        flight_toggle(loop);
        break;
    case ACTION_LOCATE:
        search_start(loop, (enum locate_kind)action->amount);
        break;
    case ACTION_MAP:
        beside_toggle_map(loop);
        break;
    case ACTION_PANEL:
        panel_model_toggle(&loop->panel, loop->active);
        break;
    case ACTION_COPY:
        if (action->amount > 0)
            shots_order_copy(loop);
        else
            go_to_copy(&loop->explorer->scene, loop->messages);
        break;
    case ACTION_JULIA:
        to_julia(loop, action);
        break;
    case ACTION_PASTE:
        paste(loop);
        break;
    case ACTION_KEEP_PALETTE:
        keep_palette(loop, (int)action->amount);
        break;
    case ACTION_FULLSCREEN:
        window_toggle_fullscreen(loop->window);
        break;
    case ACTION_OPEN:
        opening_attempt(&loop->opening, open_view, loop, action->path);
        break;
    default:
        apply_to_view(loop, action);
        break;
    }
    preferences_follow(&loop->preferences, action, loop->explorer, loop->panel.open);
}
