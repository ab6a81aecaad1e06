/* The explorer's settings: changes them by steps, by choices and from text, and updates what
 * depends on them. */
#include "app/explore/explorer_parts.h"
#include "app/explore/undo/steps.h"
#include "render/locate/home.h"
#include "render/style/style.h"
#include <stdio.h>

enum setting_id explorer_setting_of(const struct explorer *explorer, enum setting_id id) {
    return id == SETTING_PALETTE && explorer->scene.orbit_density ? SETTING_RAMP : id;
}

const char *explorer_setting_useless(const struct explorer *explorer, enum setting_id id) {
    const struct scene *scene = &explorer->scene;
    if (setting_table[id].use == SETTING_OF_DENSITY && !scene->orbit_density)
        return EXPLORER_ONLY_DENSITY;
    if (id == SETTING_LEAST && scene->orbits.orbits == DENSITY_BOUNDED)
        return "bounded orbits have no minimum length";
    if (id == SETTING_RAMP && scene->orbits.channels > 1)
        return "a Nebulabrot takes its colours from its three limits";
    if (id == SETTING_METHOD && scene->orbit_density)
        return "a Buddhabrot has no drawing method";
    if ((id == SETTING_FORMULA || id == SETTING_JULIA) && scene->orbit_density)
        return "the Buddhabrot exists only for the Mandelbrot set";
    if (setting_table[id].use == SETTING_OF_ESCAPE && scene->orbit_density)
        return EXPLORER_NOT_DENSITY;
    return NULL;
}

/* Numbers are changed by many small steps. Those that follow each other are one undo step. */
int explorer_undo_key(enum setting_id id) {
    const enum setting_kind kind = setting_table[id].kind;
    const bool number = kind == SETTING_KIND_NUMBER || kind == SETTING_KIND_TURNS ||
                        kind == SETTING_KIND_WHOLE || kind == SETTING_KIND_ANGLE;
    if (id == SETTING_LIGHT_HEIGHT)
        id = SETTING_LIGHT_ANGLE; /* the pointer moves both */
    return number ? 1 + (int)id : 0;
}

/* Handles a frequency or a mapping that the user has set: stops adapting, except for ranks, whose
 * colours have the palette's own frequency. */
static void stop_adapting(struct explorer *explorer) {
    struct scene *scene = &explorer->scene;
    const bool ranks = scene->mapping == MAPPING_HISTOGRAM;
    if (ranks && explorer->auto_frequency.on) {
        const struct auto_frequency_colours now = {scene->frequency, scene->offset};
        const struct auto_frequency_colours own =
            auto_frequency_own(&explorer->auto_frequency, &now);
        scene->frequency = own.frequency;
        scene->offset = own.offset;
    }
    auto_frequency_switch(&explorer->auto_frequency, ranks);
}

/* Updates what depends on a setting that has changed. `home`: the view was home, and becomes the
 * new formula's home. So does a view that would show nothing. */
static void update_after(struct explorer *explorer, enum setting_id id, bool home) {
    const struct setting *setting = &setting_table[id];
    const bool tone = setting->use == SETTING_OF_DENSITY && setting->invalidates == SETTING_COLOURS;
    explorer->tone_changed = explorer->tone_changed || tone;
    explorer->changed = explorer->changed || (!tone && setting->invalidates != SETTING_NOTHING);
    if (id == SETTING_LAYER)
        style_suit_layer(&explorer->scene);
    if (id == SETTING_FREQUENCY || id == SETTING_MAPPING)
        stop_adapting(explorer);
    struct scene *scene = &explorer->scene;
    const int width = explorer->width_px, height = explorer->height_px;
    if (id != SETTING_FORMULA && id != SETTING_POWER)
        return;
    auto_frequency_restart(&explorer->auto_frequency);
    if (!home && home_has_rival(&scene->view, &scene->fractal, width, height))
        return;
    home_view(&scene->view, &scene->fractal, width, height);
    motion_target_changed(explorer);
}

static void change_limit(struct explorer *explorer, double steps) {
    struct scene *scene = &explorer->scene;
    if (scene->orbit_density)
        scene->limit = orbits_limit(scene);
    setting_step(SETTING_LIMIT, scene, steps);
    if (scene->orbit_density || scene->orbits.channels > 1)
        orbits_set_limit(scene, scene->limit);
    if (!scene->orbit_density)
        auto_limit_switch(&explorer->auto_limit, false);
    explorer->changed = true;
}

void explorer_step_setting(struct explorer *explorer, enum setting_id id, double steps) {
    if (id == SETTING_LIMIT) {
        change_limit(explorer, steps);
    } else if (id == SETTING_LEAST) {
        struct scene *scene = &explorer->scene;
        const uint32_t before = scene->orbits.least;
        scene->orbits.least = density_least(&scene->orbits);
        setting_step(SETTING_LEAST, scene, steps);
        orbits_set_least(scene, scene->orbits.least);
        explorer->changed = explorer->changed || scene->orbits.least != before;
    } else if (id == SETTING_ORBIT_DENSITY) {
        explorer->scene.orbit_density = !explorer->scene.orbit_density;
        if (explorer->scene.orbit_density)
            orbits_fit(&explorer->scene);
        explorer->changed = true;
    } else {
        const bool home = explorer_is_home(explorer);
        setting_step(id, &explorer->scene, steps);
        update_after(explorer, id, home);
    }
}

void explorer_choose_setting(struct explorer *explorer, enum setting_id id, int index) {
    const bool home = explorer_is_home(explorer);
    if (setting_choose(id, &explorer->scene, index))
        update_after(explorer, id, home);
}

void explorer_set_palette(struct explorer *explorer, const struct palette *palette, bool step) {
    if (step && palette != explorer->scene.palette)
        motion_begin(explorer, MOTION_NONE);
    palette_replace(&explorer->scene.palette, palette);
    explorer->changed = true;
}

static bool set_view_or_fractal(struct explorer *explorer, enum setting_id id, const char *text,
                                struct setting_problem *problem) {
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    bool ok = field_set(&scene, id, text, problem);
    const char *misfit = ok ? scene_problem(&scene) : NULL;
    if (misfit) {
        snprintf(problem->why, sizeof problem->why, "is not possible (%s)", misfit);
        problem->joint = ":";
        ok = false;
    }
    const bool other = ok && !fractal_equal(&scene.fractal, &explorer->scene.fractal);
    const int width = explorer->width_px, height = explorer->height_px;
    if (other &&
        (explorer_is_home(explorer) || !home_has_rival(&scene.view, &scene.fractal, width, height)))
        home_view(&scene.view, &scene.fractal, width, height);
    if (other || (ok && !view_equal(&scene.view, &explorer->scene.view)))
        explorer_set_scene(explorer, &scene);
    else
        scene_finish(&scene);
    return ok;
}

bool explorer_set(struct explorer *explorer, enum setting_id id, const char *text,
                  struct setting_problem *problem) {
    if (setting_table[id].invalidates == SETTING_REFERENCE)
        return set_view_or_fractal(explorer, id, text, problem);
    struct history_state before;
    steps_remember(explorer, &before);
    const bool ok = field_set(&explorer->scene, id, text, problem);
    if (ok) {
        update_after(explorer, id, false);
        if (id == SETTING_LIMIT && !explorer->scene.orbit_density)
            auto_limit_switch(&explorer->auto_limit, false);
    }
    steps_end(explorer, &before, explorer_undo_key(id));
    return ok;
}
