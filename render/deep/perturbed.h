/* Perturbation: the definition of its rounds, which all devices share to the last bit, and the
 * tables of a view.
 *
 * For z^2 + c an orbit W_n = Z_m + z is iterated as its distance z from a reference orbit Z. With c
 * the distance from the reference's parameter, a step is z' = (2 Z_m + z) z + c, m' = m + 1. Orbits
 * begin at the sum of their view's series (struct series), at the series' index. A Julia set's
 * orbits share their parameter, so c = 0 once they have begun; before, c is the distance between
 * their starts. Their reference is two orbits in sequence (reference.h). A round is, in this order:
 *   - W = Z_m + z; |W|^2 >= 4: escaped, with the count n;
 *   - n at least the limit: interior, as far as known;
 *   - max|W| < max|z|, or m is the last index: z = W, m = 0 (rebasing, mathr.co.uk 2022-02);
 *   - max|W| >= tail_from and max|z| >= TAIL_SHARE max|W|: the orbit leaves the reference. In the
 *     tail w = W is iterated itself, in blocks of TAIL_STEPS steps, until it escapes, or until
 *     max|w| < tail_from after a block: z = w, m = 0. The tail rounds W, where the other rounds
 *     only round z. Pictures whose counts that would change have no tail (tail_from is INFINITY);
 *   - x = (2 Z_m + z) z; the longest segment at m with max|x| < T (struct segment), or T / 2 with
 *     terms in x c and c^2 (struct segment_cross), is taken, or a single step if there is none.
 * A round may pass the limit, which changes nothing: no orbit escapes within a segment. The first
 * of two orbits ends at the limit, or where orbits around it have escaped or are rebased. If
 * doubles do not hold the view's distances, z is an extended number below 2^PERTURBED_DOUBLE_FROM.
 * A step that would leave a double with too few bits is made in extended numbers, too.
 *
 * For other powers and folds x is f(Z_m + z) - f(Z_m), where f is the formula without c
 * (perturbed_difference), and there is no series. Wide numbers follow the same rules, with tests on
 * the high parts; orbits begin at z = 0. A low part decides only whether |W|^2 is below 4 where the
 * high parts' square is 4 or more (wide_escapes).
 *
 * A hybrid makes several steps in turn. A rebased orbit continues from 0, but with the step whose
 * turn it is. The reference therefore has an orbit of 0 for each step, beginning with that step.
 * These orbits have the same C and follow one another. An orbit that has made n steps is rebased to
 * the orbit of step n % length. Around each of these orbits, an index has that orbit's step. Only
 * the last orbit may end early: the others go to the limit, or until orbits around them have
 * escaped or are rebased.
 *
 * perturbed_steps.h has the arithmetic of doubles, perturbed_extended.h that below their range. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_H
#define FATHOM_RENDER_DEEP_PERTURBED_H

#include "render/deep/extended.h"
#include "render/deep/minibrot.h"
#include "render/deep/tables/segment.h"
#include "render/formula/step_list.h"

#define PERTURBED_TAIL_FROM  0x1p-6 /* max|W| from which on orbits may leave their reference */
#define PERTURBED_TAIL_SHARE 0x1p-8
#define PERTURBED_TAIL_STEPS 8
#define PERTURBED_TAIL_SAFE  3.5 /* |c|^2 below it: an orbit that has escaped never comes back */

/* log2 of the least |c| of views in doubles that use terms in x c and c^2 */
#define PERTURBED_CROSS_LEAST (-84)

#define PERTURBED_SURELY_INSIDE 0x1.6p0 /* max|W| below it: |W| < 2 */

/* log2 of max|z| from which on z is a double, and the least max|z| and max|x| of a step in
 * doubles. */
#define PERTURBED_DOUBLE_FROM (-800)
#define PERTURBED_Z_LEAST     0x1p-900
#define PERTURBED_X_LEAST     0x1p-960

/* An index of a reference where max(|re|, |im|) < 2^-900, whose doubles may have lost bits. */
struct perturbed_small {
    uint32_t index;
    struct extended z;
    double re_low, im_low; /* low parts of wide numbers, in units of 2^z.log2 */
};

/* Data of an index of the reference for a view. The data are in one piece because GPU threads wait
 * longer for an address than they compute. */
#define PERTURBED_KEYS 5
struct ALIGNED_16 perturbed_index {
    double re, im;               /* Z */
    uint32_t first;              /* first segment; without usable ones, a number of steps */
    uint16_t usable;             /* number of segments that the view uses, the shortest ones */
    int16_t key[PERTURBED_KEYS]; /* t_log2 of the first ones, or PERTURBED_KEY_NONE */
};
#define PERTURBED_KEY_NONE (-32768)
#define PERTURBED_RUN_MOST 16

