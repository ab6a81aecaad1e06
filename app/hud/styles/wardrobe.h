/* The styles as the window offers them: by keys one after the other, in the panel with thumbnails of the
 * view, at random, saved and deleted. Each change is one step to undo. */
#ifndef FATHOM_APP_HUD_STYLES_WARDROBE_H
#define FATHOM_APP_HUD_STYLES_WARDROBE_H

#include "app/explore/explorer.h"
#include "app/gallery/collection.h"
#include "app/hud/panel.h"
#include "app/messages.h"
#include "render/style/style.h"

/* Zero-initialised; pairs with wardrobe_finish. */
struct wardrobe {
    struct styles styles; /* read when they are needed first */
    unsigned surprises;   /* so many there have been */

    /* The panel's thumbnails: of the view of this request, the styles being these many. */
    uint64_t generation;
    size_t count;
    char *text[STYLES_MAX];    /* of the view in each style; NULL: there is none */
    char *earlier[STYLES_MAX]; /* what has a thumbnail until that one is there, likewise */
    const char *names[STYLES_MAX];
    uint32_t textures[STYLES_MAX];
};

void wardrobe_finish(struct wardrobe *wardrobe);

/* Gives the explorer's scene the style of that number, and says so. */
void wardrobe_wear(struct wardrobe *wardrobe, struct explorer *explorer, size_t index,
                   struct messages *messages);
/* The style that is `steps` further, cyclically; from another look the first after plain. */
void wardrobe_next(struct wardrobe *wardrobe, struct explorer *explorer, double steps,
                   struct messages *messages);
/* A style with another palette and light, at random: the same ones in every run. */
void wardrobe_surprise(struct wardrobe *wardrobe, struct explorer *explorer,
                       struct messages *messages);
/* Gives the scene the look in a style's file. False: the path is none of a style. */
bool wardrobe_open(struct explorer *explorer, const char *path, struct messages *messages);
/* Saves the look as a style, or deletes the user's own style that the scene wears. */
void wardrobe_save(struct wardrobe *wardrobe, const struct explorer *explorer,
                   struct messages *messages);
void wardrobe_delete(struct wardrobe *wardrobe, const struct explorer *explorer,
                     struct messages *messages);

/* Fills a row of the panel with the styles and their thumbnails, which follow the view once it
 * rests. `row` gets names, textures, count, and the style that is worn or -1. */
void wardrobe_fill(struct wardrobe *wardrobe, const struct explorer *explorer,
                   struct collection *collection, struct panel_row *row);
/* Whether the scene wears a style that can be deleted. */
bool wardrobe_deletable(const struct wardrobe *wardrobe, const struct explorer *explorer);

#endif
