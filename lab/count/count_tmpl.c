/* Counting, compiled once per instruction set and number type: a few vectors at a time, every step
 * tested, with a counter per lane. */
#include "cpu/escape/lists.h"
#include "cpu/lanes_count.h"
#include "lab/count/count.h"
#include "render/interior.h"

#define COUNT_VECTORS (LANES == 1 ? 4 : 2)
#define COUNT_POINTS  (COUNT_VECTORS * LANES)
#define EACH_COUNTED  _Pragma("GCC unroll 8") for (int v = 0; v < COUNT_VECTORS; v++)

#ifdef TILE_ISA_BASE /* The fma of the C library is slow there. */
#define TWICE(p, c) (((p) + (p)) + (c))
#else
#define TWICE(p, c) real_fma(real_set(2), p, c)
#endif

#define INSIDE_AFTER 7u /* steps after which a whole group may be inside */

_Static_assert(COUNT_GROUP_MAX % COUNT_POINTS == 0, "whole groups fit into the padding");

struct young {
    real cr[COUNT_VECTORS], ci[COUNT_VECTORS], zr[COUNT_VECTORS], zi[COUNT_VECTORS];
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
INLINE void step(struct young *y, int v, const bool fused) {
    const real zr = y->zr[v], zi = y->zi[v], ci = y->ci[v];
    if (fused) {
        const real t = real_fma(zr, zr, y->cr[v]);
        y->zi[v] = real_fma(zr + zr, zi, ci);
        y->zr[v] = real_fma(-zi, zi, t);
    } else {
        y->zi[v] = TWICE(zr * zi, ci);
        y->zr[v] = (y->rr[v] - y->ii[v]) + y->cr[v];
    }
}

INLINE void count_step(struct young *y, int v, const bool fused, const bool last) {
    y->alive[v] = lanes_both(y->alive[v], bounded(y, v, fused));
    y->steps[v] = counter_add(y->steps[v], y->alive[v]);
    if (!last)
        step(y, v, fused);
}

INLINE bool any_alive(const struct young *y) {
    lanes alive = y->alive[0];
    EACH_COUNTED alive = lanes_either(alive, y->alive[v]);
    return lanes_bits(alive) != 0;
}

/* Takes all together from 1 to `steps` steps, and says how many it was until some had escaped. */
INLINE uint32_t run_together(struct young *y, const bool fused, uint32_t steps) {
    for (uint32_t n = 1;; n++) {
        lanes alive = LANES_TRUE;
        EACH_COUNTED {
            y->alive[v] = bounded(y, v, fused);
            alive = lanes_both(alive, y->alive[v]);
        }
        if (n == steps || lanes_bits(alive) != ALL_LANES)
            return n;
        EACH_COUNTED step(y, v, fused);
    }
}

/* Goes on from there, each lane counted. */
INLINE void run_apart(struct young *y, const bool fused, uint32_t n, uint32_t steps) {
    EACH_COUNTED y->steps[v] = counter_add(counter_set((int)n), y->alive[v]);
    if (n < steps)
        EACH_COUNTED step(y, v, fused);
    for (n++; n + 2 <= steps && any_alive(y); n += 2) {
        EACH_COUNTED count_step(y, v, fused, false);
        EACH_COUNTED count_step(y, v, fused, false);
    }
    if (n < steps && any_alive(y)) {
        EACH_COUNTED count_step(y, v, fused, false);
        n++;
    }
    if (n == steps && any_alive(y))
        EACH_COUNTED count_step(y, v, fused, true);
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
INLINE void keep_bounded(const struct count_points *p, const struct young *y, size_t at) {
    struct count_list *list = p->list;
    EACH_COUNTED {
        const size_t first = at + (size_t)v * LANES;
        unsigned bits = lanes_bits(y->alive[v]) & valid_lanes(p->size, first);
        if (list && bits) {
            pack_number((number *)list->cr + list->size, bits, y->cr[v]);
            pack_number((number *)list->ci + list->size, bits, y->ci[v]);
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
    const uint32_t first = p->steps < INSIDE_AFTER ? p->steps : INSIDE_AFTER;
    struct young y;
    EACH_COUNTED {
        y.cr[v] = y.zr[v] = real_load(re + (size_t)v * LANES);
        y.ci[v] = y.zi[v] = real_set((number)p->im);
    }
    const uint32_t n = run_together(&y, fused, first);
    const bool any = any_alive(&y);
    if (n == first && any && p->shortcuts & SHORTCUTS_CARDIOID && at + COUNT_POINTS <= p->size &&
        surely_inside(re[0], re[COUNT_POINTS - 1], (number)p->im)) {
        memset(count, 0, COUNT_POINTS * sizeof *count);
        return;
    }
    EACH_COUNTED y.steps[v] = counter_set((int)n);
    if (any)
        run_apart(&y, fused, n, p->steps);
    EACH_COUNTED counter_store(count + (size_t)v * LANES, y.steps[v]);
    if (any && any_alive(&y))
        keep_bounded(p, &y, at);
}

/* --- lists --- */

#define LIST_VECTORS 4
#define LIST_POINTS  (LIST_VECTORS * LANES)
#define LIST_BLOCK   8u /* steps that are done before a test */
#define EACH_LISTED  _Pragma("GCC unroll 4") for (int v = 0; v < LIST_VECTORS; v++)

_Static_assert(LIST_POINTS <= COUNT_GROUP_MAX, "lists have room for whole groups");

struct old {
    real cr[LIST_VECTORS], ci[LIST_VECTORS], zr[LIST_VECTORS], zi[LIST_VECTORS];
};

INLINE void old_step(struct old *o, int v, const bool fused) {
    const real zr = o->zr[v], zi = o->zi[v], cr = o->cr[v], ci = o->ci[v];
    if (fused) {
        o->zr[v] = real_fma(-zi, zi, real_fma(zr, zr, cr));
        o->zi[v] = real_fma(zr + zr, zi, ci);
    } else {
        o->zr[v] = (zr * zr - zi * zi) + cr;
        o->zi[v] = TWICE(zr * zi, ci);
    }
}

/* Which of the lanes `alive` have |z|^2 < 4. */
INLINE unsigned still_bounded(const struct old *o, int v, unsigned alive, const bool fused) {
    const real zr = o->zr[v], ii = o->zi[v] * o->zi[v];
    real n2 = zr * zr + ii;
    if (fused)
        n2 = real_fma(zr, zr, ii);
    return lanes_bits(lanes_less(n2, real_set(4))) & alive;
}

/* Does some steps of a vector after n, with a test after each; returns which lanes are alive. */
INLINE unsigned old_singly(struct old *o, int v, unsigned alive, uint32_t n, uint32_t steps,
                           const uint32_t *where, uint32_t *count, const bool fused) {
    for (uint32_t k = 1; k <= steps && alive; k++) {
        old_step(o, v, fused);
        const unsigned now = still_bounded(o, v, alive, fused);
        for (unsigned gone = alive & ~now; gone; gone &= gone - 1)
            count[where[v * LANES + __builtin_ctz(gone)]] = n + k;
        alive = now;
    }
    return alive;
}

/* Takes a group of a list, whose orbits have done n steps, to `end`. The bounded ones move to the
 * list's start, which is at most `at`. Once out, orbits whose |c|^2 is less than FORMULA_SAFE stay out,
 * so that a test serves a block of steps; a block with an escape is done again. With `cycles`, orbits
 * that come back to where they were at n are dropped: they never escape. */
INLINE void resume_group(struct count_list *list, size_t size, size_t at, uint32_t n, uint32_t end,
                         bool cycles, uint32_t *count, const bool fused) {
    uint32_t where[LIST_POINTS];
    unsigned alive[LIST_VECTORS];
    bool any = true, safe = true;
    struct old o;
    memcpy(where, list->where + at, sizeof where);
    EACH_LISTED {
        const size_t i = at + (size_t)v * LANES;
        o.cr[v] = real_load((const number *)list->cr + i);
        o.ci[v] = real_load((const number *)list->ci + i);
        o.zr[v] = real_load((const number *)list->zr + i);
        o.zi[v] = real_load((const number *)list->zi + i);
        alive[v] = valid_lanes(size, i);
        const real c2 = o.cr[v] * o.cr[v] + o.ci[v] * o.ci[v];
        const unsigned inner = lanes_bits(lanes_less(c2, real_set((number)FORMULA_SAFE)));
        safe = safe && (alive[v] & inner) == alive[v];
    }
    const struct old first = o;
    for (uint32_t steps; any && n < end; n += steps) {
        struct old before = o;
        any = false;
        steps = end - n < LIST_BLOCK || !safe ? 1 : LIST_BLOCK;
        for (uint32_t k = 0; k < steps; k++)
            EACH_LISTED old_step(&o, v, fused);
        EACH_LISTED {
            if (still_bounded(&o, v, alive[v], fused) != alive[v]) {
                alive[v] = old_singly(&before, v, alive[v], n, steps, where, count, fused);
                o.zr[v] = before.zr[v];
                o.zi[v] = before.zi[v];
            }
            if (cycles)
                alive[v] &=
                    ~(unsigned)lanes_bits(lanes_equal(o.zr[v], first.zr[v], o.zi[v], first.zi[v]));
            any = any || alive[v];
        }
    }
    EACH_LISTED {
        pack_number((number *)list->cr + list->size, alive[v], o.cr[v]);
        pack_number((number *)list->ci + list->size, alive[v], o.ci[v]);
        pack_number((number *)list->zr + list->size, alive[v], o.zr[v]);
        pack_number((number *)list->zi + list->size, alive[v], o.zi[v]);
        for (; alive[v]; alive[v] &= alive[v] - 1)
            list->where[list->size++] = where[v * LANES + __builtin_ctz(alive[v])];
    }
}

/* Removes the points that are surely inside; their counts are 0 already. */
static void drop_inside(struct count_list *list) {
    number *const members[] = {list->cr, list->ci, list->zr, list->zi};
    size_t kept = 0;
    for (size_t i = 0; i < list->size; i++) {
        if (interior_surely((double)members[0][i], (double)members[1][i], (double)INTERIOR_MARGIN))
            continue;
        for (int k = 0; k < 4; k++)
            members[k][kept] = members[k][i];
        list->where[kept++] = list->where[i];
    }
    list->size = kept;
}

#define NAME4(what, isa, type) count_##what##isa##_##type
#define NAME3(what, isa, type) NAME4(what, isa, type)

INLINE void count_on(struct count_list *list, bool cycles, uint32_t done, uint32_t limit,
                     uint32_t *count, const bool fused) {
    while (list->size > 0 && done < limit) {
        const uint32_t more = done / 2 / LIST_BLOCK * LIST_BLOCK + LIST_BLOCK;
        const uint32_t steps = limit - done < more ? limit : done + more;
        const size_t size = list->size;
        list->size = 0;
        for (size_t at = 0; at < size; at += LIST_POINTS)
            resume_group(list, size, at, done, steps, cycles, count, fused);
        done = steps;
    }
    list->size = 0;
}

void NAME3(on_, TILE_ISA_NAME, TILE_TYPE_NAME)(struct count_list *list,
                                               enum lab_arithmetic arithmetic, unsigned shortcuts,
                                               uint32_t done, uint32_t limit, uint32_t *count) {
    const bool cycles = shortcuts & SHORTCUTS_CYCLE;
    if (shortcuts & SHORTCUTS_CARDIOID)
        drop_inside(list);
    if (arithmetic == LAB_FUSED)
        count_on(list, cycles, done, limit, count, true);
    else
        count_on(list, cycles, done, limit, count, false);
}

void NAME3(, TILE_ISA_NAME, TILE_TYPE_NAME)(const struct count_points *p) {
    for (size_t at = 0; at < p->size; at += COUNT_POINTS)
        if (p->arithmetic == LAB_FUSED)
            count_group(p, at, true);
        else
            count_group(p, at, false);
}
