/* Style control: applies styles to the explorer's scene, and keeps their thumbnails up to date. */
#include "app/hud/styles/style_control.h"
#include "render/base/log.h"
#include "render/number/splitmix.h"
#include "render/palette.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIGHT_ANGLES 12 /* number of directions of a surprise's light, evenly spaced */

static void forget_texts(struct style_control *control) {
    for (size_t i = 0; i < control->count; i++) {
        free(control->text[i]);
        free(control->earlier[i]);
        control->text[i] = control->earlier[i] = NULL;
    }
    control->count = 0;
}

void style_control_finish(struct style_control *control) {
    forget_texts(control);
    styles_finish(&control->styles);
}

static bool open_up(struct style_control *control) {
    return control->styles.count > 0 || styles_load(&control->styles);
}

/* --- changes --- */

void style_control_apply(struct style_control *control, struct explorer *explorer, size_t index,
                         struct messages *messages) {
    struct scene scene;
    if (!open_up(control) || index >= control->styles.count)
        return;
    const struct style *style = &control->styles.list[index];
    scene_init_copy(&scene, &explorer->scene);
    style_copy_look(&scene, &style->scene);
    explorer_update(explorer, &scene, true);
    messages_post(messages, "style: %s", style->name);
}

void style_control_next(struct style_control *control, struct explorer *explorer, double direction,
                        struct messages *messages) {
    if (!open_up(control))
        return;
    const size_t count = control->styles.count;
    const size_t worn = styles_find_look(&control->styles, &explorer->scene) % count;
    style_control_apply(control, explorer, (worn + (direction < 0 ? count - 1 : 1)) % count,
                        messages);
}

void style_control_random(struct style_control *control, struct explorer *explorer,
                          struct messages *messages) {
    struct scene scene;
    char id[PALETTE_NAME_MAX + 1];
    if (!open_up(control))
        return;
    uint64_t state = control->surprises * SPLITMIX_STEP;
    const uint64_t random = splitmix_next(&state);
    control->surprises++;
    const size_t others = control->styles.count - 1; /* plain is no surprise */
    const struct style *style = &control->styles.list[1 + random % others];
    scene_init_copy(&scene, &explorer->scene);
    style_copy_look(&scene, &style->scene);
    scene.light_angle = 360.0 / LIGHT_ANGLES * (double)((random >> 16) % LIGHT_ANGLES);
    const size_t listed = palette_count(), any = (random >> 32) % (listed + listed / 2);
    snprintf(id, sizeof id, "random-%u", control->surprises);
    const struct palette *palette = any < listed ? palette_ref(palette_at(any)) : palette_get(id);
    if (palette)
        palette_replace(&scene.palette, palette);
    messages_post(messages, "surprise: %s, %s", style->name, scene.palette->name);
    explorer_update(explorer, &scene, true);
}

bool style_control_open(struct explorer *explorer, const char *path, struct messages *messages) {
    char why[MESSAGE_TEXT_MAX];
    struct scene scene;
    if (!path || !style_has_ending(path))
        return false;
    scene_init_copy(&scene, &explorer->scene);
    log_listen(why, sizeof why);
    const bool ok = style_apply(&scene, path);
    log_listen(NULL, 0);
    if (ok)
        explorer_update(explorer, &scene, true);
    else
        scene_finish(&scene);
    messages_post(messages, "%s", ok ? "style: from a file" : why);
    return true;
}

void style_control_save(struct style_control *control, const struct explorer *explorer,
                        struct messages *messages) {
    const struct style *style =
        open_up(control) ? styles_save(&control->styles, &explorer->scene) : NULL;
    if (style)
        messages_post(messages, "style saved as %s", style->name);
    else
        messages_post(messages, "the style was not saved");
}

static size_t current_style(const struct style_control *control, const struct explorer *explorer) {
    return styles_find_look(&control->styles, &explorer->scene);
}

bool style_control_deletable(const struct style_control *control, const struct explorer *explorer) {
    const size_t index = current_style(control, explorer);
    return index < control->styles.count && control->styles.list[index].own;
}

void style_control_delete(struct style_control *control, const struct explorer *explorer,
                          struct messages *messages) {
    char name[STYLE_NAME_MAX + 1];
    const size_t index = current_style(control, explorer);
    if (!style_control_deletable(control, explorer)) {
        messages_post(messages, "only styles that you saved can be deleted");
        return;
    }
    snprintf(name, sizeof name, "%s", control->styles.list[index].name);
    forget_texts(control);
    if (styles_delete(&control->styles, index))
        messages_post(messages, "style %s deleted", name);
    else
        messages_post(messages, "the style was not deleted");
}

/* --- thumbnails --- */

/* Returns the text of the view in a style. The caller frees it. Returns NULL if there is no
 * memory. */
static char *text_in(const struct explorer *explorer, const struct style *style) {
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    style_copy_look(&scene, &style->scene);
    scene.width_px = scene.height_px = 0;
    scene.samples = 0;
    char *text = scene_text(&scene);
    scene_finish(&scene);
    return text;
}

static void follow_view(struct style_control *control, const struct explorer *explorer) {
    const bool stale =
        control->generation != explorer->generation || control->count != control->styles.count;
    if (!stale || (explorer_moving(explorer) && control->count > 0))
        return;
    control->generation = explorer->generation;
    control->count = control->styles.count;
    for (size_t i = 0; i < control->count; i++) {
        char *text = text_in(explorer, &control->styles.list[i]);
        control->names[i] = control->styles.list[i].name;
        if (text && control->text[i] && strcmp(text, control->text[i]) == 0) {
            free(text);
            continue;
        }
        char **old = control->textures[i] ? &control->earlier[i] : &control->text[i];
        free(*old);
        *old = NULL;
        if (old == &control->earlier[i])
            control->earlier[i] = control->text[i];
        control->text[i] = text;
    }
}

static uint32_t texture(struct style_control *control, struct collection *collection, size_t i) {
    const char *text = control->text[i], *earlier = control->earlier[i];
    const uint32_t name = text ? collection_text_texture(collection, text, true) : 0;
    return name || !earlier ? name : collection_text_texture(collection, earlier, true);
}

void style_control_fill(struct style_control *control, const struct explorer *explorer,
                        struct collection *collection, struct panel_row *row) {
    if (!open_up(control))
        return;
    follow_view(control, explorer);
    for (size_t i = 0; i < control->count; i++)
        control->textures[i] = collection->thumbnails_shown ? texture(control, collection, i) : 0;
    const size_t index = current_style(control, explorer);
    row->names = control->names;
    row->textures = control->textures;
    row->count = (int)control->count;
    row->index = index < control->styles.count ? (int)index : -1;
}
