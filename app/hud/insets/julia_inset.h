/* Julia inset: shows the Julia set of the point below the pointer (Shift+J), and follows the
 * pointer. */
#ifndef FATHOM_APP_HUD_INSETS_JULIA_INSET_H
#define FATHOM_APP_HUD_INSETS_JULIA_INSET_H

#include "app/explore/explorer.h"
#include "app/hud/hud.h"
#include "app/picture/inset/inset.h"

/* Zero-initialised except for `on` and the inset's number; pairs with julia_inset_finish. */
struct julia_inset {
    bool on; /* switched on */
    struct inset inset;
};

/* Collects a finished picture, and requests one of the current point; called once per iteration.
 * `pointing`: the pointer is over the window. Returns true if something new is to be shown, or
 * the inset disappears. */
bool julia_inset_update(struct julia_inset *julia, const struct explorer *explorer,
                        struct active_backend *active, bool pointing);
/* Returns the picture for the HUD, without a texture if there is none. */
struct hud_inset julia_inset_model(const struct julia_inset *julia);
/* Returns the time of the next update, as inset_due_ms. */
double julia_inset_due_ms(const struct julia_inset *julia, double pace_ms);
/* Returns true if the latest request is not complete. */
bool julia_inset_busy(const struct julia_inset *julia);
/* Frees the inset. The backend must still exist. */
void julia_inset_finish(struct julia_inset *julia, struct active_backend *active);

#endif
