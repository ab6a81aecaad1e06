/* Favourites: the palettes that the user assigned to digits, stored in the user's state folder
 * as the files favourite-0 to favourite-9. These are view files of which only the palette is
 * used. */
#ifndef FATHOM_APP_HUD_FAVOURITES_H
#define FATHOM_APP_HUD_FAVOURITES_H

#include "render/palette.h"

#define FAVOURITES_COUNT 10

/* Zero-initialised: none. Pairs with favourites_finish. */
struct favourites {
    bool on;                                          /* favourites are stored for later runs */
    const struct palette *palettes[FAVOURITES_COUNT]; /* own references; NULL: the list's palette */
};

/* Reads the palettes of earlier runs. A damaged file causes one line in the log and is not
 * changed. */
void favourites_begin(struct favourites *favourites);
/* Assigns a palette to the digit with that index: 0 is key 1, 9 is key 0. The digit's original
 * palette from the list removes the assignment. Returns false if the file could not be written;
 * that is logged. */
bool favourites_assign(struct favourites *favourites, int index, const struct palette *palette);
void favourites_finish(struct favourites *favourites);

#endif
