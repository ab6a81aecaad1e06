/* What lanes of a vector of perturbed orbits do together: which of them begin a round in a way of their
 * own, and whether the others take the same segment. The includer has included render/formula/formula_step.h with
 * FORMULA_KERNEL. */
#ifndef FATHOM_CPU_DEEP_PARTING_H
#define FATHOM_CPU_DEEP_PARTING_H

#include "cpu/lanes_deep.h"
#include "render/deep/perturbed.h"

/* Those that escape, rebase or leave the reference. */
INLINE unsigned parting_lanes(real wr, real wi, real zr, real zi) {
    const real most_w = real_most(real_abs(wr), real_abs(wi));
    const real most_z = real_most(real_abs(zr), real_abs(zi));
    const lanes escaped = lanes_not_less(norm2(wr, wi), real_set(4));
    const lanes far = lanes_not_less(most_w, real_set(PERTURBED_TAIL_FROM));
    const lanes wide = lanes_not_less(most_z, real_set(PERTURBED_TAIL_SHARE) * most_w);
    return lanes_bits(
        lanes_or(escaped, lanes_or(lanes_less(most_w, most_z), lanes_and(far, wide))));
}

#define NONE  (-1)
#define APART (-2)

/* The segment that all living lanes take; NONE: they take a single step; APART: neither. */
INLINE int64_t find_together(const struct perturbed_tables *t, unsigned alive, uint32_t m, real xr,
                             real xi) {
    const uint32_t list = t->list_at[m];
    if (list == 0)
        return NONE;
    const real most = real_most(real_abs(xr), real_abs(xi));
    const uint32_t first = t->list[list - 1].first;
    for (uint32_t i = t->usable[list - 1]; i-- > 0;) {
        const double T = extended_any_power(t->segment[first + i].t_log2);
        const unsigned over = lanes_bits(lanes_not_less(most, real_set(T))) & alive;
        if (over == 0)
            return first + i;
        if (over != alive)
            return APART;
    }
    return NONE;
}

#endif