/* A reference and its tables, for one view. */
struct perturbed_tables {
    const GLOBAL struct perturbed_index *index; /* of 0 .. last; NULL: made by each lookup */
    const GLOBAL double *orbit;                 /* pairs: Z_0 .. Z_last */
    const GLOBAL struct perturbed_small *small;
    const GLOBAL uint32_t *list_at; /* as in struct segments, for these two */
    const GLOBAL struct segment_list *list;
    /* of a list: number of segments that the view uses, the shortest ones */
    const GLOBAL uint8_t *usable;
    const GLOBAL struct segment *segment;
    const GLOBAL struct segment_cross *cross; /* NULL: not used */
    const GLOBAL double (*c)[2];              /* of a segment: C in units of 2^-c_log2 */
    double re, im;                            /* the reference's parameter C */
    double from_re,
        from_im; /* c is the distance from this: C, or the start of a Julia set's orbit */
    /* 4 - |from|^2 in units of 2^c_log2; INFINITY where doubles decide who escapes */
    double inside;
    /* |W|^2 where orbits in doubles escape: 4, or the next double around a wide reference, which
     * may be on the circle |Z| = 2 */
    double escape;
    double tail_from; /* PERTURBED_TAIL_FROM; INFINITY: orbits never leave the reference */
    uint32_t smalls, last, julia; /* `julia` is 0 or 1 */
    int32_t c_log2;      /* distances c are in units of 2^c_log2; 0 while doubles hold them */
    int32_t c_most_log2; /* every |c| < 2^c_most_log2 */
    /* A pixel's step is `step` 2^step_log2, 0.5 <= step < 1; it adds `unit` 2^unit_log2 to c,
     * nothing in a Julia set. */
    double step, step_log2, unit, unit_log2;
    struct series series;
    struct minibrot minibrot; /* of z^2 + c */
    /* Low parts of wide numbers, which have no series; otherwise NULL and 0. */
    const GLOBAL double *orbit_low;
    const GLOBAL struct segment_low *low;
    const GLOBAL double (*c_low)[2];
    double re_low, im_low;
    /* The steps; index where the orbit begins whose first step is number i; and what segments of
     * formulas other than z^2 + c have in addition, otherwise NULL. */
    struct step_list steps;
    const GLOBAL uint32_t *begin;
    const GLOBAL struct segment_bar *bar;
    const GLOBAL double (*c_bar)[4]; /* of a segment: C', in the same units, and its low parts */
    const GLOBAL struct segment_cross_bar *cross_bar; /* goes with `cross` */
};

/* Returns true if a view uses the terms in x c and c^2 of one of its segments. */
INLINE bool perturbed_crosses(const struct perturbed_tables *t, const GLOBAL struct segment *s) {
    return s->t_c_log2 < t->c_most_log2;
}

/* Returns log2 of the T that a view uses. */
INLINE int32_t perturbed_t_log2(const struct perturbed_tables *t, const GLOBAL struct segment *s) {
    return s->t_log2 - perturbed_crosses(t, s);
}

/* Returns the longest usable segment at m for max|x|, or -1. `x_log2` is the least with max|x| <
 * 2^x_log2. */
INLINE int64_t perturbed_find(const struct perturbed_tables *t, uint32_t m, int32_t x_log2) {
    const uint32_t list = t->list_at[m];
    if (list == 0)
        return -1;
    const uint32_t first = t->list[list - 1].first;
    for (uint32_t k = t->usable[list - 1]; k-- > 0;)
        if (x_log2 <= perturbed_t_log2(t, &t->segment[first + k]))
            return first + k;
    return -1;
}

INLINE int32_t perturbed_log2(double most) {
    return (int32_t)(double_bits(most) >> 52) - 1022;
}

/* Returns the number of the step after n steps. `folded`, here and below: the formula is not z^2 +
 * c. */
INLINE uint32_t perturbed_turn(const struct perturbed_tables *t, const bool folded, uint32_t n) {
    return folded ? step_list_number(&t->steps, n) : 0;
}

/* Returns the index that orbits are rebased to before that step. */
INLINE uint32_t perturbed_begin_of(const struct perturbed_tables *t, uint32_t turn) {
    return turn > 0 ? t->begin[turn] : 0;
}

INLINE int perturbed_power(const struct perturbed_tables *t, const bool folded, uint32_t turn) {
    return folded ? step_list_power(&t->steps, turn) : 2;
}

INLINE unsigned perturbed_folds(const struct perturbed_tables *t, const bool folded,
                                uint32_t turn) {
    return folded ? step_list_folds(&t->steps, turn) : FOLD_NONE;
}

