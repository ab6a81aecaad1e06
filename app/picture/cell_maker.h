/* Cell maker: makes the cells of density pictures on a thread, because that takes longer than a
 * frame, and keeps the latest ones. */
#ifndef FATHOM_APP_PICTURE_CELL_MAKER_H
#define FATHOM_APP_PICTURE_CELL_MAKER_H

#include "render/density/density_cells.h"
#include <SDL.h>

/* Zero-initialised. The owner's thread uses all members except `made`. */
struct cell_maker {
    struct density_cells *cells; /* latest cells; NULL: none yet, or no memory */
    SDL_Thread *thread;          /* NULL: no cells are being made */
    struct density density;      /* density that the cells being made are for */
    struct density_cells *made;  /* belongs to the thread until `done` */
    SDL_atomic_t done;
};

/* Returns true if maker->cells match `density`, or are NULL because they cannot be made
 * (logged). Returns false while they are being made; call it again. */
bool cell_maker_ready(struct cell_maker *maker, const struct density *density);
void cell_maker_finish(struct cell_maker *maker);

#endif
