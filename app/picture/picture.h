/* The picture on its way: asks for the explorer's target, feeds the presenter from the backend, and
 * goes on with another backend when one fails.
 *
 * A density picture is never complete while it can still get better; to have it as it is, hold it. */
#ifndef FATHOM_APP_PICTURE_PICTURE_H
#define FATHOM_APP_PICTURE_PICTURE_H

#include "app/explore/explorer.h"
#include "app/picture/active_backend.h"
#include "app/picture/antialias.h"
#include "app/picture/backdrop/backdrop_counter.h"
#include "app/picture/backdrop/backdrop_maker.h"
#include "app/picture/cell_maker.h"
#include "app/picture/density_judge.h"
#include "app/picture/moving.h"
#include "app/picture/present.h"

/* More than this makes no visible difference. */
#define PICTURE_SAMPLES_MAX (UINT64_C(1) << 40)
#define PICTURE_POINTS_MAX  1e6 /* a pixel */

struct picture {
    struct presenter *presenter; /* these three are the caller's and outlive this */
    struct active_backend *active;
    const struct explorer *explorer; /* is only read; what is found goes to explorer_learn */
    struct frame_req req;            /* the last one submitted */
    struct backend_report report;    /* the latest about it */
    bool gl;                         /* pixels stay on the GPU */
    bool copied;                  /* what the report tells of is all in the presenter's texture */
    bool host_copy;               /* they cannot, though a GPU draws */
    double complete_ms;           /* what the last complete picture took; 0: none yet */
    struct statistics statistics; /* of the request, before any more samples at rest; */
    bool surveyed;                /* they are there */
    bool judged_moving;           /* by the explorer, which has not come to rest since */
    double submit_ms_max, cancel_ms_max;
    double upload_ms;               /* all that copying finished pixels has taken */
    double drawn_px, drawn_of_this; /* pixels that were drawn, not kept: ever, of this request */

    bool orbit_density;         /* it is a density picture, of this request, */
    struct density_req density; /* whose view, size and type are also those of `req` */
    const char *problem;        /* why it cannot be counted at all; NULL: it can. Static text */
    const char *logged_backend; /* of the ways of drawing that were logged */
    /* A bit for each route, type and target; the last entry is orbit density's. */
    uint32_t logged[METHOD_COUNT + 1];
    struct backdrop_counter
        counter; /* of what lies behind it, which comes first; then it goes to: */
    struct target target;
    bool shown;                 /* something of it has arrived in the presenter, */
    struct density_judge judge; /* which shows so much of it */
    bool held, full;            /* it is not to get better: by picture_hold, or because it cannot */
    double submitted_ms;
    struct cell_maker cell_maker;
    struct moving moving; /* how pictures in motion are made */
    bool tagged;          /* pictures have the colours of tags (app/tags.h); the caller sets it */
    uint64_t whole_generation;            /* of the last one that was complete */
    struct antialias antialias;           /* what it gets at rest, */
    struct backdrop_maker backdrop_maker; /* and what lies behind it */
};

void picture_init(struct picture *picture, struct presenter *presenter,
                  struct active_backend *active, const struct explorer *explorer);
/* Cancels what is in flight. */
void picture_finish(struct picture *picture);

/* Whether to submit now; density pictures may have to wait a little, to be asked again. */
bool picture_ready(struct picture *picture);
/* How long the display shows a frame, and how long ago the explorer's time was let pass. */
void picture_set_pace(struct picture *picture, double frame_ms, double since_ms);
/* A frame has shown what there is, so many ms after the one before it. */
void picture_presented(struct picture *picture, double interval_ms);
/* Whether pictures in motion are wanted now, which picture_submit then makes; it is to be called for
 * the next one as soon as picture_serves says no. */
bool picture_moves(const struct picture *picture);
/* Whether what is in flight will be seen soon enough to be let finish. */
bool picture_serves(const struct picture *picture);
/* Whether the last picture was one in motion, which is to be followed by one for itself. */
bool picture_loose(const struct picture *picture);
/* Submits the explorer's target, as explorer_begin_request left it. Without `reuse` everything is
 * drawn again. False: no backend is left, or no memory; logged. What is `found`, here and below, is
 * for explorer_learn; where it is no_density, nothing was submitted, and the target is to be asked
 * for again. */
bool picture_submit(struct picture *picture, bool reuse, struct findings *found);
/* Takes news to the presenter; waits up to budget_ms for some. Once a turn, at rest too. False: as
 * picture_submit. */
bool picture_poll(struct picture *picture, double budget_ms, struct findings *found);
/* The last request, to be looked at only, with the route and the numbers that it is really drawn in. */
struct frame_req picture_drawn(const struct picture *picture);
/* Whether there is more to poll for. */
bool picture_busy(const struct picture *picture);
/* All pixels of the last request are there. */
bool picture_complete(const struct picture *picture);
/* The statistics of those; NULL while that is not known, and of density pictures. */
const struct statistics *picture_statistics(const struct picture *picture);

/* Before the first picture: draws what every one has behind it, for the target as
 * explorer_begin_request left it, which takes some milliseconds. */
void picture_begin(struct picture *picture);
/* Once it is complete and the view at rest: draws what lies around it, for the backdrop, then more
 * samples of each pixel, if the scene wants them. False: as picture_poll. */
bool picture_refine(struct picture *picture, struct findings *found);
/* Whether there is something left to do of that. */
bool picture_refining(const struct picture *picture);
/* Ends what is between two numbers of samples, in some 10 ms a megapixel at most. */
void picture_settle(struct picture *picture);
/* How many samples of each pixel the presenter shows, from 1; 0 while it is between two numbers. */
uint32_t picture_pixel_samples(const struct picture *picture);

/* Of density pictures: shows it in the explorer's tone from now on. False: as picture_poll. */
bool picture_change_tone(struct picture *picture, struct findings *found);
/* Counts no further, so that it becomes complete; or goes on. False: as picture_poll. */
bool picture_hold(struct picture *picture, bool hold, struct findings *found);
/* The samples that the presenter shows of the explorer's target; 0 for other pictures. */
uint64_t picture_samples(const struct picture *picture);
/* Whether few orbits pass there (density_judge_few), and what to tell then, once; NULL: nothing. Static text. */
bool picture_few_orbits(const struct picture *picture);
const char *picture_tell_few_orbits(struct picture *picture);
/* How many points a pixel shows, on average. */
double picture_points(const struct picture *picture);

#endif
