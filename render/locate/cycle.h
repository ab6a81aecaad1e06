/* Cycle search: follows the orbit of one point in doubles and finds the period of its attracting
 * cycle, or the count after which it escapes. An orbit of rounded numbers that converges returns
 * exactly to an earlier number. Uncertain results are CYCLE_UNKNOWN, and so are all maps
 * (formula/map.h).
 *
 * The search can be continued in portions of any number of steps. One thread at a time. */
#ifndef FATHOM_RENDER_LOCATE_CYCLE_H
#define FATHOM_RENDER_LOCATE_CYCLE_H

#include "render/formula/fractal.h"

enum cycle_state {
    CYCLE_SEARCHED, /* not decided yet */
    CYCLE_ESCAPES,  /* escapes after `number` iterations, as pictures count */
    CYCLE_PERIOD,   /* has an attracting cycle of period `number`, where hybrids count every step */
    CYCLE_UNKNOWN,  /* too many steps, a cycle that may repel, or points that are too close */
};

struct cycle_search {
    struct recipe recipe;
    double cr, ci; /* parameter */
    enum cycle_state state;
    uint32_t number;
    uint32_t steps;      /* number of steps so far */
    double zr, zi;       /* z after `steps` steps */
    double keptr, kepti; /* z after `kept` steps, the last power of two */
    uint32_t kept;
};

/* Begins the search at the point (re, im). */
void cycle_begin(struct cycle_search *search, const struct fractal *fractal, double re, double im);
/* Continues for up to `steps` steps. Once the orbit has returned, up to about 100000 more steps are
 * necessary. */
enum cycle_state cycle_search(struct cycle_search *search, uint32_t steps);

#endif
