/* The cycle that an orbit comes to that does not escape. */
#ifndef FATHOM_GPU_KERNELS_WALK_INSIDE_H
#define FATHOM_GPU_KERNELS_WALK_INSIDE_H

#include "gpu/kernels/walk.h"

struct inside {
    uint32_t period, atom;
    float depth, last;
};

INLINE_VALUE void inside_on(const struct walk_task *a, uint32_t n, ORBIT *o) {
    const uint32_t which = walk_which(a, n);
    const unsigned folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        walk_z(power, folds, &o->zr, &o->zi, o->cr, o->ci);                                        \
        break;
        WALK_CASE(2)
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

INLINE_VALUE void inside_find(const struct walk_task *a, ORBIT *o, struct inside *in) {
    const uint32_t length = a->recipe.length, most = inside_steps_max(&a->recipe);
    real mark_r = 0, mark_i = 0, least = (real)INSIDE_FAR, enough = 0;
    uint32_t mark = 0, next = inside_first(length);
    for (uint32_t n = 1; n <= most; n++) {
        inside_on(a, n - 1, o);
        const real zr = number_high(o->zr), zi = number_high(o->zi);
        const real square = number_norm2(o->zr, o->zi);
        in->atom = square < least ? n : in->atom;
        least = square < least ? square : least;
        if (!(square < (real)of_host(a->recipe.escape)))
            return;
        if (mark > 0 && (length == 1 || (n - mark) % length == 0)) {
            const real apart = inside_apart(zr, zi, mark_r, mark_i);
            if (apart < enough) {
                in->period = n - mark;
                return;
            }
            const real nearer = number_nearer(o->zr) * apart;
            enough = nearer < enough ? nearer : enough;
        }
        if (n == next) {
            mark_r = zr;
            mark_i = zi;
            enough = number_near(o->zr);
            mark = n;
            next = 2 * n;
        }
    }
}

/* Once more round the cycle. */
INLINE_VALUE void inside_go_round(const struct walk_task *a, uint32_t period, bool deep, ORBIT *o,
                                  struct inside_turn *turn) {
    for (uint32_t n = 0; n < period; n++) {
        const struct inside_number z = {number_high(o->zr), number_high(o->zi)};
        const double square = inside_square(z);
        turn->least = square < turn->least ? square : turn->least;
        if (deep)
            inside_derive(a->recipe.power[0], z, turn);
        inside_on(a, n, o);
    }
}

INLINE_VALUE struct inside inside_walk(const struct walk_task *a, const GLOBAL COORDS *coords,
                                       uint32_t pixel, ORBIT *o) {
    struct inside in = {0, 0, 0.0f, INSIDE_NONE};
    walk_begin(a, coords, pixel, &o->zr, &o->zi, &o->cr, &o->ci);
    inside_find(a, o, &in);
    const bool found = in.period > 0, deep = inside_has_depth(&a->recipe);
    struct inside_turn turn = inside_turn_begin();
    inside_go_round(a, in.period, deep, o, &turn);
    if (found && deep)
        in.depth = inside_depth(a->recipe.power[0], &turn, of_host(a->unit));
    if (found)
        in.last = trace_nearness(double_sqrt(turn.least));
    return in;
}

#endif
