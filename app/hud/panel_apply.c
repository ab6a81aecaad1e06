/* Carries out what is edited in the panel, through the functions of the explorer and the other
 * modules. */
#include "app/explore/go_to.h"
#include "app/hud/panel_model.h"
#include "render/palette.h"
#include <stdlib.h>
#include <string.h>

static void refuse(struct panel_model *panel, enum field field, const char *text, const char *why) {
    char *copy = strdup(text), *shown = strdup(panel->shown[field] ? panel->shown[field] : "");
    if (!copy || !shown) {
        free(copy);
        free(shown);
        return;
    }
    panel->refused[field] = copy;
    panel->refused_for[field] = shown;
    panel->why[field] = why;
}

/* Without a text the person gave up, and the field shows the scene's number again. */
static void apply_text(struct panel_model *panel, struct explorer *explorer, enum panel_item item,
                       const char *text) {
    const char *why = NULL;
    const enum field field = panel->model.rows[item].field;
    free(panel->refused[field]);
    free(panel->refused_for[field]);
    panel->refused[field] = panel->refused_for[field] = NULL;
    panel->why[field] = NULL;
    if (text && !explorer_set_field(explorer, field, text, &why))
        refuse(panel, field, text, why);
}

/* Escape time, or one of density pictures' variants, which a key goes through one after another. */
static void choose_kind(struct scene *scene, const char *name, bool orbit_density) {
    scene->orbit_density = orbit_density;
    if (orbit_density)
        orbits_fit(scene);
    for (int i = 0; orbit_density && i < 3 && strcmp(orbits_name(&scene->orbits), name) != 0; i++)
        orbits_next_variant(scene);
}

/* One of the scene's settings. False: the row is none. */
static bool choose(struct scene *scene, const struct panel_row *row, enum panel_item item,
                   int index) {
    if (item == PANEL_PALETTE)
        scene->palette = palette_at((size_t)index);
    else if (item == PANEL_SMOOTH)
        scene->banded = index == 0;
    else if (item == PANEL_NUMBER)
        scene->precision = (enum precision)index;
    else if (item == PANEL_METHOD)
        scene->method = (enum method)index;
    else if (item == PANEL_KIND)
        choose_kind(scene, row->names[index], index > 0);
    else if (item == PANEL_RAMP)
        scene->tone.ramp = (enum tone_ramp)index;
    else if (item == PANEL_CURVE)
        scene->tone.curve = (enum tone_curve)index;
    else
        return false;
    return true;
}

static bool choose_setting(struct explorer *explorer, const struct panel_row *row,
                           enum panel_item item, int index) {
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    const bool is_one = choose(&scene, row, item, index);
    if (is_one)
        explorer_update(explorer, &scene, item == PANEL_RAMP || item == PANEL_CURVE);
    else
        scene_finish(&scene);
    return is_one;
}

static void choose_backend(const struct panel_model_context *context, const char *name) {
    if (active_backend_choose(context->active, name))
        explorer_redraw(context->explorer, true);
}

static void apply_index(const struct panel_row *row, const struct panel_model_context *context,
                        enum panel_item item, int index) {
    struct explorer *explorer = context->explorer;
    if (choose_setting(explorer, row, item, index))
        return;
    switch (item) {
    case PANEL_AUTO_LIMIT:
        explorer_apply(explorer, &(struct action){.kind = ACTION_AUTO_LIMIT});
        return;
    case PANEL_ANTIALIAS:
        explorer_apply(explorer, &(struct action){.kind = ACTION_ANTIALIAS});
        return;
    case PANEL_INERTIA:
        explorer_set_inertia(explorer, index > 0);
        return;
    case PANEL_DEFAULTS:
        preferences_reset(context->preferences, explorer);
        return;
    case PANEL_RECENT:
        if (context->recent)
            go_to_recent(explorer, context->recent, (size_t)index, context->messages);
        return;
    case PANEL_SAVE_SIZE:
        context->enlarge->size = index;
        return;
    case PANEL_SAVE_SAMPLES:
        context->enlarge->samples = index;
        return;
    case PANEL_SAVE_FORMAT:
        context->enlarge->format = (enum image_format)index;
        return;
    case PANEL_SAVE:
        if (enlarge_busy(context->enlarge))
            enlarge_cancel(context->enlarge);
        else
            enlarge_start(context->enlarge, explorer);
        return;
    case PANEL_VIEWS:
        if (index == 0)
            collection_toggle_gallery(context->collection);
        else
            collection_ask_name(context->collection);
        return;
    case PANEL_BACKEND:
        choose_backend(context, row->names[index]);
        return;
    default:
        return;
    }
}

void panel_model_apply(struct panel_model *panel, const struct panel_model_context *context,
                       struct panel_edit *edit) {
    const struct panel_row *row = &panel->model.rows[edit->item];
    const bool in_range =
        edit->index >= 0 && (row->kind == PANEL_SWITCH || edit->index < row->count);
    const bool automatic = context->explorer->auto_limit.on;
    if (row->kind == PANEL_FIELD || row->kind == PANEL_SLIDER)
        apply_text(panel, context->explorer, edit->item, edit->text);
    else if (row->kind != PANEL_ABSENT && in_range)
        apply_index(row, context, edit->item, edit->index);
    if (automatic && !context->explorer->auto_limit.on)
        messages_post(context->messages, "automatic limit off");
    free(edit->text);
    edit->text = NULL;
}
