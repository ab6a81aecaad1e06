/* Counting short orbits, compiled once per instruction set and number type: a few vectors of a row
 * at a time, every step tested, with a counter per lane. */
#include "cpu/escape/lists.h"
#include "cpu/lanes_count.h"
#include "lab/count/count.h"
#include "render/interior.h"

#define COUNT_VECTORS (LANES == 1 ? 4 : 2)
#define COUNT_POINTS  (COUNT_VECTORS * LANES)
#define EACH_COUNTED  _Pragma("GCC unroll 8") for (int v = 0; v < COUNT_VECTORS; v++)

#define INSIDE_AFTER 7u /* steps after which a whole group may be inside */

_Static_assert(COUNT_GROUP_MAX % COUNT_POINTS == 0, "whole groups fit into the padding");

struct young {
    real cr[COUNT_VECTORS], zr[COUNT_VECTORS], zi[COUNT_VECTORS];
    real rr[COUNT_VECTORS], ii[COUNT_VECTORS]; /* squares, for unfused arithmetic */
    lanes alive[COUNT_VECTORS];
    counter steps[COUNT_VECTORS]; /* of the lanes: done when they escaped */
};

/* Which lanes of a vector have |z|^2 < 4. */
INLINE lanes bounded(struct young *y, int v, const bool fused) {
    const real zr = y->zr[v], zi = y->zi[v];
    y->ii[v] = zi * zi;
    y->rr[v] = zr * zr;
    if (fused)
        return lanes_less(real_fma(zr, zr, y->ii[v]), real_set(4));
    return lanes_less(y->rr[v] + y->ii[v], real_set(4));
}

/* A step, after `bounded`, whose squares it uses. */
INLINE void step(struct young *y, int v, real ci, const bool fused) {
    const real zr = y->zr[v], zi = y->zi[v];
    if (fused) {
        const real t = real_fma(zr, zr, y->cr[v]);
        y->zi[v] = real_fma(zr + zr, zi, ci);
        y->zr[v] = real_fma(-zi, zi, t);
    } else {
        y->zi[v] = real_twice(zr * zi, ci);
        y->zr[v] = (y->rr[v] - y->ii[v]) + y->cr[v];
    }
}

INLINE void count_step(struct young *y, int v, real ci, const bool fused, const bool last) {
    y->alive[v] = lanes_both(y->alive[v], bounded(y, v, fused));
    y->steps[v] = counter_add(y->steps[v], y->alive[v]);
    if (!last)
        step(y, v, ci, fused);
}

INLINE bool any_alive(const struct young *y) {
    lanes alive = y->alive[0];
    EACH_COUNTED alive = lanes_either(alive, y->alive[v]);
    return lanes_bits(alive) != 0;
}

/* Takes all together from 1 to `steps` steps, and says how many it was until some had escaped. */
INLINE uint32_t run_together(struct young *y, real ci, const bool fused, uint32_t steps) {
    for (uint32_t n = 1;; n++) {
        lanes alive = LANES_TRUE;
        EACH_COUNTED {
            y->alive[v] = bounded(y, v, fused);
            alive = lanes_both(alive, y->alive[v]);
        }
        if (n == steps || lanes_bits(alive) != ALL_LANES)
            return n;
        EACH_COUNTED step(y, v, ci, fused);
    }
}

/* Goes on from there, each lane counted. */
INLINE void run_apart(struct young *y, real ci, const bool fused, uint32_t n, uint32_t steps) {
    EACH_COUNTED y->steps[v] = counter_add(counter_set((int)n), y->alive[v]);
    if (n < steps)
        EACH_COUNTED step(y, v, ci, fused);
    for (n++; n + 2 <= steps && any_alive(y); n += 2) {
        EACH_COUNTED count_step(y, v, ci, fused, false);
        EACH_COUNTED count_step(y, v, ci, fused, false);
    }
    if (n < steps && any_alive(y)) {
        EACH_COUNTED count_step(y, v, ci, fused, false);
        n++;
    }
    if (n == steps && any_alive(y))
        EACH_COUNTED count_step(y, v, ci, fused, true);
}

/* Whether both ends of a piece of a row are surely in the cardioid, or both in the disc. Either
 * meets a row in one interval, so that all between them are. */
static bool surely_inside(number left, number right, number im) {
    const double margin = (double)INTERIOR_MARGIN, a = (double)left, b = (double)right,
                 y = (double)im;
    return (interior_cardioid(a, y, margin) && interior_cardioid(b, y, margin)) ||
           (interior_disc(a, y, INTERIOR_DISC_MARGINS * margin) &&
            interior_disc(b, y, INTERIOR_DISC_MARGINS * margin));
}

/* Adds the lanes that are bounded after all steps, and marks them in the counts. */
INLINE void keep_bounded(const struct count_points *p, const struct young *y, size_t at, real ci) {
    struct count_list *list = p->list;
    EACH_COUNTED {
        const size_t first = at + (size_t)v * LANES;
        unsigned bits = lanes_bits(y->alive[v]) & valid_lanes(p->size, first);
        if (list && bits) {
            pack_number((number *)list->cr + list->size, bits, y->cr[v]);
            pack_number((number *)list->ci + list->size, bits, ci);
            pack_number((number *)list->zr + list->size, bits, y->zr[v]);
            pack_number((number *)list->zi + list->size, bits, y->zi[v]);
        }
        for (; bits; bits &= bits - 1) {
            const size_t i = first + (size_t)__builtin_ctz(bits);
            p->count[i] = 0;
            if (list)
                list->where[list->size++] = p->first + (uint32_t)i;
        }
    }
}

INLINE void count_group(const struct count_points *p, size_t at, const bool fused) {
    const number *re = (const number *)p->re + at;
    uint32_t *count = p->count + at;
    const real ci = real_set((number)p->im);
    const uint32_t first = p->steps < INSIDE_AFTER ? p->steps : INSIDE_AFTER;
    struct young y;
    EACH_COUNTED {
        y.cr[v] = y.zr[v] = real_load(re + (size_t)v * LANES);
        y.zi[v] = ci;
    }
    const uint32_t n = run_together(&y, ci, fused, first);
    const bool any = any_alive(&y);
    if (n == first && any && p->shortcuts & SHORTCUTS_CARDIOID && at + COUNT_POINTS <= p->size &&
        surely_inside(re[0], re[COUNT_POINTS - 1], (number)p->im)) {
        memset(count, 0, COUNT_POINTS * sizeof *count);
        return;
    }
    EACH_COUNTED y.steps[v] = counter_set((int)n);
    if (any)
        run_apart(&y, ci, fused, n, p->steps);
    EACH_COUNTED counter_store(count + (size_t)v * LANES, y.steps[v]);
    if (any && any_alive(&y))
        keep_bounded(p, &y, at, ci);
}

#define NAME3(isa, type) count_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

void NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct count_points *p) {
    for (size_t at = 0; at < p->size; at += COUNT_POINTS)
        if (p->arithmetic == ARITHMETIC_FUSED)
            count_group(p, at, true);
        else
            count_group(p, at, false);
}
