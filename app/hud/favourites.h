/* The palettes that the user put on the digits, kept in the user's state folder as the files
 * favourite-0 to favourite-9: view files, of which only the palette counts. */
#ifndef FATHOM_APP_HUD_FAVOURITES_H
#define FATHOM_APP_HUD_FAVOURITES_H

#include "render/palette.h"

#define FAVOURITES_COUNT 10

/* Zero-initialised: none. Pairs with favourites_finish. */
struct favourites {
    bool on;                                          /* they are kept from run to run */
    const struct palette *palettes[FAVOURITES_COUNT]; /* its shares; NULL: the list's */
};

/* Reads what earlier runs kept. A file that is wrong costs one line and is left alone. */
void favourites_begin(struct favourites *favourites);
/* Puts a palette on the digit of that index, 0 being key 1 and 9 key 0; the listed one that was there
 * in the beginning is that digit's own again. False: it could not be written, logged. */
bool favourites_keep(struct favourites *favourites, int index, const struct palette *palette);
void favourites_finish(struct favourites *favourites);

#endif
