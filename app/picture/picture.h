/* The picture: requests the explorer's target, uploads the backend's pixels to the presenter, and
 * switches to another backend when one fails.
 *
 * A density picture never completes while more samples can improve it; picture_hold stops it. */
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

/* Limits of a density picture; more makes no visible difference. */
#define PICTURE_SAMPLES_MAX (UINT64_C(1) << 40)
#define PICTURE_POINTS_MAX  1e6 /* per pixel */

struct picture {
    /* presenter, active and explorer are the caller's and outlive this */
    struct presenter *presenter;
    struct active_backend *active;
    const struct explorer *explorer; /* read only; findings go to explorer_learn */
    struct frame_req req;            /* last submitted request */
    struct backend_report report;    /* latest report about `req` */
    bool gl;                         /* the target is a GL buffer */
    bool uploaded;                   /* all reported pixels are in the texture */
    bool host_copy;                  /* a GPU draws, but into host memory */
    double complete_ms;              /* [ms] duration of the last complete picture; 0: none */
    struct statistics statistics;    /* statistics of each pixel's first sample */
    bool has_statistics;             /* `statistics` is valid */
    bool judged_moving;              /* the statistics were judged in motion only */
    double submit_ms_max, cancel_ms_max;
    double upload_ms;               /* [ms] total time of uploads */
    double drawn_px, drawn_of_this; /* pixels drawn, without kept ones: in total, of this request */

    bool orbit_density;         /* the request is a density picture, `density` */
    struct density_req density; /* has the view, size and type of `req` */
    const char *problem;        /* why it cannot be drawn, static; NULL: it can */
    const char *logged_backend; /* name of the backend that `logged` is about */
    /* A bit per route, type and target; the last entry is orbit density's. */
    uint32_t logged[METHOD_COUNT + 1];
    struct backdrop_counter counter; /* draws the backdrop before a density picture */
    struct target target;            /* target of the density picture */
    bool shown;                      /* pixels have arrived in the presenter */
    struct density_judge judge;      /* judges how much is visible */
    bool held, full;                 /* no more samples: by picture_hold; because of the limits */
    double submitted_ms;
    struct cell_maker cell_maker;
    struct moving moving;       /* plans pictures in motion */
    bool tagged;                /* pictures have tags' colours (app/tags.h); set by the caller */
    uint64_t whole_generation;  /* generation of the last complete picture */
    struct antialias antialias; /* adds samples at rest */
    struct backdrop_maker backdrop_maker; /* draws the backdrop at rest */
};

void picture_init(struct picture *picture, struct presenter *presenter,
                  struct active_backend *active, const struct explorer *explorer);
/* Cancels all requests in flight. */
void picture_finish(struct picture *picture);

/* Returns true if picture_submit may be called now; density pictures may have to wait. */
bool picture_ready(struct picture *picture);
/* Sets the display interval, and the time since the explorer's time was last advanced [ms]. */
void picture_set_pace(struct picture *picture, double frame_ms, double since_ms);
/* Notes that a frame was shown, interval_ms after the previous one. */
void picture_presented(struct picture *picture, double interval_ms);
/* Returns true if pictures in motion are wanted; picture_submit then makes one. Submit the next
 * one as soon as picture_worth_finishing returns false. */
bool picture_wants_motion(const struct picture *picture);
/* Returns true if the picture in flight will be shown soon enough to let it finish. */
bool picture_worth_finishing(const struct picture *picture);
/* Returns true if the last picture was one in motion; an ordinary picture must follow it. */
bool picture_in_motion(const struct picture *picture);
/* Submits the explorer's target, as left by explorer_begin_request; without `reuse` everything
 * is drawn again. Returns false if no backend or memory is left; logged. `found`, here and
 * below, is for explorer_learn. With no_density nothing was submitted: request the target again. */
bool picture_submit(struct picture *picture, bool reuse, struct findings *found);
/* Uploads new pixels; waits up to budget_ms for some. Called every iteration, also at rest.
 * Returns as picture_submit. */
bool picture_poll(struct picture *picture, double budget_ms, struct findings *found);
/* Returns the last request with its actual route and number type. The caller must not free it. */
struct frame_req picture_drawn(const struct picture *picture);
/* Returns true if there is more to poll for. */
bool picture_busy(const struct picture *picture);
/* Returns true if all pixels of the last request have arrived. */
bool picture_complete(const struct picture *picture);
/* Returns the statistics of the complete picture; NULL if unknown, and for density pictures. */
const struct statistics *picture_statistics(const struct picture *picture);

/* Draws the first backdrop levels before the first picture, for the target as left by
 * explorer_begin_request. Takes some milliseconds. */
void picture_begin(struct picture *picture);
/* Refines a complete picture at rest: draws its backdrop, then more samples per pixel if the
 * scene has them. Returns as picture_poll. */
bool picture_refine(struct picture *picture, struct findings *found);
/* Returns true if refining is not finished. */
bool picture_refining(const struct picture *picture);
/* Finishes a mean that is being shown, in at most about 10 ms per megapixel. */
void picture_settle(struct picture *picture);
/* Returns the samples per pixel that the presenter shows, from 1; 0 while they differ. */
uint32_t picture_pixel_samples(const struct picture *picture);

/* Density pictures: applies the explorer's tone. Returns as picture_poll. */
bool picture_change_tone(struct picture *picture, struct findings *found);
/* Stops counting, so that the picture completes, or resumes it. Returns as picture_poll. */
bool picture_hold(struct picture *picture, bool hold, struct findings *found);
/* Returns how many samples the presenter shows of a density picture; 0 for other pictures. */
uint64_t picture_samples(const struct picture *picture);
/* Returns true if few orbits pass the view (density_judge_is_sparse). picture_tell_few_orbits
 * returns a message about it once, else NULL; static text. */
bool picture_few_orbits(const struct picture *picture);
const char *picture_tell_few_orbits(struct picture *picture);
/* Returns the mean number of points per pixel. */
double picture_points(const struct picture *picture);

#endif
