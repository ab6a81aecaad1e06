/* What a person does to the panel. */
#include "app/explore/places.h"
#include "app/hud/controls.h"
#include "render/palette.h"
#include <stdlib.h>
#include <string.h>

/* Anything that moves the view goes where opening a view file goes. */
static bool move(struct explorer *explorer, enum edit_field field, const char *text,
                 const char **why) {
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    const bool ok = edit_set(&scene, field, text, why);
    if (ok && !view_equal(&scene.view, &explorer->scene.view))
        explorer_goto(explorer, &scene);
    else
        scene_finish(&scene);
    return ok;
}

static bool set_field(struct explorer *explorer, enum edit_field field, const char *text,
                      const char **why) {
    if (field == EDIT_RE || field == EDIT_IM || field == EDIT_ZOOM || field == EDIT_ANGLE)
        return move(explorer, field, text, why);
    const bool tone = field == EDIT_EXPOSURE || field == EDIT_GAMMA;
    const bool ok = edit_set(&explorer->scene, field, text, why);
    if (ok && field == EDIT_LIMIT && !explorer->scene.counting)
        auto_limit_switch(&explorer->auto_limit, false);
    explorer->retoned |= ok && tone;
    explorer->changed |= ok && !tone;
    return ok;
}

static void refuse(struct controls *controls, enum edit_field field, const char *text,
                   const char *why) {
    char *copy = strdup(text),
         *shown = strdup(controls->shown[field] ? controls->shown[field] : "");
    if (!copy || !shown) {
        free(copy);
        free(shown);
        return;
    }
    controls->refused[field] = copy;
    controls->refused_for[field] = shown;
    controls->why[field] = why;
}

/* Without a text the person gave up, and the field shows the scene's number again. */
static void apply_text(struct controls *controls, struct explorer *explorer, enum panel_item item,
                       const char *text) {
    const char *why = NULL;
    const enum edit_field field = controls->model.rows[item].field;
    free(controls->refused[field]);
    free(controls->refused_for[field]);
    controls->refused[field] = controls->refused_for[field] = NULL;
    controls->why[field] = NULL;
    if (text && !set_field(explorer, field, text, &why))
        refuse(controls, field, text, why);
}

/* Escape time, or one of density pictures' variants, which a key goes through one after another. */
static void choose_kind(struct explorer *explorer, const char *name, bool counting) {
    struct scene *scene = &explorer->scene;
    scene->counting = counting;
    if (counting)
        orbits_fit(scene);
    for (int i = 0; counting && i < 3 && strcmp(orbits_name(&scene->orbits), name) != 0; i++)
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

static void choose_backend(const struct controls_context *context, const char *name) {
    if (engine_choose(context->engine, name))
        explorer_redraw(context->explorer, true);
}

static void apply_index(const struct panel_row *row, const struct controls_context *context,
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
            places_recent(explorer, context->recent, (size_t)index, context->messages);
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

void controls_apply(struct controls *controls, const struct controls_context *context,
                    struct panel_edit *edit) {
    const struct panel_row *row = &controls->model.rows[edit->item];
    const bool in_range =
        edit->index >= 0 && (row->kind == PANEL_SWITCH || edit->index < row->count);
    const bool automatic = context->explorer->auto_limit.on;
    if (row->kind == PANEL_FIELD || row->kind == PANEL_SLIDER)
        apply_text(controls, context->explorer, edit->item, edit->text);
    else if (row->kind != PANEL_ABSENT && in_range)
        apply_index(row, context, edit->item, edit->index);
    if (automatic && !context->explorer->auto_limit.on)
        messages_post(context->messages, "automatic limit off");
    free(edit->text);
    edit->text = NULL;
}
