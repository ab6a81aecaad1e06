/* Autopilot: decides from the counts of small pictures ("surveys") where the view zooms and how
 * fast. It steers towards structure, and turns back from dull places and from places where pictures
 * end or take too long. It is independent of views, backends and windows, and allocates nothing.
 * The same surveys at the same times and the same seed give the same flight.
 *
 * Places are complex numbers, x + i y in heights of the screen from its middle, y downwards. Depths
 * are in e-folds of the zoom from home, times in ms. */
#ifndef FATHOM_APP_EXPLORE_AUTOPILOT_H
#define FATHOM_APP_EXPLORE_AUTOPILOT_H

#include "app/explore/similarity.h"
#include <stdbool.h>
#include <stdint.h>

#define AUTOPILOT_WIDTH_MAX 64 /* [samples] maximum width and height of a survey */

/* Survey of the screen. */
struct autopilot_field {
    const uint32_t *counts;  /* width * height counts of a target that is done (sample.h) */
    int width, height;       /* 1 .. AUTOPILOT_WIDTH_MAX */
    struct similarity place; /* from its pixels, relative to its middle, to places on the screen */
    double aspect;           /* [heights] width of the screen */
    double depth;            /* of the screen */
    double room;             /* [e-folds] that pictures can still be zoomed in; < 0: too deep */
    double cost_ms;          /* estimated time of a whole picture here; 0: unknown */
};

struct autopilot {
    uint64_t random;
    bool out;            /* flies back */
    bool choose;         /* the next survey may choose any goal */
    double speed;        /* -AUTOPILOT_SPEED_OUT .. AUTOPILOT_SPEED_IN, multiples of a held zoom */
    double complex goal; /* place that it flies to */
    double complex at;   /* place about which it zooms */
    double complex pace; /* [heights/ms] velocity of `at` */
    double aspect, depth;
    double top;       /* depth at which the way back ends */
    double next_goal; /* depth from which another goal may be chosen */
    double room;      /* of the last survey, less the e-folds flown since */
    double caution;   /* 0 .. 1; factor of the speed if pictures take long */
    double unseen_ms; /* time since the last survey */
    int dull, slow;   /* consecutive dull surveys, and surveys with slow pictures */
    unsigned turns;   /* number of turning points so far */
    bool lost;        /* the last survey, as far out as home, was dull: go home */
};

#define AUTOPILOT_SPEED_IN  0.6
#define AUTOPILOT_SPEED_OUT 1.2
#define AUTOPILOT_RANGE     0.7 /* maximum distance of `at` from the middle, parts of the screen */
/* Limits at the usual speed of a held zoom; they grow with the speed. */
#define AUTOPILOT_USUAL     (1 / 700.0) /* [e-folds/ms] usual speed of a held zoom */
#define AUTOPILOT_PACE_MAX  0.0005      /* [heights/ms] speed of `at` */
#define AUTOPILOT_FORCE_MAX 1.5e-6      /* [heights/ms^2] acceleration of `at` */
#define AUTOPILOT_THRUST    0.0009      /* [1/ms] change of the speed */

void autopilot_init(struct autopilot *autopilot, uint64_t seed);
/* Evaluates a survey. `whole_way`: a way back from the end of precision or patience ends at
 * home. */
void autopilot_update(struct autopilot *autopilot, const struct autopilot_field *field,
                      bool whole_way);
/* Advances by a time; a held zoom grows by `usual` e-folds per ms. Paused, it slows down to a
 * stop. */
void autopilot_advance(struct autopilot *autopilot, double ms, double usual, bool paused);

#endif
