/* From samples to pixels, compiled once per instruction set: plain loops over colour.h's arithmetic
 * that compilers make vectors of. */
#include "cpu/escape/tile.h"
#include "render/colour.h"

#define SOME 64 /* pixels at a time */

/* A sample without a fraction may have anything in its place. */
INLINE void find_phases(const bool smooth, const uint32_t *restrict count,
                        const float *restrict fraction, size_t size, uint64_t *restrict phase) {
    const uint32_t parts = smooth ? ~0u : 0;
    for (size_t i = 0; i < size; i++) {
        const float part = count[i] & SAMPLE_INTERIOR ? 0.0f : fraction[i];
        const int32_t fine = (int32_t)((uint32_t)(int32_t)(part * 65536.0f) & parts);
        phase[i] = ((uint64_t)count[i] << 16) + (uint64_t)(int64_t)fine;
    }
}

static void find_entries(const struct colouring *colouring, const uint32_t *restrict count,
                         const float *restrict fraction, size_t size, uint32_t *restrict entry) {
    const struct colouring by = *colouring;
    uint64_t phase[SOME];
    find_phases(by.smooth, count, fraction, size, phase);
    if (by.mapping == MAPPING_SQRT)
        for (size_t i = 0; i < size; i++)
            phase[i] = colour_map_sqrt(count[i] & SAMPLE_INTERIOR ? 0 : phase[i]);
    else if (by.mapping == MAPPING_LOG)
        for (size_t i = 0; i < size; i++)
            phase[i] = colour_map_log(count[i] & SAMPLE_INTERIOR ? 0 : phase[i]);
    for (size_t i = 0; i < size; i++)
        entry[i] = colour_entry(&by, phase[i]);
}

static void colour_some(const struct colouring *colouring, uint32_t limit,
                        const uint32_t *restrict count, const float *restrict fraction, size_t size,
                        uint32_t *restrict rgba) {
    uint32_t entry[SOME];
    uint32_t all = SAMPLE_INTERIOR, any = 0;
    for (size_t i = 0; i < size; i++) {
        all &= count[i];
        any |= count[i] & SAMPLE_INTERIOR;
    }
    if (!all) {
        find_entries(colouring, count, fraction, size, entry);
        for (size_t i = 0; i < size; i++)
            rgba[i] = colouring->table[entry[i]];
    }
    for (size_t i = 0; any && i < size; i++) {
        const uint32_t inside = (count[i] & SAMPLE_COUNT_MASK) >= limit ? colouring->interior : 0;
        rgba[i] = count[i] & SAMPLE_INTERIOR ? inside : rgba[i];
    }
}

#define NAME2(isa) colour_##isa
#define NAME(isa)  NAME2(isa)

void NAME(COLOUR_ISA)(const struct colouring *colouring, uint32_t limit, const uint32_t *count,
                      const float *fraction, size_t size, uint32_t *rgba) {
    for (size_t at = 0; at < size; at += SOME)
        colour_some(colouring, limit, count + at, fraction + at,
                    size - at < SOME ? size - at : SOME, rgba + at);
}
