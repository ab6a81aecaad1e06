/* Moving samples: copies samples from one picture to the next. */
#ifndef FATHOM_GPU_KERNELS_MOVE_H
#define FATHOM_GPU_KERNELS_MOVE_H

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

#endif
