/* An inset: a small picture beside the main one, by a handle of its own (BACKEND_INSET) on whichever
 * backend is active. It is asked for, drawn while nothing more urgent is, and shown whole or not at
 * all: a picture that has come stays until the next one is complete, whatever becomes of that one.
 * The context must be current in every function. */
#ifndef FATHOM_APP_PICTURE_INSET_INSET_H
#define FATHOM_APP_PICTURE_INSET_INSET_H

#include "app/picture/active_backend.h"
#include "app/picture/gl.h"

#define INSET_SIZE_MAX 2048 /* pixels, each way, that are drawn */

/* Zero-initialised but for the number; pairs with inset_finish. */
struct inset {
    int number;                     /* of its handle, as active_backend_inset has it */
    struct frame_req wanted, drawn; /* the latest; the one in flight or drawn last */
    bool asked;                     /* both are initialised */
    bool due, busy;                 /* `wanted` is to be submitted; `drawn` is in flight */
    uint32_t *rgba;                 /* the target, with room for so many pixels: */
    size_t room;
    uint64_t count;           /* of requests */
    double shown_ms;          /* when a picture came last, or was wanted first */
    double begun_ms;          /* what is in flight was submitted */
    double retry_ms;          /* nothing is submitted before that */
    struct gl_texture screen; /* the last complete picture; its name is 0 before there is one */
};

/* Wants the picture of a request of up to INSET_SIZE_MAX each way, which is copied; generation,
 * planes and order are the inset's. It takes the place of one in flight at once; but where
 * they follow each other too fast for any to be completed, that one is let finish now and then. */
void inset_ask(struct inset *inset, const struct frame_req *req);
/* Once a turn; never waits. True: another picture is complete, to be shown in the next frame. */
bool inset_poll(struct inset *inset, struct active_backend *active);
/* When it has to be polled next, by clock_ms: `pace_ms` while it is drawn; INFINITY: not. */
double inset_due_ms(const struct inset *inset, double pace_ms);
/* Whether the latest one is still to come. */
bool inset_busy(const struct inset *inset);
/* Gives up what is in flight and forgets what was asked for and shown. */
void inset_clear(struct inset *inset, struct active_backend *active);
/* The backend is still there. */
void inset_finish(struct inset *inset, struct active_backend *active);

#endif
