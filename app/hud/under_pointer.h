/* Point under the pointer: finds out whether its orbit escapes or has a cycle, a little in every
 * turn, as long as doubles distinguish pixels. */
#ifndef FATHOM_APP_HUD_UNDER_POINTER_H
#define FATHOM_APP_HUD_UNDER_POINTER_H

#include "app/explore/explorer.h"
#include "render/locate/cycle.h"

#define UNDER_POINTER_TEXT_MAX 40

/* Zero-initialised. */
struct under_pointer {
    bool on; /* there is such a point */
    double re, im;
    uint64_t digest; /* digest of the fractal */
    struct cycle_search search;
};

/* Continues the search for a millisecond at most; called once per turn. `wanted`: the pointer is
 * over the picture, and the result is shown. Returns true if the text changes. */
bool under_pointer_update(struct under_pointer *point, const struct explorer *explorer,
                          bool wanted);
/* Returns true if the search continues in the next turn. */
bool under_pointer_busy(const struct under_pointer *point);
/* Prints "period 7", "escapes after 812", or nothing. */
void under_pointer_print(const struct under_pointer *point, char text[UNDER_POINTER_TEXT_MAX]);

#endif
