/* The slope of one perturbed point, by a way of its own along its orbit; for includers as those of perturbed_round.h. */
#ifndef FATHOM_RENDER_DEEP_POINT_SLOPE_WALK_H
#define FATHOM_RENDER_DEEP_POINT_SLOPE_WALK_H

#include "render/deep/point/perturbed_round.h"
#include "render/deep/point/slope_end.h"
#include "render/sample.h"

#ifdef FORMULA_KERNEL

/* Of a point that has escaped after `count` steps; `folded` as in perturbed_run_with. Nothing where doubles have another
 * count, or need too many rounds. */
INLINE struct slope perturbed_slope_walk(const struct perturbed_tables *t, const bool folded,
                                         double cr, double ci, uint32_t count, uint32_t limit) {
    const struct slope none = {0, 0, 0};
    struct perturbed_point o = {0.0, 0.0, cr, ci, 0, 0, 0};
    struct perturbed_cycle cycle = {0.0, 0.0, 0, PERTURBED_CYCLE_FIRST, 0};
    struct perturbed_slope d;
    uint32_t rounds = SLOPE_ROUNDS_MAX + 1;
    perturbed_begin_with(t, &o, &d);
    const enum perturbed_end end =
        perturbed_run_with(t, folded, &o, &d, limit, false, &cycle, &rounds);
    if (end != PERTURBED_ESCAPED || o.n != count || rounds > SLOPE_ROUNDS_MAX)
        return none;
    perturbed_place_of(t, &o, &cr, &ci);
    for (int i = 0; i < SMOOTH_STEPS && double_fma(o.zr, o.zr, o.zi * o.zi) < SMOOTH_NORM2; i++) {
        const uint32_t turn = perturbed_turn(t, folded, o.n + (uint32_t)i);
        perturbed_slope_step(t, folded, turn, o.zr, o.zi, &d);
        perturbed_direct_step(t, folded, turn, &o.zr, &o.zi, cr, ci);
    }
    return perturbed_slope_end(o.zr, o.zi, perturbed_any_folds(t, folded), &d);
}

#endif

#endif
