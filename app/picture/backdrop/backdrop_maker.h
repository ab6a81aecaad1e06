/* Backdrop maker: has an idle backend draw the missing levels of a backdrop. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_MAKER_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_MAKER_H

#include "app/picture/backdrop/backdrop.h"
#include "render/backend.h"

/* Zero-initialised. */
struct backdrop_maker {
    bool busy; /* a level is in flight, for `req` */
    struct frame_req req;
    struct target target;
    uint64_t generation; /* the picture that has all its levels; 0: none */
};

/* Forgets the level in flight. The caller must have cancelled the backend. */
void backdrop_maker_stop(struct backdrop_maker *maker);

enum backdrop_state {
    BACKDROP_WORKS,
    BACKDROP_DONE, /* nothing is left to do for this picture */
    BACKDROP_LOST, /* the backend lost its device */
};

/* Does the next bit of work for `req`, whose picture is complete. Waits a few milliseconds at
 * most. */
enum backdrop_state backdrop_maker_step(struct backdrop_maker *maker, struct backend *backend,
                                        struct backdrop *backdrop, const struct frame_req *req);
/* Returns true if a step for `req` has something to do. */
bool backdrop_maker_works(const struct backdrop_maker *maker, const struct frame_req *req);
/* Draws the first levels for a picture of `req` and waits for them, which takes some
 * milliseconds. */
void backdrop_maker_begin(struct backdrop_maker *maker, struct backend *backend,
                          struct backdrop *backdrop, const struct frame_req *req);

#endif
