/* Backdrop counter: has a backend count the picture behind density pictures, before the first
 * one of each kind. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTER_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTER_H

#include "app/picture/backdrop/backdrop.h"
#include "render/backend.h"

/* Zero-initialised. */
struct backdrop_counter {
    bool busy; /* counting is in flight, for `req` */
    struct density_req req;
    double started_ms;
    bool ended; /* no further samples are started */
};

/* Submits the picture behind density pictures like `like` if it is missing. The backend must be
 * able to count and have nothing in flight. Returns false if nothing is missing, or it cannot be
 * counted. */
bool backdrop_counter_begin(struct backdrop_counter *counter, struct backend *backend,
                            struct backdrop *backdrop, const struct density_req *like);
/* Continues counting and waits up to budget_ms. Ends within about 250 ms, on a busy machine within
 * about a second: `busy` is then false, the backdrop has the counts, and the backend has nothing in
 * flight or has lost its device. */
void backdrop_counter_step(struct backdrop_counter *counter, struct backend *backend,
                           struct backdrop *backdrop, double budget_ms);
/* Forgets the request. The caller must have cancelled the backend. */
void backdrop_counter_stop(struct backdrop_counter *counter);

#endif
