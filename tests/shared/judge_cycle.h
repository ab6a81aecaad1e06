/* Reference for cycles: finds by definition when an orbit returns to an earlier point. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_CYCLE_H
#define FATHOM_TESTS_SHARED_JUDGE_CYCLE_H

#include "tests/shared/judge_orbit.h"

/* Orbit of any number type, in doubles, which hold floats exactly. */
struct judged_orbit {
    const struct fractal *fractal;
    enum number_type type;
    double cr[2], ci[2], zr[2], zi[2];
    uint32_t done;
};

static inline void judged_advance(struct judged_orbit *o) {
    const struct fractal_step step = judge_step_of(o->fractal, o->done);
    const enum formula formula = (enum formula)step.formula;
    if (o->type == TYPE_FLOAT) {
        float zr = (float)o->zr[0], zi = (float)o->zi[0];
        if (step.power == 2)
            judge_step_float(formula, &zr, &zi, (float)o->cr[0], (float)o->ci[0]);
        else
            judge_power_float(formula, step.power, &zr, &zi, (float)o->cr[0], (float)o->ci[0]);
        o->zr[0] = zr;
        o->zi[0] = zi;
    } else if (o->type == TYPE_WIDE) {
        judge_fractal_wide(o->fractal, o->done, o->zr, o->zi, o->cr, o->ci);
    } else if (step.power == 2) {
        judge_step_double(formula, &o->zr[0], &o->zi[0], o->cr[0], o->ci[0]);
    } else {
        judge_power_double(formula, step.power, &o->zr[0], &o->zi[0], o->cr[0], o->ci[0]);
    }
    o->done = (o->done + 1) % (o->fractal->then_count + 1);
}

static inline bool judged_meet(const struct judged_orbit *a, const struct judged_orbit *b) {
    return a->done == b->done && a->zr[0] == b->zr[0] && a->zr[1] == b->zr[1] &&
           a->zi[0] == b->zi[0] && a->zi[1] == b->zi[1];
}

/* Returns the number of steps after which the orbit is at a point for the second time (Brent), or 0
 * if that takes more than `most`. */
static inline uint32_t judged_repeated(const struct judged_orbit *start, uint32_t most) {
    struct judged_orbit z = *start, then = z;
    uint32_t period = 0, n = 0;
    for (uint32_t power = 1; n < 4 * most; power *= 2, then = z) {
        for (period = 1; period <= power; period++, n++) {
            judged_advance(&z);
            if (judged_meet(&z, &then))
                break;
        }
        if (period <= power)
            break;
    }
    if (n >= 4 * most)
        return 0;
    struct judged_orbit ahead = *start; /* ahead by `period` steps */
    z = *start;
    for (n = 0; n < period || !judged_meet(&z, &ahead); n++) {
        if (n >= period)
            judged_advance(&z);
        judged_advance(&ahead);
    }
    return n;
}

#endif
