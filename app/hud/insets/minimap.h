/* The minimap (M): an inset with all of the fractal, and where in it the screen lies. */
#ifndef FATHOM_APP_HUD_INSETS_MINIMAP_H
#define FATHOM_APP_HUD_INSETS_MINIMAP_H

#include "app/explore/explorer.h"
#include "app/hud/hud.h"
#include "app/picture/inset/inset.h"

/* Zero-initialised but for `on` and the inset's number; pairs with minimap_finish. */
struct minimap {
    bool on; /* it is wanted; small windows have none */
    struct inset inset;
    int width_px, height_px; /* on the screen, what was asked for; 0: nothing was. Of: */
    struct fractal fractal;
    const struct palette *palette;
    double frequency, offset;
    bool banded;
    enum colour_mapping mapping;
};

/* How large the map is in a window of that size, with text of that height, all in pixels. False: there
 * is no room for one. */
bool minimap_size(int window_width_px, int window_height_px, int text_px, int *width_px,
                  int *height_px);
/* Once a turn: asks for the map where that is another one now, and takes it. True: the next frame
 * shows another one. */
bool minimap_update(struct minimap *map, const struct explorer *explorer,
                    struct active_backend *active, int window_width_px, int window_height_px,
                    int text_px);
/* What the HUD is to draw; no texture: nothing. */
struct hud_map minimap_model(const struct minimap *map, const struct explorer *explorer);
/* Goes to the point of the plane at (x, y), in parts of the map from its top left, as a step to undo:
 * with the zoom that the view has, but not so near that the point of a click means nothing. */
void minimap_go(const struct minimap *map, struct explorer *explorer, double x, double y);
/* As inset_due_ms. */
double minimap_due_ms(const struct minimap *map, double pace_ms);
/* Whether it is still to come. */
bool minimap_busy(const struct minimap *map);
/* The backend is still there. */
void minimap_finish(struct minimap *map, struct active_backend *active);

#endif
