/* Panel: carries out the edits, through the functions of the explorer and the other modules. */
#include "app/explore/go_to.h"
#include "app/hud/panel_model.h"
#include <stdlib.h>
#include <string.h>

/* Sets a setting from the text of a field, or stores why the text is refused. Without a text the
 * edit was given up, and the field shows the scene's value again. */
static void apply_text(struct panel_model *panel, struct explorer *explorer, enum setting_id id,
                       const char *text) {
    struct setting_problem problem;
    panel_model_forget(panel, id);
    if (text && !explorer_set(explorer, id, text, &problem)) {
        const char *shown = panel->shown[id] ? panel->shown[id] : "";
        struct panel_refusal *refused = &panel->refused[id];
        *refused = (struct panel_refusal){strdup(text), strdup(problem.why), strdup(shown)};
        if (!refused->text || !refused->why || !refused->instead_of)
            panel_model_forget(panel, id);
    }
}

/* Selects escape time, or the kind of orbit density with this name, in steps as the key does. */
static void choose_kind(const struct panel_model_context *context, const char *name,
                        bool orbit_density) {
    struct explorer *explorer = context->explorer;
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    scene.orbit_density = orbit_density;
    const char *problem = scene_problem(&scene);
    if (problem) {
        messages_post(context->messages, "%s", problem);
        scene_finish(&scene);
        return;
    }
    if (orbit_density)
        orbits_fit(&scene);
    for (int i = 0; orbit_density && i < 3 && strcmp(orbits_name(&scene.orbits), name) != 0; i++)
        orbits_next_variant(&scene);
    explorer_update(explorer, &scene, false);
}

/* Selects a value of a setting. The index of a switch is inverted because its first name means
 * "on". */
static void choose_setting(const struct panel_model_context *context, const struct panel_row *row,
                           enum setting_id id, int index) {
    const struct action action = {
        .kind = ACTION_CHOOSE, .setting = id, .amount = row->kind == PANEL_SWITCH ? !index : index};
    const char *problem = explorer_refusal(context->explorer, &action);
    if (problem)
        messages_post(context->messages, "%s", problem);
    else if (id == SETTING_JULIA)
        go_to_julia(context->explorer);
    else
        explorer_apply(context->explorer, &action);
}

static void apply_index(const struct panel_row *row, const struct panel_model_context *context,
                        int item, int index) {
    struct explorer *explorer = context->explorer;
    switch (item) {
    case PANEL_KIND:
        choose_kind(context, row->names[index], index > 0);
        return;
    case PANEL_AUTO_LIMIT:
        explorer_apply(explorer, &(struct action){.kind = ACTION_AUTO_LIMIT});
        return;
    case PANEL_AUTO_FREQUENCY:
        explorer_apply(explorer, &(struct action){.kind = ACTION_AUTO_FREQUENCY});
        return;
    case PANEL_ANTIALIAS:
        explorer_apply(explorer, &(struct action){.kind = ACTION_ANTIALIAS});
        return;
    case PANEL_INERTIA:
        explorer_set_inertia(explorer, index > 0);
        return;
    case PANEL_AUTOPILOT: /* the window carries out these edits */
    case PANEL_CHANGES:
    case PANEL_LOCATE:
    case PANEL_PATH_DOING:
    case PANEL_MOVIE:
        return;
    case PANEL_STYLE:
        style_control_apply(context->style_control, explorer, (size_t)index, context->messages);
        return;
    case PANEL_STYLE_DOING:
        if (index == 0)
            style_control_random(context->style_control, explorer, context->messages);
        else if (index == 1)
            style_control_save(context->style_control, explorer, context->messages);
        else
            style_control_delete(context->style_control, explorer, context->messages);
        return;
    case PANEL_DEFAULTS:
        preferences_reset(context->preferences, explorer);
        return;
    case PANEL_RECENT:
        if (context->recent)
            collection_go_to_recent(context->collection, (size_t)index);
        return;
    case PANEL_SAVE_PALETTE:
        if (index == 0)
            gradient_save(explorer, context->messages);
        else
            explorer_apply(explorer, &(struct action){.kind = ACTION_RANDOM_PALETTE});
        return;
    case PANEL_SAVE_SIZE:
        context->enlarge->size = index;
        return;
    case PANEL_SAVE_DPI:
        context->enlarge->resolution = index;
        return;
    case PANEL_SAVE_SAMPLES:
        context->enlarge->samples = index;
        return;
    case PANEL_SAVE_FORMAT:
        context->enlarge->format = index;
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
        if (active_backend_choose(context->active, row->names[index]))
            explorer_redraw(context->explorer, true);
        return;
    default:
        choose_setting(context, row, (enum setting_id)item, index);
        return;
    }
}

void panel_model_apply(struct panel_model *panel, const struct panel_model_context *context,
                       struct panel_edit *edit) {
    const struct panel_row *row = &panel->model.rows[edit->item];
    const bool in_range =
        edit->index >= 0 && (row->kind == PANEL_SWITCH || edit->index < row->count);
    const bool automatic = context->explorer->auto_limit.on;
    const bool adapting = context->explorer->auto_frequency.on;
    if (row->kind != PANEL_ABSENT && edit->item >= PANEL_STOPS && edit->item <= PANEL_BRIGHTNESS)
        gradient_apply(&panel->edits, context->explorer, edit->item, edit->index, edit->text);
    else if (row->kind == PANEL_FIELD || row->kind == PANEL_SLIDER)
        apply_text(panel, context->explorer, row->setting, edit->text);
    else if (row->kind != PANEL_ABSENT && in_range)
        apply_index(row, context, edit->item, edit->index);
    if (automatic && !context->explorer->auto_limit.on)
        messages_post(context->messages, "automatic limit off");
    if (adapting && !context->explorer->auto_frequency.on)
        messages_post(context->messages, "automatic colour frequency off");
    free(edit->text);
    edit->text = NULL;
}
