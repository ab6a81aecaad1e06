/* Colours, moves and hands out samples that are there already, and gathers statistics of them. */

#define PLANES_PARAMETER(name, type) , GLOBAL type *name
#define PLANES_TO(name, type)        , GLOBAL uint *to_##name
#define PLANES_FROM(name, type)      , GLOBAL uint *from_##name
#define PLANES_NAME(name, type)      name,
#define PLANES_TO_NAME(name, type)   to_##name,
#define PLANES_FROM_NAME(name, type) from_##name,

__kernel void clear(const uint begin, const uint size, GLOBAL uint *count, GLOBAL uint *rgba) {
    const uint i = (uint)get_global_id(0);
    if (i >= size)
        return;
    count[begin + i] = SAMPLE_MISSING;
    rgba[begin + i] = 0;
}

__kernel void colour(const struct colour_task a, const uint counts, GLOBAL uint *rgba, const GLOBAL uint *table,
                     GLOBAL uint *tally SAMPLE_PLANE_LIST(PLANES_PARAMETER)) {
    GLOBAL void *const plane[] = {SAMPLE_PLANE_LIST(PLANES_NAME)};
    __local uint found;
    const uint i = (uint)get_global_id(0);
    if (get_local_id(0) == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < a.size) {
        const size_t pixel = (size_t)a.begin + i;
        const bool done = SAMPLE_FINAL(count[pixel], a.limit);
        if (rgba)
            rgba[pixel] = done ? shade_layers(&a.shades, table, plane, pixel) : 0;
        if (done && counts)
            atomic_inc(&found);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && counts && found > 0)
        memory_add(memory_share(tally) + TALLY_DONE, found);
}

__kernel void shift(const struct shift_task a, const GLOBAL ulong *from_states,
                    GLOBAL ulong *to_states SAMPLE_PLANE_LIST(PLANES_FROM)
                        SAMPLE_PLANE_LIST(PLANES_TO)) {
    GLOBAL void *const from_plane[] = {SAMPLE_PLANE_LIST(PLANES_FROM_NAME)};
    GLOBAL void *const to_plane[] = {SAMPLE_PLANE_LIST(PLANES_TO_NAME)};
    const uint i = (uint)get_global_id(0), pixel = a.begin + i;
    uint from = 0;
    if (i >= a.size)
        return;
    const uint count = move_shifted(&a, from_plane, from_states, to_states, pixel, &from);
    move_planes(from_plane, to_plane, from, pixel, count, 1.0f);
}

__kernel void keep(const struct keep_task a, const GLOBAL int *lines SAMPLE_PLANE_LIST(PLANES_FROM)
                                                 SAMPLE_PLANE_LIST(PLANES_TO)) {
    GLOBAL void *const from_plane[] = {SAMPLE_PLANE_LIST(PLANES_FROM_NAME)};
    GLOBAL void *const to_plane[] = {SAMPLE_PLANE_LIST(PLANES_TO_NAME)};
    const uint i = (uint)get_global_id(0), pixel = a.begin + i;
    uint from = 0;
    if (i >= a.size)
        return;
    const bool there = keep_from(&a, lines, pixel, &from);
    move_planes(from_plane, to_plane, from, pixel,
                there ? keep_count(&a, from_count[from]) : SAMPLE_MISSING, a.unit);
}

__kernel void counts(const uint begin, const uint size, const uint limit, const GLOBAL uint *from,
                     GLOBAL uint *to) {
    const uint i = (uint)get_global_id(0);
    if (i >= size)
        return;
    const uint count = from[begin + i];
    to[begin + i] = count & SAMPLE_INTERIOR ? SAMPLE_INTERIOR | limit : count;
}

/* `sum` is a struct statistics, in words. */
__kernel void gather(const uint begin, const uint size, const GLOBAL uint *count_of,
                     volatile GLOBAL uint *sum) {
    __local uint histogram[STATISTICS_BUCKETS];
    __local uint extremes[2], interior;
    const uint thread = (uint)get_local_id(0), threads = (uint)get_local_size(0);
    for (uint b = thread; b < STATISTICS_BUCKETS; b += threads)
        histogram[b] = 0;
    if (thread == 0) {
        extremes[0] = 0xffffffffu;
        extremes[1] = interior = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < GATHER_COUNTS; k++) {
        const uint i = ((uint)get_group_id(0) * GATHER_COUNTS + k) * threads + thread;
        if (i >= size)
            continue;
        const uint count = count_of[begin + i];
        if (count & SAMPLE_INTERIOR) {
            atomic_inc(&interior);
        } else {
            atomic_inc(&histogram[statistics_bucket(count)]);
            atomic_min(&extremes[0], count);
            atomic_max(&extremes[1], count);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = thread; b < STATISTICS_BUCKETS; b += threads)
        if (histogram[b] > 0)
            memory_add(sum + 6 + 2 * b, histogram[b]);
    if (thread == 0) {
        memory_add(sum + 2, interior);
        atomic_min(sum + 4, extremes[0]);
        atomic_max(sum + 5, extremes[1]);
    }
}
