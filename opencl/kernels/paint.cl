/* Makes pixels of counts. */

__kernel void flush(const ulong size, GLOBAL uint *fresh, GLOBAL ulong *total) {
    const size_t i = get_global_id(0);
    if (i >= size || fresh[i] == 0)
        return;
    total[i] += fresh[i];
    fresh[i] = 0;
}

/* --- levels --- */

__kernel void clear_levels(GLOBAL struct tone_levels *levels) {
    const uint i = (uint)get_global_id(0), channel = (uint)get_global_id(1);
    if (i < TONE_BINS)
        levels[channel].bins[i] = 0;
    if (i == 0) {
        levels[channel].least = ~(ulong)0;
        levels[channel].most = 0;
    }
}

/* The two words of a number, the lower first. */
#define WORDS(number) ((volatile GLOBAL uint *)&(number))

#define LEVELS_ARGUMENTS                                                                           \
    const struct opencl_paint a, const GLOBAL uint *fresh, const GLOBAL ulong *total,              \
        GLOBAL struct tone_levels *levels

/* What stored pixel `at` shows; gives how many pixels of the picture it is. */
INLINE uint shown_at(const struct opencl_paint *a, const GLOBAL uint *fresh,
                     const GLOBAL ulong *total, size_t at, ulong shown[TONE_CHANNELS_MAX]) {
    const uint row = (uint)(at / (uint)a->place.width);
    const uint column = (uint)(at - (size_t)row * (uint)a->place.width);
    paint_shown(&a->place, fresh, total, a->size, column, row, shown);
    return density_pixels(&a->place, (int)column, (int)row);
}

/* The bins, and the upper words of the extremes. */
__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
levels_of(LEVELS_ARGUMENTS) {
    __local uint bins[TONE_CHANNELS_MAX * TONE_BINS], least[TONE_CHANNELS_MAX],
        most[TONE_CHANNELS_MAX];
    const uint thread = (uint)get_local_id(0);
    const size_t size = (size_t)a.place.width * (size_t)a.place.height;
    for (uint i = thread; i < TONE_CHANNELS_MAX * TONE_BINS; i += GROUP_THREADS)
        bins[i] = 0;
    if (thread < TONE_CHANNELS_MAX) {
        least[thread] = ~0u;
        most[thread] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t at = get_global_id(0); at < size; at += get_global_size(0)) {
        ulong shown[TONE_CHANNELS_MAX];
        const uint pixels = shown_at(&a, fresh, total, at, shown);
        for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
            if (channel < a.channels) {
                atomic_add(&bins[channel * TONE_BINS + tone_bin(shown[channel])], pixels);
                atomic_min(&least[channel], (uint)(shown[channel] >> 32));
                atomic_max(&most[channel], (uint)(shown[channel] >> 32));
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = thread; i < (uint)a.channels * TONE_BINS; i += GROUP_THREADS)
        if (bins[i] > 0)
            memory_add(WORDS(levels[i / TONE_BINS].bins[i % TONE_BINS]), bins[i]);
    if (thread < (uint)a.channels) {
        atomic_min(WORDS(levels[thread].least) + 1, least[thread]);
        atomic_max(WORDS(levels[thread].most) + 1, most[thread]);
    }
}

/* The lower words of the extremes, whose upper ones are known. */
__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
extremes(LEVELS_ARGUMENTS) {
    __local uint least[TONE_CHANNELS_MAX], most[TONE_CHANNELS_MAX];
    const uint thread = (uint)get_local_id(0);
    const size_t size = (size_t)a.place.width * (size_t)a.place.height;
    if (thread < TONE_CHANNELS_MAX) {
        least[thread] = ~0u;
        most[thread] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t at = get_global_id(0); at < size; at += get_global_size(0)) {
        ulong shown[TONE_CHANNELS_MAX];
        shown_at(&a, fresh, total, at, shown);
        for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
            if (channel < a.channels) {
                const uint upper = (uint)(shown[channel] >> 32), lower = (uint)shown[channel];
                if (upper == WORDS(levels[channel].least)[1])
                    atomic_min(&least[channel], lower);
                if (upper == WORDS(levels[channel].most)[1])
                    atomic_max(&most[channel], lower);
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < (uint)a.channels) {
        atomic_min(WORDS(levels[thread].least), least[thread]);
        atomic_max(WORDS(levels[thread].most), most[thread]);
    }
}

/* --- the picture --- */

__kernel void picture(const struct opencl_paint a, const GLOBAL uint *fresh,
                      const GLOBAL ulong *total, const GLOBAL struct tone_map *map,
                      GLOBAL uint *rgba) {
    const size_t at = get_global_id(0);
    if (at >= (size_t)a.width_px * (size_t)a.height_px)
        return;
    uint column, row, shade[TONE_CHANNELS_MAX] = {0, 0, 0};
    ulong shown[TONE_CHANNELS_MAX];
    paint_stored(&a.place, a.width_px, a.height_px, at, &column, &row);
    paint_shown(&a.place, fresh, total, a.size, column, row, shown);
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
        if (channel < a.channels)
            shade[channel] = tone_shade(map->from[channel], shown[channel]);
    rgba[at] = tone_pixel(a.channels, map->ramp, shade);
}
