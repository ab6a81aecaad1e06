/* Pixel kernels: colour, move and export existing samples, and gather their statistics. Memory
 * bandwidth limits all of them. */
#ifndef FATHOM_GPU_KERNELS_PIXELS_KERNELS_H
#define FATHOM_GPU_KERNELS_PIXELS_KERNELS_H

#include "render/statistics.h"

KERNEL(clear, CLEAR_ARGUMENTS, struct clear_args, struct group) {
    const struct range_task *const a = VALUE_OF(at->task);
    const uint32_t group = thread_x() / GROUP_THREADS;
    for (uint32_t k = 0; k < CLEAR_PIXELS; k++) {
        const uint32_t i = (group * CLEAR_PIXELS + k) * GROUP_THREADS + thread_in_group();
        if (i < a->size) {
            at->count[a->begin + i] = SAMPLE_MISSING;
            STORE_RELAXED(at->rgba[a->begin + i], 0);
        }
    }
}

KERNEL(colour, COLOUR_ARGUMENTS, struct colour_args, struct group) {
    const struct colour_task *const a = VALUE_OF(at->task);
    const int number[3] = {TALLY_STEPS, TALLY_SKIPPED, TALLY_DONE};
    const uint32_t i = thread_x();
    const size_t pixel = (size_t)a->begin + i;
    bool done = false;
    group_begin(own);
    if (i < a->size) {
        done = SAMPLE_FINAL(PLANE(at->planes, count)[pixel], a->limit);
        if (at->rgba)
            STORE_RELAXED(at->rgba[pixel],
                          done ? shade_layers(&a->shades, at->table, at->planes.plane, pixel) : 0);
    }
    if (at->tally)
        team_tally(at->tally, number, 0, 0, done, own);
}

/* Returns true if the count of an existing sample depends on the limit. */
INLINE bool move_undecided(uint32_t count) {
    return (count & SAMPLE_INTERIOR) && count != SAMPLE_NEVER && count != SAMPLE_MISSING;
}

INLINE void move_scale(GLOBAL float *plane, size_t at, float unit) {
    if (plane)
        plane[at] *= unit;
}

/* Copies the planes of a sample and sets its count; multiplies distances by `unit`. Of a missing
 * sample, clears the planes that are made after the count. */
INLINE void move_planes(GLOBAL void *const *from_plane, GLOBAL void *const *to_plane, size_t from,
                        size_t to, uint32_t count, float unit) {
    const bool inside = count & SAMPLE_INTERIOR;
    const int end =
        inside ? SAMPLE_PLANES : SAMPLE_PLANE_period; /* SAMPLE_INSIDE begins with `period` */
    if (count != SAMPLE_MISSING)
        for (int p = SAMPLE_PLANE_count + 1; p < end; p++)
            if (to_plane[p])
                ((GLOBAL uint32_t *)to_plane[p])[to] =
                    ((const GLOBAL uint32_t *)from_plane[p])[from];
    if (count != SAMPLE_MISSING && unit != 1.0f) {
        move_scale((GLOBAL float *)to_plane[SAMPLE_PLANE_distance], to, unit);
        if (inside)
            move_scale((GLOBAL float *)to_plane[SAMPLE_PLANE_depth], to, unit);
    }
    if (count == SAMPLE_MISSING && to_plane[SAMPLE_PLANE_distance])
        ((GLOBAL uint32_t *)to_plane[SAMPLE_PLANE_distance])[to] = 0;
    if (count == SAMPLE_MISSING && to_plane[SAMPLE_PLANE_last])
        ((GLOBAL uint32_t *)to_plane[SAMPLE_PLANE_last])[to] = 0;
    ((GLOBAL uint32_t *)to_plane[SAMPLE_PLANE_count])[to] = count;
}

/* Returns the count of a pixel after a shift. Without states, orbits that may continue count as
 * missing. */
INLINE uint32_t move_shifted(const struct shift_task *a, GLOBAL void *const *from_plane,
                             const GLOBAL uint64_t *from_states, GLOBAL uint64_t *to_states,
                             uint32_t pixel, uint32_t *from) {
    if (!shift_from(a, pixel, from))
        return SAMPLE_MISSING;
    const uint32_t count = ((const GLOBAL uint32_t *)from_plane[SAMPLE_PLANE_count])[*from];
    if (a->state_words == 0 && !SAMPLE_FINAL(count, a->limit))
        return SAMPLE_MISSING;
    if (a->state_words > 0 && move_undecided(count))
        for (uint32_t word = 0; word < a->state_words; word++)
            to_states[(size_t)pixel * a->state_words + word] =
                from_states[(size_t)*from * a->state_words + word];
    return count;
}

