/* Palettes that the user has: files of $XDG_DATA_HOME/fathom/palettes, read once on first use, in
 * the order of their names. Each file that is no palette, or whose id another one has, costs one
 * message. */
#ifndef FATHOM_RENDER_PALETTE_USER_H
#define FATHOM_RENDER_PALETTE_USER_H

#include "render/palette.h"

#define PALETTE_USER_MAX 64 /* the first by name; more are left out with one warning */

/* NULL past the end. Safe from any thread; what they give stays until the program ends. */
const struct palette *palette_user(size_t index);
size_t palette_user_count(void);
/* False: some could not be read for want of memory, which was logged. Reads none itself. */
bool palette_user_ready(void);

#endif
