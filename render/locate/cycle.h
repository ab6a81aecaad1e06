/* What becomes of one point's orbit, in doubles: the period of the attracting cycle that it comes to, or
 * the count after which it escapes. By exact return: an orbit of rounded numbers that converges comes back
 * to a number that it had. What is not certain is not said, and nothing of maps (formula/map.h).
 *
 * Resumable: a search goes on by as many steps as it is given. One thread at a time. */
#ifndef FATHOM_RENDER_LOCATE_CYCLE_H
#define FATHOM_RENDER_LOCATE_CYCLE_H

#include "render/formula/fractal.h"

enum cycle_state {
    CYCLE_SEARCHED, /* not known yet */
    CYCLE_ESCAPES,  /* after `number` iterations, as a picture counts them */
    CYCLE_PERIOD,   /* `number`; of hybrids all steps count */
    CYCLE_UNKNOWN,  /* there is no telling: too many steps, a cycle that may repel, or two in one */
};

struct cycle_search {
    struct recipe recipe;
    double cr, ci; /* the parameter */
    enum cycle_state state;
    uint32_t number;
    uint32_t steps;      /* done */
    double zr, zi;       /* the orbit after them, */
    double keptr, kepti; /* and at the last power of two */
    uint32_t kept;
};

/* Of the point (re, im). */
void cycle_begin(struct cycle_search *search, const struct fractal *fractal, double re, double im);
/* Goes on by so many steps; once, where the orbit has come back, by up to some 100000 more. */
enum cycle_state cycle_search(struct cycle_search *search, uint32_t steps);

#endif
