/* Has a backend that is idle draw what a backdrop wants. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_MAKER_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_MAKER_H

#include "app/picture/backdrop/backdrop.h"
#include "render/backend.h"

/* Zero-initialised. */
struct backdrop_maker {
    bool busy; /* a level is in flight, of this request: */
    struct frame_req req;
    struct target target;
    uint64_t generation; /* of the picture whose levels are all there; 0: none */
};

/* Forgets the level in flight; the backend has been cancelled. */
void backdrop_maker_stop(struct backdrop_maker *maker);

enum backdrop_state {
    BACKDROP_WORKS,
    BACKDROP_DONE, /* nothing is left to do for this picture */
    BACKDROP_LOST, /* the backend lost its device */
};

/* Does the next bit of work for `req`, which is drawn and complete; waits a few milliseconds for it
 * at most. */
enum backdrop_state backdrop_maker_step(struct backdrop_maker *maker, struct backend *backend,
                                        struct backdrop *backdrop, const struct frame_req *req);
/* Whether a step for `req` would find something to do. */
bool backdrop_maker_works(const struct backdrop_maker *maker, const struct frame_req *req);
/* Draws the levels that a picture of `req` has to have, whatever happens, and waits for them: some
 * milliseconds. */
void backdrop_maker_begin(struct backdrop_maker *maker, struct backend *backend,
                          struct backdrop *backdrop, const struct frame_req *req);

#endif
