/* Palette editor: changes a copy of the gradient, makes a palette of it and gives it to the
 * explorer. */
#include "app/hud/panel/gradient_apply.h"
#include "app/hud/panel.h"
#include "render/base/clock.h"
#include "render/base/ini.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REST_MS 700 /* [ms] pause after which an edit of the same kind is a new step of undo */
#define EDITED  " (edited)"

static bool edit_stops(struct gradient *gradient, const char *text) {
    char what[8];
    int stop;
    double value;
    if (sscanf(text, "%7s %d %lf", what, &stop, &value) != 3)
        return false;
    if (strcmp(what, "add") == 0)
        return gradient_add(gradient, value, 0) >= 0;
    if (stop < 0 || stop >= gradient->count)
        return false;
    if (strcmp(what, "move") == 0)
        return gradient_move(gradient, stop, value) >= 0;
    if (strcmp(what, "delete") == 0)
        return gradient_delete(gradient, stop) >= 0;
    gradient->stops[stop].rgba = COLOUR_ALPHA | ((uint32_t)value & 0xffffff);
    return true;
}

static bool edit_number(struct gradient *gradient, int item, const char *text) {
    double value;
    if (!ini_number(text, &value))
        return false;
    if (item == PANEL_HUE)
        gradient->hue = fmin(fmax(value, -180), 180);
    else if (item == PANEL_SATURATION)
        gradient->saturation = fmin(fmax(value, 0), 2);
    else
        gradient->brightness = fmin(fmax(value, 0), 2);
    return true;
}

static bool edit(struct gradient *gradient, int item, int index, const char *text) {
    switch (item) {
    case PANEL_STOPS:
    case PANEL_STOP_COLOUR:
        return text && edit_stops(gradient, text);
    case PANEL_INTERPOLATION:
        gradient->interpolation = (enum interpolation)index;
        return true;
    case PANEL_MIRROR:
        gradient->mirrored = index > 0;
        return true;
    default:
        return text && edit_number(gradient, item, text);
    }
}

static bool begins(struct gradient_edits *edits, int item, const char *text) {
    char what[sizeof edits->what] = "";
    if (text)
        snprintf(what, sizeof what, "%.*s", (int)strcspn(text, " 0123456789.-"), text);
    const double now = clock_ms();
    const bool same = edits->item == item && strcmp(edits->what, what) == 0 && text &&
                      strcmp(what, "add") != 0 && strcmp(what, "delete") != 0;
    const bool goes_on = same && edits->time_ms > 0 && now - edits->time_ms < REST_MS;
    *edits = (struct gradient_edits){.item = item, .time_ms = now};
    memcpy(edits->what, what, sizeof what);
    return !goes_on;
}

static void name_edited(char name[PALETTE_NAME_MAX + 1], const char *own) {
    const size_t length = strlen(own), ending = strlen(EDITED);
    const bool edited = length > ending && strcmp(own + length - ending, EDITED) == 0;
    size_t kept = length > PALETTE_NAME_MAX - ending ? PALETTE_NAME_MAX - ending : length;
    while (kept > 0 && kept < length && ((unsigned char)own[kept] & 0xc0) == 0x80)
        kept--; /* cuts between two characters */
    if (edited)
        snprintf(name, PALETTE_NAME_MAX + 1, "%s", own);
    else
        snprintf(name, PALETTE_NAME_MAX + 1, "%.*s%s", (int)kept, own, EDITED);
}

void gradient_apply(struct gradient_edits *edits, struct explorer *explorer, int item, int index,
                    const char *text) {
    const struct palette *before = explorer->scene.palette;
    struct named_gradient *named = malloc(sizeof *named);
    if (!named)
        return;
    named->gradient = before->gradient;
    name_edited(named->name, before->name);
    if (edit(&named->gradient, item, index, text) &&
        !gradient_equal(&named->gradient, &before->gradient)) {
        const struct palette *palette = palette_make(before->id, named);
        if (palette)
            explorer_set_palette(explorer, palette, begins(edits, item, text));
    }
    free(named);
}

void gradient_save(struct explorer *explorer, struct messages *messages) {
    const struct palette *saved = palette_save(explorer->scene.palette);
    if (!saved) {
        messages_post(messages, "the palette was not saved");
        return;
    }
    explorer_set_palette(explorer, saved, false);
    messages_post(messages, "palette saved as %s", saved->id);
}
