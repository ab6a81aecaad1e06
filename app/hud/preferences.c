/* Preferences: stores choices in the window and writes them for the next start. The file is written
 * only after a change, so its time is the time of the last change. */
#include "app/hud/preferences.h"
#include "app/explore/undo/steps.h"
#include "app/options/config.h"
#include "app/paths.h"
#include "render/base/ini.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"off", "on"};

static void set_text(struct preferences *preferences, enum preference which, const char *text) {
    snprintf(preferences->texts[which], sizeof preferences->texts[which], "%s", text);
}

static void look_at(struct preferences *preferences, enum preference which,
                    const struct explorer *explorer) {
    char number[INI_NUMBER_SIZE];
    if (which == PREFERENCE_PALETTE)
        set_text(preferences, which, explorer->scene.palette->id);
    else if (which == PREFERENCE_AUTO_LIMIT)
        set_text(preferences, which, words[explorer->auto_limit.on]);
    else if (which == PREFERENCE_AUTO_FREQUENCY)
        set_text(preferences, which, words[explorer->auto_frequency.on]);
    else if (which == PREFERENCE_INERTIA)
        set_text(preferences, which, words[explorer->inertia]);
    else if (which == PREFERENCE_PANEL)
        set_text(preferences, which, words[preferences->panel]);
    if (which != PREFERENCE_SAMPLES && which != PREFERENCE_ZOOM_SPEED)
        return;
    ini_number_text(
        which == PREFERENCE_SAMPLES ? explorer->scene.pixel_samples : explorer->zoom_speed, number);
    set_text(preferences, which, number);
}

static void note_palette(struct preferences *preferences, const struct explorer *explorer) {
    snprintf(preferences->shown, sizeof preferences->shown, "%s", explorer->scene.palette->id);
}

void preferences_begin(struct preferences *preferences, const char *const *remembered,
                       const struct explorer *explorer, bool panel) {
    *preferences = (struct preferences){.on = true, .panel = panel};
    for (int i = 0; i < PREFERENCE_COUNT; i++) {
        look_at(preferences, (enum preference)i, explorer);
        if (remembered[i])
            preferences->kept |= 1u << i;
        if (remembered[i] && i != PREFERENCE_PANEL)
            set_text(preferences, (enum preference)i, remembered[i]);
    }
    preferences->kept_first = preferences->kept;
    strcpy(preferences->palette_first, preferences->texts[PREFERENCE_PALETTE]);
    note_palette(preferences, explorer);
}

/* Returns true if the palette will exist at the next start; a palette of this view alone will
 * not. */
static bool palette_is_lasting(const struct explorer *explorer) {
    const struct palette *palette = palette_get(explorer->scene.palette->id);
    palette_unref(palette);
    return palette;
}

/* Notes one preference with its present value; others may come from an opened view. */
static void store_preference(struct preferences *preferences, enum preference which,
                             const struct explorer *explorer) {
    if (which == PREFERENCE_PALETTE && !palette_is_lasting(explorer))
        return;
    look_at(preferences, which, explorer);
    preferences->kept |= 1u << which;
    preferences->changed = true;
}

static void keep_text(struct preferences *preferences, enum preference which, const char *text) {
    set_text(preferences, which, text);
    preferences->kept |= 1u << which;
    preferences->changed = true;
}

void preferences_follow_numbers(struct preferences *preferences, int numbers) {
    keep_text(preferences, PREFERENCE_NUMBERS, preference_numbers[numbers]);
}

void preferences_follow_map(struct preferences *preferences, bool on) {
    keep_text(preferences, PREFERENCE_MAP, words[on]);
}

/* Follows an undo or redo of a palette: notes the palette that was chosen last and is not
 * undone, or else the one from the program's start. */
static void follow_undo(struct preferences *preferences, const struct explorer *explorer) {
    const unsigned bit = 1u << PREFERENCE_PALETTE;
    if (strcmp(preferences->shown, explorer->scene.palette->id) == 0)
        return;
    const struct palette *chosen = steps_chosen_palette(explorer);
    preferences->kept = chosen ? preferences->kept | bit
                               : (preferences->kept & ~bit) | (preferences->kept_first & bit);
    set_text(preferences, PREFERENCE_PALETTE, chosen ? chosen->id : preferences->palette_first);
    preferences->changed = true;
}

void preferences_follow(struct preferences *preferences, const struct action *action,
                        const struct explorer *explorer, bool panel) {
    /* the palette, not a gradient of orbit density */
    const bool colours = !explorer->scene.orbit_density;
    const enum action_kind kind = action->kind;
    const bool setting = kind == ACTION_STEP || kind == ACTION_CHOOSE;
    if (((setting && action->setting == SETTING_PALETTE) || kind == ACTION_RANDOM_PALETTE) &&
        colours)
        store_preference(preferences, PREFERENCE_PALETTE, explorer);
    else if (kind == ACTION_UNDO)
        follow_undo(preferences, explorer);
    else if (kind == ACTION_ZOOM_SPEED)
        store_preference(preferences, PREFERENCE_ZOOM_SPEED, explorer);
    note_palette(preferences, explorer);
    if (panel == preferences->panel)
        return;
    preferences->panel = panel;
    store_preference(preferences, PREFERENCE_PANEL, explorer);
}

void preferences_follow_edit(struct preferences *preferences, int item,
                             const struct explorer *explorer) {
    if (item == SETTING_PALETTE)
        store_preference(preferences, PREFERENCE_PALETTE, explorer);
    else if (item == PANEL_ANTIALIAS)
        store_preference(preferences, PREFERENCE_SAMPLES, explorer);
    else if (item == PANEL_AUTO_LIMIT)
        store_preference(preferences, PREFERENCE_AUTO_LIMIT, explorer);
    else if (item == PANEL_AUTO_FREQUENCY)
        store_preference(preferences, PREFERENCE_AUTO_FREQUENCY, explorer);
    else if (item == PANEL_INERTIA)
        store_preference(preferences, PREFERENCE_INERTIA, explorer);
}

void preferences_reset(struct preferences *preferences, struct explorer *explorer) {
    explorer_reset_preferences(explorer);
    preferences->kept = 0;
    preferences->changed = true;
}

static void write_all(const struct preferences *preferences, FILE *file) {
    fputs("# What was switched in fathom's window; a settings file that is edited later takes "
          "precedence.\n",
          file);
    for (int i = 0; i < PREFERENCE_COUNT; i++)
        if (preferences->kept >> i & 1)
            fprintf(file, "%s = %s\n", preference_names[i], preferences->texts[i]);
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
