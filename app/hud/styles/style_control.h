/* Style control: the window's access to styles: applies the next, a chosen or a random one, shows
 * thumbnails of the view in the panel, saves and deletes. Each change is one step that can be
 * undone. */
#ifndef FATHOM_APP_HUD_STYLES_STYLE_CONTROL_H
#define FATHOM_APP_HUD_STYLES_STYLE_CONTROL_H

#include "app/explore/explorer.h"
#include "app/gallery/collection.h"
#include "app/hud/panel.h"
#include "app/messages.h"
#include "render/style/style.h"

/* Zero-initialised; pairs with style_control_finish. */
struct style_control {
    struct styles styles; /* loaded on first use */
    unsigned surprises;   /* number of surprises so far */

    /* Thumbnails of the panel: generation of their view, and number of styles. */
    uint64_t generation;
    size_t count;
    /* Scene text of the view with each style, by which its thumbnail is found; may be NULL. */
    char *text[STYLES_MAX];
    char *earlier[STYLES_MAX]; /* text that has a thumbnail until `text` has one; NULL: none */
    const char *names[STYLES_MAX];
    uint32_t textures[STYLES_MAX];
};

void style_control_finish(struct style_control *control);

/* Applies the style with that index to the explorer's scene and posts a message. */
void style_control_apply(struct style_control *control, struct explorer *explorer, size_t index,
                         struct messages *messages);
/* Applies the next style, or the previous one if `direction` is negative, cyclically. If the scene
 * has no style, the first one after plain is next. */
void style_control_next(struct style_control *control, struct explorer *explorer, double direction,
                        struct messages *messages);
/* Applies a random style with another palette and light. The sequence is the same in every run. */
void style_control_random(struct style_control *control, struct explorer *explorer,
                          struct messages *messages);
/* Applies the look in a style's file to the scene. Returns false if the path is not that of a
 * style. */
bool style_control_open(struct explorer *explorer, const char *path, struct messages *messages);
/* Saves the look as a style, or deletes the user's own style that the scene has. */
void style_control_save(struct style_control *control, const struct explorer *explorer,
                        struct messages *messages);
void style_control_delete(struct style_control *control, const struct explorer *explorer,
                          struct messages *messages);

/* Fills a row of the panel with the styles and their thumbnails, which follow the view at rest.
 * `row` gets names, textures, count, and the index of the scene's style, or -1. */
void style_control_fill(struct style_control *control, const struct explorer *explorer,
                        struct collection *collection, struct panel_row *row);
/* Returns true if the scene has a style that can be deleted. */
bool style_control_deletable(const struct style_control *control, const struct explorer *explorer);

#endif
