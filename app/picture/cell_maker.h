/* Makes the cells of density pictures on a thread of its own, because they take longer than a
 * frame, and keeps the latest. */
#ifndef FATHOM_APP_PICTURE_CELL_MAKER_H
#define FATHOM_APP_PICTURE_CELL_MAKER_H

#include "render/density/density_cells.h"
#include <SDL.h>

/* Zero-initialised; the owner's but for what is marked. */
struct cell_maker {
    struct density_cells *cells; /* the latest; NULL: none yet, or no memory for them */
    SDL_Thread *thread;          /* NULL: nothing is being made */
    struct density density;      /* what for */
    struct density_cells *made;  /* the thread's, until `done` */
    SDL_atomic_t done;
};

/* True: maker->cells serve `density`, or cannot be made (logged) and are NULL. False: they are
 * being made; to be asked again. */
bool cell_maker_ready(struct cell_maker *maker, const struct density *density);
void cell_maker_finish(struct cell_maker *maker);

#endif