KERNEL(shift, SHIFT_ARGUMENTS, struct shift_args, struct group) {
    const struct shift_task *const a = VALUE_OF(at->task);
    const uint32_t i = thread_x(), pixel = a->begin + i;
    uint32_t from = 0;
    if (i >= a->size)
        return;
    const uint32_t count =
        move_shifted(a, at->from.plane, at->from_states, at->to_states, pixel, &from);
    move_planes(at->from.plane, at->to.plane, from, pixel, count, 1.0f);
}

KERNEL(keep, KEEP_ARGUMENTS, struct keep_args, struct group) {
    const struct keep_task *const a = VALUE_OF(at->task);
    const uint32_t i = thread_x(), pixel = a->begin + i;
    uint32_t from = 0, count = SAMPLE_MISSING;
    if (i >= a->size)
        return;
    if (keep_from(a, at->lines, pixel, &from))
        count = keep_count(a, PLANE(at->from, count)[from]);
    move_planes(at->from.plane, at->to.plane, from, pixel, count, a->unit);
}

KERNEL(export_counts, EXPORT_ARGUMENTS, struct export_args, struct group) {
    const struct range_task *const a = VALUE_OF(at->task);
    const uint32_t i = thread_x();
    if (i >= a->size)
        return;
    const uint32_t count = at->from[a->begin + i];
    at->to[a->begin + i] = count & SAMPLE_INTERIOR ? SAMPLE_INTERIOR | a->limit : count;
}

/* Words of struct statistics: two of each number, except the extremes. */
enum { GATHER_INTERIOR = 2, GATHER_LEAST = 4, GATHER_MOST, GATHER_HISTOGRAM };

/* Indices of a group's counts: the buckets, interior samples, threads without a sample. */
enum { GATHER_INSIDE = STATISTICS_BUCKETS, GATHER_NOTHING, GATHER_SUMS };
struct gather_group {
    uint32_t sum[GATHER_SUMS], least, most;
};

INLINE void gather_clear(LOCAL struct gather_group *own) {
    for (uint32_t b = thread_in_group(); b < GATHER_SUMS; b += GROUP_THREADS)
        own->sum[b] = 0;
    if (thread_in_group() == 0) {
        own->least = 0xffffffffu;
        own->most = 0;
    }
    GROUP_BARRIER();
}

/* Adds the group's counts to the picture's. */
INLINE void gather_add(LOCAL struct gather_group *own, volatile GLOBAL uint32_t *sum) {
    GROUP_BARRIER();
    for (uint32_t b = thread_in_group(); b < STATISTICS_BUCKETS; b += GROUP_THREADS)
        if (own->sum[b] > 0)
            memory_add64(sum + GATHER_HISTOGRAM + 2 * b, own->sum[b]);
    if (thread_in_group() > 0)
        return;
    memory_add64(sum + GATHER_INTERIOR, own->sum[GATHER_INSIDE]);
    ATOMIC_MIN(sum + GATHER_LEAST, own->least);
    ATOMIC_MAX(sum + GATHER_MOST, own->most);
}

KERNEL(gather, GATHER_ARGUMENTS, struct gather_args, struct gather_group) {
    const struct range_task *const a = VALUE_OF(at->task);
    const uint32_t group = thread_x() / GROUP_THREADS;
    uint32_t least = 0xffffffffu, most = 0;
    gather_clear(own);
    for (uint32_t k = 0; k < GATHER_COUNTS; k++) {
        const uint32_t i = (group * GATHER_COUNTS + k) * GROUP_THREADS + thread_in_group();
        const bool there = i < a->size;
        const uint32_t count = there ? at->count[a->begin + i] : SAMPLE_INTERIOR;
        const bool inside = count & SAMPLE_INTERIOR;
        least = inside || count > least ? least : count;
        most = inside || count < most ? most : count;
        merged_add(own->sum, !there   ? GATHER_NOTHING
                             : inside ? GATHER_INSIDE
                                      : (uint32_t)statistics_bucket(count));
    }
    if (least < own->least) /* few threads pass this test */
        ATOMIC_MIN(&own->least, least);
    if (most > own->most)
        ATOMIC_MAX(&own->most, most);
    gather_add(own, at->sum);
}

#define KERNELS(X) X(clear) X(colour) X(shift) X(keep) X(export_counts) X(gather)

#endif
