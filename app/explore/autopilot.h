/* Flies by itself: from the counts of small pictures and from the passing of time to where the view
 * zooms and how fast. Looks for structure, turns back from dull places and from where pictures end
 * or take too long. Knows no view, backend or window, and allocates nothing; the same looks at the
 * same times and the same seed give the same flight.
 *
 * Places are complex numbers, x + i y in heights of the screen from its middle, y downwards. Depths
 * are in e-folds of the zoom from home; times in ms. */
#ifndef FATHOM_APP_EXPLORE_AUTOPILOT_H
#define FATHOM_APP_EXPLORE_AUTOPILOT_H

#include "app/explore/similarity.h"
#include <stdbool.h>
#include <stdint.h>

#define AUTOPILOT_WIDTH_MAX 64 /* samples of a small picture, each way, at most */

/* What a small picture says. */
struct autopilot_field {
    const uint32_t *counts; /* width * height, as a target that is done has them (sample.h) */
    int width, height;      /* 1 .. AUTOPILOT_WIDTH_MAX */
    /* where its pixels, from its middle, are on the screen now */
    struct similarity place;
    double aspect;  /* width of the screen, in heights */
    double depth;   /* of the screen */
    double room;    /* how much deeper pictures can be drawn; below 0: they cannot any more */
    double cost_ms; /* of a whole picture here; 0: not known */
};

struct autopilot {
    uint64_t random;
    bool out;            /* the way back */
    bool choose;         /* the next look may choose any goal */
    double speed;        /* -AUTOPILOT_SPEED_OUT .. AUTOPILOT_SPEED_IN, of a held zoom's */
    double complex goal; /* what it flies to, */
    double complex at;   /* the place about which it zooms, */
    double complex pace; /* and how that moves, in heights a ms */
    double aspect, depth;
    double top;       /* depth where the way back ends */
    double next_goal; /* depth where it may choose another one */
    double room;      /* as in the last look, less what it has flown since */
    double caution;   /* 0 .. 1, of the speed, where pictures take long */
    double unseen_ms; /* since the last look */
    int dull, slow;   /* looks that were, in a row */
    unsigned turns;   /* turning points so far */
    bool lost;        /* the last look saw nothing, as far out as home: go there */
};

#define AUTOPILOT_SPEED_IN  0.6
#define AUTOPILOT_SPEED_OUT 1.2
#define AUTOPILOT_RANGE     0.7 /* of `at`, in parts of the screen from its middle */
/* How fast `at` moves, and how fast that and the speed change, where a held zoom grows by
 * AUTOPILOT_USUAL e-folds a ms; where it is quicker, so are they. */
#define AUTOPILOT_USUAL     (1 / 700.0)
#define AUTOPILOT_PACE_MAX  0.0005 /* heights a ms */
#define AUTOPILOT_FORCE_MAX 1.5e-6 /* heights a ms^2 */
#define AUTOPILOT_THRUST    0.0009 /* of the speed, a ms */

void autopilot_init(struct autopilot *autopilot, uint64_t seed);
/* Takes a look. `whole_way`: the way back from the end of numbers or time ends at home. */
void autopilot_look(struct autopilot *autopilot, const struct autopilot_field *field,
                    bool whole_way);
/* Lets time pass; a held zoom grows by `usual` e-folds a ms. Paused, it comes to a stop
 * and stays there. */
void autopilot_advance(struct autopilot *autopilot, double ms, double usual, bool paused);

#endif
