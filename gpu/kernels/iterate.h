/* Results of iteration: stores the sample and the colour of a pixel. */
#ifndef FATHOM_GPU_KERNELS_ITERATE_H
#define FATHOM_GPU_KERNELS_ITERATE_H

/* Work that a thread has done. */
struct work {
    uint32_t steps, done;
    uint64_t skipped;
};

/* Returns true if a pixel with that count is not final; its orbit continues from step *before. */
INLINE bool iterate_goes_on(const struct iterate_task *a, uint32_t count, uint32_t *before) {
    *before = count & SAMPLE_COUNT_MASK;
    return (count & SAMPLE_INTERIOR) && *before < a->limit;
}

/* Stores a pixel's result. Returns true if it is not final. */
INLINE bool iterate_store(const struct iterate_task *a, const struct iterate_args *at,
                          uint32_t pixel, uint32_t count, float fraction, float norm2, bool final) {
    PLANE(at->planes, count)[pixel] = count;
    PLANE(at->planes, fraction)[pixel] = fraction;
    if (PLANE(at->planes, norm2))
        PLANE(at->planes, norm2)[pixel] = sample_norm2(norm2);
    if (final && at->rgba)
        STORE_RELAXED(at->rgba[pixel], shade(&a->shades, at->table, count, fraction));
    return !final;
}

/* Marks the sample as missing. */
INLINE void iterate_clear(const struct iterate_args *at, uint32_t pixel) {
    PLANE(at->planes, count)[pixel] = SAMPLE_MISSING;
    if (at->rgba)
        STORE_RELAXED(at->rgba[pixel], 0);
}

#endif
