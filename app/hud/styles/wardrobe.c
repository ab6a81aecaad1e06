/* Wardrobe: applies styles to the explorer's scene, and keeps their thumbnails up to date. */
#include "app/hud/styles/wardrobe.h"
#include "render/base/log.h"
#include "render/number/splitmix.h"
#include "render/palette.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIGHT_ANGLES 12 /* number of directions of a surprise's light, evenly spaced */

static void forget_texts(struct wardrobe *wardrobe) {
    for (size_t i = 0; i < wardrobe->count; i++) {
        free(wardrobe->text[i]);
        free(wardrobe->earlier[i]);
        wardrobe->text[i] = wardrobe->earlier[i] = NULL;
    }
    wardrobe->count = 0;
}

void wardrobe_finish(struct wardrobe *wardrobe) {
    forget_texts(wardrobe);
    styles_finish(&wardrobe->styles);
}

static bool open_up(struct wardrobe *wardrobe) {
    return wardrobe->styles.count > 0 || styles_load(&wardrobe->styles);
}

/* --- changes --- */

void wardrobe_wear(struct wardrobe *wardrobe, struct explorer *explorer, size_t index,
                   struct messages *messages) {
    struct scene scene;
    if (!open_up(wardrobe) || index >= wardrobe->styles.count)
        return;
    const struct style *style = &wardrobe->styles.list[index];
    scene_init_copy(&scene, &explorer->scene);
    style_wear(&scene, &style->scene);
    explorer_update(explorer, &scene, true);
    messages_post(messages, "style: %s", style->name);
}

void wardrobe_next(struct wardrobe *wardrobe, struct explorer *explorer, double steps,
                   struct messages *messages) {
    if (!open_up(wardrobe))
        return;
    const size_t count = wardrobe->styles.count;
    const size_t worn = styles_worn(&wardrobe->styles, &explorer->scene) % count;
    wardrobe_wear(wardrobe, explorer, (worn + (steps < 0 ? count - 1 : 1)) % count, messages);
}

void wardrobe_surprise(struct wardrobe *wardrobe, struct explorer *explorer,
                       struct messages *messages) {
    struct scene scene;
    char id[PALETTE_NAME_MAX + 1];
    if (!open_up(wardrobe))
        return;
    uint64_t state = wardrobe->surprises * SPLITMIX_STEP;
    const uint64_t random = splitmix_next(&state);
    wardrobe->surprises++;
    const size_t others = wardrobe->styles.count - 1; /* plain is no surprise */
    const struct style *style = &wardrobe->styles.list[1 + random % others];
    scene_init_copy(&scene, &explorer->scene);
    style_wear(&scene, &style->scene);
    scene.light_angle = 360.0 / LIGHT_ANGLES * (double)((random >> 16) % LIGHT_ANGLES);
    const size_t listed = palette_count(), any = (random >> 32) % (listed + listed / 2);
    snprintf(id, sizeof id, "random-%u", wardrobe->surprises);
    const struct palette *palette = any < listed ? palette_ref(palette_at(any)) : palette_get(id);
    if (palette)
        palette_replace(&scene.palette, palette);
    messages_post(messages, "surprise: %s, %s", style->name, scene.palette->name);
    explorer_update(explorer, &scene, true);
}

bool wardrobe_open(struct explorer *explorer, const char *path, struct messages *messages) {
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

void wardrobe_save(struct wardrobe *wardrobe, const struct explorer *explorer,
                   struct messages *messages) {
    const struct style *style =
        open_up(wardrobe) ? styles_save(&wardrobe->styles, &explorer->scene) : NULL;
    if (style)
        messages_post(messages, "style saved as %s", style->name);
    else
        messages_post(messages, "the style was not saved");
}

static size_t worn(const struct wardrobe *wardrobe, const struct explorer *explorer) {
    return styles_worn(&wardrobe->styles, &explorer->scene);
}

bool wardrobe_deletable(const struct wardrobe *wardrobe, const struct explorer *explorer) {
    const size_t index = worn(wardrobe, explorer);
    return index < wardrobe->styles.count && wardrobe->styles.list[index].own;
}

void wardrobe_delete(struct wardrobe *wardrobe, const struct explorer *explorer,
                     struct messages *messages) {
    char name[STYLE_NAME_MAX + 1];
    const size_t index = worn(wardrobe, explorer);
    if (!wardrobe_deletable(wardrobe, explorer)) {
        messages_post(messages, "only styles that you saved can be deleted");
        return;
    }
    snprintf(name, sizeof name, "%s", wardrobe->styles.list[index].name);
    forget_texts(wardrobe);
    if (styles_delete(&wardrobe->styles, index))
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
    style_wear(&scene, &style->scene);
    scene.width_px = scene.height_px = 0;
    scene.samples = 0;
    char *text = scene_text(&scene);
    scene_finish(&scene);
    return text;
}

static void follow_view(struct wardrobe *wardrobe, const struct explorer *explorer) {
    const bool stale =
        wardrobe->generation != explorer->generation || wardrobe->count != wardrobe->styles.count;
    if (!stale || (explorer_moving(explorer) && wardrobe->count > 0))
        return;
    wardrobe->generation = explorer->generation;
    wardrobe->count = wardrobe->styles.count;
    for (size_t i = 0; i < wardrobe->count; i++) {
        char *text = text_in(explorer, &wardrobe->styles.list[i]);
        wardrobe->names[i] = wardrobe->styles.list[i].name;
        if (text && wardrobe->text[i] && strcmp(text, wardrobe->text[i]) == 0) {
            free(text);
            continue;
        }
        char **old = wardrobe->textures[i] ? &wardrobe->earlier[i] : &wardrobe->text[i];
        free(*old);
        *old = NULL;
        if (old == &wardrobe->earlier[i])
            wardrobe->earlier[i] = wardrobe->text[i];
        wardrobe->text[i] = text;
    }
}

static uint32_t texture(struct wardrobe *wardrobe, struct collection *collection, size_t i) {
    const char *text = wardrobe->text[i], *earlier = wardrobe->earlier[i];
    const uint32_t name = text ? collection_scene_texture(collection, text) : 0;
    return name || !earlier ? name : collection_scene_texture(collection, earlier);
}

void wardrobe_fill(struct wardrobe *wardrobe, const struct explorer *explorer,
                   struct collection *collection, struct panel_row *row) {
    if (!open_up(wardrobe))
        return;
    follow_view(wardrobe, explorer);
    for (size_t i = 0; i < wardrobe->count; i++)
        wardrobe->textures[i] = collection->thumbnails_shown ? texture(wardrobe, collection, i) : 0;
    const size_t index = worn(wardrobe, explorer);
    row->names = wardrobe->names;
    row->textures = wardrobe->textures;
    row->count = (int)wardrobe->count;
    row->index = index < wardrobe->styles.count ? (int)index : -1;
}
