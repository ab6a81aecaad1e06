/* What becomes of the orbit of the point under the pointer: looked for a little every turn, and known only
 * where doubles tell pixels apart. */
#ifndef FATHOM_APP_HUD_UNDER_POINTER_H
#define FATHOM_APP_HUD_UNDER_POINTER_H

#include "app/explore/explorer.h"
#include "render/locate/cycle.h"

#define UNDER_POINTER_TEXT_MAX 40

/* Zero-initialised. */
struct under_pointer {
    bool on; /* there is such a point, */
    double re, im;
    uint64_t digest; /* of this fractal, */
    struct cycle_search search;
};

/* Once a turn, in a millisecond at most. `wanted`: the pointer is over the picture, and what is found is
 * shown. True: there is something else to say now. */
bool under_pointer_update(struct under_pointer *point, const struct explorer *explorer,
                          bool wanted);
/* Whether the search goes on in the next turn. */
bool under_pointer_busy(const struct under_pointer *point);
/* "period 7", "escapes after 812", or nothing. */
void under_pointer_print(const struct under_pointer *point, char text[UNDER_POINTER_TEXT_MAX]);

#endif
