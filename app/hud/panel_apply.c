/* What a person does to the panel. */
#include "app/explore/go_to.h"
#include "app/hud/panel_model.h"
#include "render/palette.h"
#include <stdlib.h>
#include <string.h>

/* Anything that moves the view goes where opening a view file goes. */
static bool move(struct explorer *explorer, enum field field, const char *text, const char **why) {
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    const bool ok = field_set(&scene, field, text, why);
    if (ok && !view_equal(&scene.view, &explorer->scene.view))
        explorer_goto(explorer, &scene);
    else
        scene_finish(&scene);
    return ok;
}

static bool set_field(struct explorer *explorer, enum field field, const char *text,
                      const char **why) {
    if (field == FIELD_RE || field == FIELD_IM || field == FIELD_ZOOM || field == FIELD_ANGLE)
        return move(explorer, field, text, why);
    const bool tone = field == FIELD_EXPOSURE || field == FIELD_GAMMA;
    const bool ok = field_set(&explorer->scene, field, text, why);
    if (ok && field == FIELD_LIMIT && !explorer->scene.orbit_density)
        auto_limit_switch(&explorer->auto_limit, false);
    explorer->retoned |= ok && tone;
    explorer->changed |= ok && !tone;
    return ok;
}

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
    if (text && !set_field(explorer, field, text, &why))
        refuse(panel, field, text, why);
}

/* Escape time, or one of density pictures' variants, which a key goes through one after another. */
static void choose_kind(struct explorer *explorer, const char *name, bool orbit_density) {
    struct scene *scene = &explorer->scene;
    scene->orbit_density = orbit_density;
    if (orbit_density)
        orbits_fit(scene);
    for (int i = 0; orbit_density && i < 3 && strcmp(orbits_name(&scene->orbits), name) != 0; i++)
        orbits_next_variant(scene);
    explorer->changed = true;
}

static void choose_tone(struct explorer *explorer, enum panel_item item, int index) {
    struct tone *tone = &explorer->scene.tone;
    if (item == PANEL_RAMP)
        tone->ramp = (enum tone_ramp)index;
    else
        tone->curve = (enum tone_curve)index;
    explorer->retoned = true;
}

static void choose_backend(const struct panel_model_context *context, const char *name) {
    if (active_backend_choose(context->active, name))
        explorer_redraw(context->explorer, true);
}

static void apply_index(const struct panel_row *row, const struct panel_model_context *context,
                        enum panel_item item, int index) {
    struct explorer *explorer = context->explorer;
    switch (item) {
    case PANEL_PALETTE:
        explorer->scene.palette = palette_at((size_t)index);
        break;
    case PANEL_SMOOTH:
        explorer->scene.banded = index == 0;
        break;
    case PANEL_NUMBER:
        explorer->scene.precision = (enum precision)index;
        break;
    case PANEL_METHOD:
        explorer->scene.method = (enum method)index;
        break;
    case PANEL_RAMP:
    case PANEL_CURVE:
        choose_tone(explorer, item, index);
        return;
    case PANEL_KIND:
        choose_kind(explorer, row->names[index], index > 0);
        return;
    case PANEL_AUTO_LIMIT:
        explorer_apply(explorer, &(struct action){.kind = ACTION_AUTO_LIMIT});
        return;
    case PANEL_ANTIALIAS:
        explorer_apply(explorer, &(struct action){.kind = ACTION_ANTIALIAS});
        return;
    case PANEL_INERTIA:
        explorer->inertia = index > 0;
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
    explorer->changed = true;
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
