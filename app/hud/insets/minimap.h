/* Minimap (M): an inset with the whole fractal and the screen's place in it. */
#ifndef FATHOM_APP_HUD_INSETS_MINIMAP_H
#define FATHOM_APP_HUD_INSETS_MINIMAP_H

#include "app/explore/explorer.h"
#include "app/hud/hud.h"
#include "app/picture/inset/inset.h"

/* Zero-initialised except for `on` and the inset's number; pairs with inset_finish. */
struct minimap {
    bool on; /* switched on; small windows have no map */
    struct inset inset;
    int width_px, height_px; /* size on the screen */
};

/* Computes the size of the map in a window, with text of the given height, all in pixels.
 * Returns false if there is no room for a map. */
bool minimap_size(int window_width_px, int window_height_px, int text_px, int *width_px,
                  int *height_px);
/* Requests the map and collects it; called once per iteration. Returns true
 * if the next frame shows another map. */
bool minimap_update(struct minimap *map, const struct explorer *explorer,
                    struct active_backend *active, int window_width_px, int window_height_px,
                    int text_px);
/* Returns the map for the HUD, without a texture if there is none. */
struct hud_map minimap_model(const struct minimap *map, const struct explorer *explorer);
/* Goes to the point at (x, y), in shares of the map from its top left, as a step that can be
 * undone. The zoom is the view's, but limited to what the accuracy of a click justifies. */
void minimap_go(const struct minimap *map, struct explorer *explorer, double x, double y);

#endif
