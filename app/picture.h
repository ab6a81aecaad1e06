/* The picture on its way: asks for the explorer's target, feeds the presenter from the backend, and
 * goes on with another backend when one fails. */
#ifndef FATHOM_APP_PICTURE_H
#define FATHOM_APP_PICTURE_H

#include "app/engine.h"
#include "app/explorer.h"
#include "app/present.h"

struct picture {
    struct presenter *presenter; /* these three are the caller's and outlive this */
    struct engine *engine;
    struct explorer *explorer;
    struct frame_req req;         /* the last one submitted */
    struct backend_report report; /* the latest about it */
    bool gl;                      /* pixels stay on the GPU */
    bool copied;                  /* what the report tells of is all in the presenter's texture */
    bool host_copy;               /* they could not, though a GPU draws */
    double complete_ms;           /* what the last complete picture took; 0: none yet */
    double submit_ms_max, cancel_ms_max;
};

void picture_init(struct picture *picture, struct presenter *presenter, struct engine *engine,
                  struct explorer *explorer);
/* Cancels what is in flight. */
void picture_finish(struct picture *picture);

/* Submits the explorer's target. Without `reuse` everything is drawn again. False: no backend is
 * left, or no memory; logged. */
bool picture_submit(struct picture *picture, bool reuse);
/* Takes news to the presenter; waits up to budget_ms for some. *news: there were some. False: as
 * picture_submit. A lost device makes the explorer ask again. */
bool picture_poll(struct picture *picture, double budget_ms, bool *news);
/* There is more to poll for. */
bool picture_busy(const struct picture *picture);
/* All pixels of the last request are there. */
bool picture_complete(const struct picture *picture);

#endif
