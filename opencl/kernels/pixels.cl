/* Colours, moves and hands out samples that are there already, and gathers statistics of them. */

#define PLANES_PARAMETER(name, type) , GLOBAL type *name
#define PLANES_TO(name, type)        , GLOBAL uint *to_##name
#define PLANES_FROM(name, type)      , GLOBAL uint *from_##name
#define PLANES_NAME(name, type)      name,
#define PLANES_TO_NAME(name, type)   to_##name,
#define PLANES_FROM_NAME(name, type) from_##name,

__kernel void clear(const struct opencl_pixels a, GLOBAL uint *count, GLOBAL uint *rgba) {
    const uint i = (uint)get_global_id(0);
    if (i >= a.size)
        return;
    count[a.begin + i] = SAMPLE_MISSING;
    rgba[a.begin + i] = 0;
}

/* A pixel of a sample with all planes, and its layers. */
INLINE uint shade_layers(const struct opencl_shades *shades, const GLOBAL uint *table,
                         GLOBAL void *const *plane, size_t pixel) {
    struct colouring colouring;
    const GLOBAL uint *light = table + COLOUR_TABLE_SIZE, *knots = light + LAYER_TABLE_SIZE;
    shade_colouring(shades, (enum colour_mapping)shades->mapping, &colouring);
    const uint rgba =
        colour_sample(&colouring, table, knots, knots + COLOUR_KNOTS, plane, pixel);
    if (!plane[SAMPLE_PLANE_distance] ||
        ((const GLOBAL uint *)plane[SAMPLE_PLANE_count])[pixel] & SAMPLE_INTERIOR ||
        !layers_any(&shades->layers))
        return rgba;
    return layers_over(&shades->layers, light, rgba, plane, pixel);
}

__kernel void colour(const struct opencl_pixels a, GLOBAL uint *rgba, const GLOBAL uint *table,
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
        if (done && a.counts)
            atomic_inc(&found);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && a.counts && found > 0)
        memory_add(memory_share(tally) + OPENCL_TALLY_DONE, found);
}

/* Whether a count, of a sample that is there, is not known for all limits. */
INLINE bool undecided(uint count) {
    return (count & SAMPLE_INTERIOR) && count != SAMPLE_NEVER && count != SAMPLE_MISSING;
}

/* Copies the planes of a sample but its count, where there is one; what is made after the count is not there yet
 * where there is none. */
INLINE void move_planes(GLOBAL uint *const *from_plane, GLOBAL uint *const *to_plane, size_t from,
                        size_t to, uint count) {
    if (count != SAMPLE_MISSING)
        for (int p = SAMPLE_PLANE_count + 1; p < SAMPLE_PLANES; p++)
            if (to_plane[p])
                to_plane[p][to] = from_plane[p][from];
    if (count == SAMPLE_MISSING && to_plane[SAMPLE_PLANE_distance])
        to_plane[SAMPLE_PLANE_distance][to] = 0;
    if (count == SAMPLE_MISSING && to_plane[SAMPLE_PLANE_last])
        to_plane[SAMPLE_PLANE_last][to] = 0;
    to_plane[SAMPLE_PLANE_count][to] = count;
}

/* The pixel that pixel `to` was; false: it was none. */
INLINE bool shift_from(const struct opencl_move *a, uint to, uint *from) {
    const uint y = to / a->width, x = to - y * a->width;
    bool column, row;
    const int from_x = grid_map_from(a->map.dx, a->map.scale_log2, (int)x, &column);
    const int from_y = grid_map_from(a->map.dy, a->map.scale_log2, (int)y, &row);
    *from = (uint)from_y * a->width + (uint)from_x;
    return column && row && from_x >= 0 && (uint)from_x < a->width && from_y >= 0 &&
           (uint)from_y < a->height;
}

__kernel void shift(const struct opencl_move a, const GLOBAL ulong *from_states,
                    GLOBAL ulong *to_states SAMPLE_PLANE_LIST(PLANES_FROM)
                        SAMPLE_PLANE_LIST(PLANES_TO)) {
    GLOBAL uint *const from_plane[] = {SAMPLE_PLANE_LIST(PLANES_FROM_NAME)};
    GLOBAL uint *const to_plane[] = {SAMPLE_PLANE_LIST(PLANES_TO_NAME)};
    const uint i = (uint)get_global_id(0);
    if (i >= a.size)
        return;
    const uint pixel = a.begin + i;
    uint from, count = SAMPLE_MISSING;
    if (shift_from(&a, pixel, &from)) {
        count = from_count[from];
        if (a.state_words == 0 && !SAMPLE_FINAL(count, a.limit))
            count = SAMPLE_MISSING;
        if (a.state_words > 0 && undecided(count))
            for (uint word = 0; word < a.state_words; word++)
                to_states[(size_t)pixel * a.state_words + word] =
                    from_states[(size_t)from * a.state_words + word];
    }
    move_planes(from_plane, to_plane, from, pixel, count);
}

/* What becomes of a count: see struct keep_args. */
INLINE uint keep_count(const struct opencl_move *a, uint count) {
    const uint steps = count & SAMPLE_COUNT_MASK;
    if (!(count & SAMPLE_INTERIOR))
        return steps <= a->most ? count : SAMPLE_MISSING;
    if (steps < a->least)
        return SAMPLE_MISSING;
    return steps < a->limit ? SAMPLE_INTERIOR | a->limit : count;
}

__kernel void keep(const struct opencl_move a, const GLOBAL int *lines SAMPLE_PLANE_LIST(
                                                   PLANES_FROM) SAMPLE_PLANE_LIST(PLANES_TO)) {
    GLOBAL uint *const from_plane[] = {SAMPLE_PLANE_LIST(PLANES_FROM_NAME)};
    GLOBAL uint *const to_plane[] = {SAMPLE_PLANE_LIST(PLANES_TO_NAME)};
    const uint i = (uint)get_global_id(0);
    if (i >= a.size)
        return;
    const uint pixel = a.begin + i, y = pixel / a.width, x = pixel - y * a.width;
    const int from_x = lines[x], from_y = lines[a.width + y];
    const bool there = from_x >= 0 && from_y >= 0;
    const uint from = there ? (uint)from_y * a.from_width + (uint)from_x : 0;
    move_planes(from_plane, to_plane, from, pixel,
                there ? keep_count(&a, from_count[from]) : SAMPLE_MISSING);
}

__kernel void counts(const struct opencl_pixels a, const GLOBAL uint *from, GLOBAL uint *to) {
    const uint i = (uint)get_global_id(0);
    if (i >= a.size)
        return;
    const uint count = from[a.begin + i];
    to[a.begin + i] = count & SAMPLE_INTERIOR ? SAMPLE_INTERIOR | a.limit : count;
}

#define GATHER_COUNTS 16 /* that a thread looks at */

/* `sum` is a struct statistics, in words. */
__kernel void gather(const struct opencl_pixels a, const GLOBAL uint *count_of,
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
        if (i >= a.size)
            continue;
        const uint count = count_of[a.begin + i];
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
