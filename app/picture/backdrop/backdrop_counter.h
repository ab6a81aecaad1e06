/* Has a backend count what lies behind density pictures, before the first one of each kind. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTER_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTER_H

#include "app/picture/backdrop/backdrop.h"
#include "render/backend.h"

/* Zero-initialised. */
struct backdrop_counter {
    bool busy; /* it is in flight, of this request: */
    struct density_req req;
    double started_ms;
    bool ended; /* no more is counted than what has been started */
};

/* Submits what density pictures like `like` have behind them, where that is missing. The backend can count, and nothing
 * is in flight there. False: nothing is missing, or it cannot be had. */
bool backdrop_counter_begin(struct backdrop_counter *counter, struct backend *backend,
                            struct backdrop *backdrop, const struct density_req *like);
/* Goes on with it, and waits up to budget_ms for that; within some 250 ms, and a few more on a busy machine, it is not
 * busy any more: the backdrop has what there is, and the backend nothing in flight, or has lost its device. */
void backdrop_counter_step(struct backdrop_counter *counter, struct backend *backend,
                           struct backdrop *backdrop, double budget_ms);
/* Forgets it; the backend has been cancelled. */
void backdrop_counter_stop(struct backdrop_counter *counter);

#endif
