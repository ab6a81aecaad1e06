/* What a view of a reference has at its indices, and the search for segments there. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_INDEX_H
#define FATHOM_RENDER_DEEP_PERTURBED_INDEX_H

#include "render/deep/perturbed.h"

#ifdef __OPENCL_C_VERSION__ /* whose devices all have one, and which does not guess that */
#define PERTURBED_HAS_INDEX(t) true
#else
#define PERTURBED_HAS_INDEX(t) ((t)->index != NULL)
#endif

/* How many of a list's segments serve orbits that end at `last`, with |c| < 2^c_most_log2. */
INLINE uint32_t perturbed_usable(const GLOBAL struct segment_list *list,
                                 const GLOBAL struct segment *segment, uint32_t last,
                                 int32_t c_most_log2) {
    uint32_t usable = 0;
    while (list->first + usable < list[1].first) {
        const GLOBAL struct segment *s = &segment[list->first + usable];
        if (s->t_c_log2 < c_most_log2 || list->start + (uint32_t)s->length > last)
            break;
        usable++;
    }
    return usable;
}

INLINE uint32_t perturbed_usable_at(const struct perturbed_tables *t, uint32_t m) {
    const uint32_t list = t->list_at[m];
    return list > 0 ? perturbed_usable(&t->list[list - 1], t->segment, t->last, t->c_most_log2) : 0;
}

/* Of an index without usable segments `first` is 1; see perturbed_index_make. */
INLINE struct perturbed_index perturbed_index_alone(const struct perturbed_tables *t, uint32_t m) {
    const uint32_t usable = perturbed_usable_at(t, m);
    struct perturbed_index index;
    index.re = t->orbit[2 * (size_t)m];
    index.im = t->orbit[2 * (size_t)m + 1];
    index.first = usable > 0 ? t->list[t->list_at[m] - 1].first : 1;
    index.usable = (uint16_t)usable;
    for (uint32_t k = 0; k < PERTURBED_KEYS; k++) {
        const int32_t log2 = k < usable ? t->segment[index.first + k].t_log2 : PERTURBED_KEY_NONE;
        index.key[k] = (int16_t)(log2 < PERTURBED_KEY_NONE ? PERTURBED_KEY_NONE : log2);
    }
    return index;
}

/* And there `first` is how many indices without segments, up to PERTURBED_RUN_MOST and before the last
 * one, follow one another from this one on. */
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

/* The longest usable segment for max|x| among those; PERTURBED_SINGLE: none. As keys are bounded, and not all are
 * there, the segments themselves decide about them. */
INLINE uint32_t perturbed_find_in(const struct perturbed_tables *t,
                                  const struct perturbed_index *index, int32_t x_log2) {
    for (uint32_t k = index->usable; k-- > 0;)
        if (x_log2 <= t->segment[index->first + k].t_log2)
            return index->first + k;
    return PERTURBED_SINGLE;
}

/* The same for a double's. */
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
