/* Inset: a small picture next to the main one. The active backend draws it with a separate handle
 * (BACKEND_INSET) while nothing more urgent is in flight. Only complete pictures are shown: each
 * stays until another is complete, even if drawing the next one fails. The OpenGL context must be
 * current in every function. */
#ifndef FATHOM_APP_PICTURE_INSET_INSET_H
#define FATHOM_APP_PICTURE_INSET_INSET_H

#include "app/picture/active_backend.h"
#include "app/picture/gl.h"

#define INSET_SIZE_MAX 2048 /* [px] largest width and height */

/* Zero-initialised except for the number; pairs with inset_finish. */
struct inset {
    int number;                     /* number of its handle (active_backend_inset) */
    struct frame_req wanted, drawn; /* the latest request; the one in flight or drawn last */
    bool initialised;               /* `wanted` and `drawn` are initialised */
    bool due, busy;                 /* `wanted` is to be submitted; `drawn` is in flight */
    uint32_t *rgba;                 /* the target, with room for `room` pixels */
    size_t room;
    uint64_t count;           /* number of requests */
    double shown_ms;          /* [ms] time of the last picture, or of the first request */
    double begun_ms;          /* [ms] time of the submit */
    double retry_ms;          /* [ms] time before which nothing is submitted */
    struct gl_texture screen; /* last complete picture; name 0: none yet */
};

/* Requests the picture of `req`, at most INSET_SIZE_MAX each way, which is copied; generation,
 * planes and order are overwritten. Does nothing if the latest request is the same. A request in
 * flight is replaced at once. If requests follow each other too fast for any to complete, one in
 * flight may finish now and then. */
void inset_request(struct inset *inset, const struct frame_req *req);
/* Continues drawing; called once per iteration, never waits. Returns true if a new picture is
 * complete, to be shown in the next frame. */
bool inset_poll(struct inset *inset, struct active_backend *active);
/* Returns when to poll next, by clock_ms: `pace_ms` while it is being drawn; INFINITY if never. */
double inset_due_ms(const struct inset *inset, double pace_ms);
/* Returns true if the latest request is not complete. */
bool inset_busy(const struct inset *inset);
/* Cancels the request in flight and forgets everything requested and shown. Returns true if a
 * picture was shown. */
bool inset_clear(struct inset *inset, struct active_backend *active);
/* Frees the inset. The backend must still exist. */
void inset_finish(struct inset *inset, struct active_backend *active);

#endif
