/* An inset with the Julia set of what the pointer is on (Shift+J), which follows the pointer. */
#ifndef FATHOM_APP_HUD_INSETS_JULIA_INSET_H
#define FATHOM_APP_HUD_INSETS_JULIA_INSET_H

#include "app/explore/explorer.h"
#include "app/hud/hud.h"
#include "app/picture/inset/inset.h"

/* Zero-initialised but for `on` and the inset's number; pairs with julia_inset_finish. */
struct julia_inset {
    bool on; /* wanted */
    struct inset inset;
};

/* Once a turn: takes what was drawn, and asks for what the pointer is on now. `pointing`: it is over the
 * window. True: there is something new to show, or nothing any more. */
bool julia_inset_update(struct julia_inset *julia, const struct explorer *explorer,
                        struct active_backend *active, bool pointing);
/* What the HUD is to draw; no texture: nothing. */
struct hud_inset julia_inset_model(const struct julia_inset *julia);
/* As inset_due_ms. */
double julia_inset_due_ms(const struct julia_inset *julia, double pace_ms);
/* Whether it is still to come. */
bool julia_inset_busy(const struct julia_inset *julia);
/* The backend is still there. */
void julia_inset_finish(struct julia_inset *julia, struct active_backend *active);

#endif
