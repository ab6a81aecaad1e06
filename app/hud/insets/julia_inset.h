/* Julia inset: shows the Julia set of the point below the pointer (Shift+J), and follows the
 * pointer. */
#ifndef FATHOM_APP_HUD_INSETS_JULIA_INSET_H
#define FATHOM_APP_HUD_INSETS_JULIA_INSET_H

#include "app/explore/explorer.h"
#include "app/picture/inset/inset.h"

/* Zero-initialised except for `on` and the inset's number; pairs with inset_finish. */
struct julia_inset {
    bool on; /* switched on */
    struct inset inset;
};

/* Collects a finished picture, and requests one of the current point; called once per iteration.
 * `pointing`: the pointer is over the window. Returns true if something new is to be shown, or
 * the inset disappears. */
bool julia_inset_update(struct julia_inset *julia, const struct explorer *explorer,
                        struct active_backend *active, bool pointing);

#endif
