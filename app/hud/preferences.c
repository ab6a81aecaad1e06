/* The file is written anew as a whole, and only after something was switched, so that its time tells when. */
#include "app/hud/preferences.h"
#include "app/options/config.h"
#include "app/paths.h"
#include "render/base/ini.h"
#include <stdlib.h>

void preferences_follow_numbers(struct preferences *preferences, int numbers) {
    preferences->numbers = numbers;
    preferences->kept |= 1u << PREFERENCE_NUMBERS;
    preferences->changed = true;
}

static void look(struct preferences *preferences, const struct explorer *explorer) {
    preferences->palette = explorer->scene.palette;
    preferences->samples = explorer->scene.pixel_samples;
    preferences->auto_limit = explorer->auto_limit.on;
    preferences->inertia = explorer->inertia;
    preferences->zoom_speed = explorer->zoom_speed;
}

void preferences_begin(struct preferences *preferences, const struct remembered *remembered,
                       const struct explorer *explorer, bool panel) {
    const unsigned which = remembered->which;
    *preferences = (struct preferences){.on = true, .kept = which, .panel = panel};
    look(preferences, explorer);
    if (which >> PREFERENCE_PALETTE & 1)
        preferences->palette = palette_find(remembered->palette);
    if (which >> PREFERENCE_SAMPLES & 1)
        preferences->samples = remembered->samples;
    if (which >> PREFERENCE_AUTO_LIMIT & 1)
        preferences->auto_limit = remembered->auto_limit;
    if (which >> PREFERENCE_INERTIA & 1)
        preferences->inertia = remembered->inertia;
    if (which >> PREFERENCE_NUMBERS & 1)
        preferences->numbers = remembered->numbers;
    if (which >> PREFERENCE_ZOOM_SPEED & 1)
        preferences->zoom_speed = remembered->zoom_speed;
}

/* Only this one is taken over: the rest may be an opened view's. */
static void keep(struct preferences *preferences, enum preference which,
                 const struct explorer *explorer) {
    const struct scene *scene = &explorer->scene;
    if (which == PREFERENCE_PALETTE)
        preferences->palette = scene->palette;
    else if (which == PREFERENCE_SAMPLES)
        preferences->samples = scene->pixel_samples;
    else if (which == PREFERENCE_AUTO_LIMIT)
        preferences->auto_limit = explorer->auto_limit.on;
    else if (which == PREFERENCE_INERTIA)
        preferences->inertia = explorer->inertia;
    else if (which == PREFERENCE_ZOOM_SPEED)
        preferences->zoom_speed = explorer->zoom_speed;
    preferences->kept |= 1u << which;
    preferences->changed = true;
}

void preferences_follow(struct preferences *preferences, enum action_kind kind,
                        const struct explorer *explorer, bool panel) {
    const bool colours = !explorer->scene.orbit_density; /* not a gradient of orbit density */
    if ((kind == ACTION_PALETTE || kind == ACTION_PALETTE_AT) && colours)
        keep(preferences, PREFERENCE_PALETTE, explorer);
    else if (kind == ACTION_ANTIALIAS && colours)
        keep(preferences, PREFERENCE_SAMPLES, explorer);
    else if (kind == ACTION_AUTO_LIMIT && colours)
        keep(preferences, PREFERENCE_AUTO_LIMIT, explorer);
    else if (kind == ACTION_ZOOM_SPEED)
        keep(preferences, PREFERENCE_ZOOM_SPEED, explorer);
    if (panel != preferences->panel)
        keep(preferences, PREFERENCE_PANEL, explorer);
    preferences->panel = panel;
}

void preferences_follow_edit(struct preferences *preferences, enum panel_item item,
                             const struct explorer *explorer) {
    if (item == PANEL_PALETTE)
        keep(preferences, PREFERENCE_PALETTE, explorer);
    else if (item == PANEL_ANTIALIAS)
        keep(preferences, PREFERENCE_SAMPLES, explorer);
    else if (item == PANEL_AUTO_LIMIT)
        keep(preferences, PREFERENCE_AUTO_LIMIT, explorer);
    else if (item == PANEL_INERTIA)
        keep(preferences, PREFERENCE_INERTIA, explorer);
}

void preferences_reset(struct preferences *preferences, struct explorer *explorer) {
    explorer_reset_preferences(explorer);
    preferences->kept = 0;
    preferences->changed = true;
    look(preferences, explorer);
}

static void write_all(const struct preferences *preferences, FILE *file) {
    const char *const words[] = {"off", "on"};
    char speed[INI_NUMBER_SIZE], samples[16];
    ini_number_text(preferences->zoom_speed, speed);
    snprintf(samples, sizeof samples, "%u", (unsigned)preferences->samples);
    const char *const values[PREFERENCE_COUNT] = {
        [PREFERENCE_PALETTE] = preferences->palette->id,
        [PREFERENCE_SAMPLES] = samples,
        [PREFERENCE_AUTO_LIMIT] = words[preferences->auto_limit],
        [PREFERENCE_INERTIA] = words[preferences->inertia],
        [PREFERENCE_PANEL] = words[preferences->panel],
        [PREFERENCE_ZOOM_SPEED] = speed,
        [PREFERENCE_NUMBERS] = preference_numbers[preferences->numbers],
    };
    fputs("# What was switched in fathom's window; a settings file that is edited later takes "
          "precedence.\n",
          file);
    for (int i = 0; i < PREFERENCE_COUNT; i++)
        if (preferences->kept >> i & 1)
            fprintf(file, "%s = %s\n", preference_names[i], values[i]);
}

bool preferences_save(const struct preferences *preferences) {
    char *path = preferences->on && preferences->changed ? config_preferences_path() : NULL;
    struct atomic_file *file = path ? paths_create(path) : NULL;
    const bool ok = !path || file;
    free(path);
    if (!file)
        return ok;
    write_all(preferences, atomic_file_stream(file));
    return atomic_file_commit(file, NULL);
}