/* Returns true if any step folds. */
INLINE bool perturbed_any_folds(const struct perturbed_tables *t, const bool folded) {
    return folded && t->steps.folds != 0;
}

/* OpenCL devices always have an index, but their compiler cannot know that */
#ifdef __OPENCL_C_VERSION__
#define PERTURBED_HAS_INDEX(t) true
#else
#define PERTURBED_HAS_INDEX(t) ((t)->index != NULL)
#endif

/* Returns how many segments of list number `number` the view uses. */
INLINE uint32_t perturbed_usable(const struct perturbed_tables *t, uint32_t number) {
    const GLOBAL struct segment_list *list = &t->list[number];
    uint32_t usable = 0;
    for (; list->first + usable < list[1].first; usable++) {
        const GLOBAL struct segment *s = &t->segment[list->first + usable];
        if (list->start + (uint32_t)s->length > t->last)
            break;
        if (perturbed_crosses(t, s) &&
            (!t->cross || t->cross[list->first + usable].t_c_log2 < t->c_most_log2))
            break;
    }
    return usable;
}

INLINE uint32_t perturbed_usable_at(const struct perturbed_tables *t, uint32_t m) {
    const uint32_t list = t->list_at[m];
    return list > 0 ? perturbed_usable(t, list - 1) : 0;
}

/* Makes the index of m alone: without usable segments `first` is 1. */
INLINE struct perturbed_index perturbed_index_alone(const struct perturbed_tables *t, uint32_t m) {
    const uint32_t usable = perturbed_usable_at(t, m);
    struct perturbed_index index;
    index.re = t->orbit[2 * (size_t)m];
    index.im = t->orbit[2 * (size_t)m + 1];
    index.first = usable > 0 ? t->list[t->list_at[m] - 1].first : 1;
    index.usable = (uint16_t)usable;
    for (uint32_t k = 0; k < PERTURBED_KEYS; k++) {
        const int32_t log2 =
            k < usable ? perturbed_t_log2(t, &t->segment[index.first + k]) : PERTURBED_KEY_NONE;
        index.key[k] = (int16_t)(log2 < PERTURBED_KEY_NONE ? PERTURBED_KEY_NONE : log2);
    }
    return index;
}

/* Makes the index of m; without usable segments `first` is the number of indices without segments
 * that follow one another from m on, up to PERTURBED_RUN_MOST and before the last one. */
INLINE struct perturbed_index perturbed_index_make(const struct perturbed_tables *t, uint32_t m) {
    struct perturbed_index index = perturbed_index_alone(t, m);
    if (index.usable == 0)
        while (index.first < PERTURBED_RUN_MOST && m + index.first < t->last &&
               perturbed_usable_at(t, m + index.first) == 0)
            index.first++;
    return index;
}

INLINE struct perturbed_index perturbed_index_load(const GLOBAL struct perturbed_index *from) {
#if defined __CUDACC__ ||                                                                          \
    defined __OPENCL_C_VERSION__ /* which take each member when they need it */
    union {
        uint4 part[2];
        struct perturbed_index index;
    } whole;
    whole.part[0] = ((const GLOBAL uint4 *)from)[0];
    whole.part[1] = ((const GLOBAL uint4 *)from)[1];
    return whole.index;
#else
    return *from;
#endif
}

INLINE struct perturbed_index perturbed_index_at(const struct perturbed_tables *t, uint32_t m) {
    return PERTURBED_HAS_INDEX(t) ? perturbed_index_load(&t->index[m])
                                  : perturbed_index_alone(t, m);
}

#define PERTURBED_SINGLE 0xffffffffu

/* Returns the longest usable segment of an index for max|x|, or PERTURBED_SINGLE. Keys are bounded
 * and incomplete, so the segments decide. */
INLINE uint32_t perturbed_find_in(const struct perturbed_tables *t,
                                  const struct perturbed_index *index, int32_t x_log2) {
    for (uint32_t k = index->usable; k-- > 0;)
        if (x_log2 <= perturbed_t_log2(t, &t->segment[index->first + k]))
            return index->first + k;
    return PERTURBED_SINGLE;
}

/* Returns the same for a double's max|x|, by the keys. */
INLINE uint32_t perturbed_find_by_keys(const struct perturbed_tables *t,
                                       const struct perturbed_index *index, int32_t x_log2) {
    uint32_t fit = 0;
    if (x_log2 > index->key[0])
        return PERTURBED_SINGLE;
    for (uint32_t k = 1; k < PERTURBED_KEYS; k++)
        fit += (uint32_t)(x_log2 <= index->key[k]);
    if (fit == PERTURBED_KEYS - 1 && index->usable > PERTURBED_KEYS)
        return perturbed_find_in(t, index, x_log2);
    return index->first + fit;
}

#endif
