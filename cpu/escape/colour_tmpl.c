/* From samples to pixels, compiled once per instruction set: plain loops over the arithmetic of colour.h and
 * layers.h that compilers make vectors of. */
#include "cpu/escape/tile.h"
#include "render/colour.h"
#include "render/light/light.h"
#include <string.h>

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

/* --- layers --- */

/* The light of some pixels, channel by channel, and what is known of them. */
struct lit {
    int32_t light[3][SOME], grey[SOME];
    float distance[SOME]; /* 1 where there is none */
};

#define GREY_CASE(kind)                                                                            \
    case kind:                                                                                     \
        for (size_t i = 0; i < SOME; i++)                                                          \
            lit->grey[i] = layer_grey(&by, kind, lit->distance[i], normal[i], angle[i]);           \
        break;

static void find_greys(const struct layers *layers, uint32_t kind, const uint32_t *restrict normal,
                       const uint32_t *restrict angle, struct lit *restrict lit) {
    const struct layers by = *layers;
    switch (kind) {
        GREY_CASE(LAYER_LIGHT)
        GREY_CASE(LAYER_DISTANCE)
        GREY_CASE(LAYER_BINARY)
        GREY_CASE(LAYER_FIELD)
    }
}

#define OVER_CASE(which)                                                                           \
    case which:                                                                                    \
        for (size_t i = 0; i < SOME; i++)                                                          \
            light[i] = layer_over(&(struct layer){0, which, strength}, light[i], grey[i]);         \
        break;

static void lay_over(uint32_t mode, const uint32_t strength, const int32_t *restrict grey,
                     int32_t *restrict light) {
    switch (mode) {
        OVER_CASE(LAYER_OVERLAY)
        OVER_CASE(LAYER_MULTIPLY)
        OVER_CASE(LAYER_SCREEN)
        OVER_CASE(LAYER_ALPHA)
    }
}

static void lay_some(const struct layers *layers, const struct sample_planes *planes, size_t size,
                     uint32_t *restrict rgba) {
    const uint32_t *const table = light_table(), *const encode = table + LAYER_DECODE;
    uint32_t pixel[SOME] = {0}, normal[SOME] = {0}, angle[SOME] = {0};
    struct lit lit;
    memcpy(pixel, rgba, size * sizeof *pixel);
    memcpy(normal, planes->normal, size * sizeof *normal);
    memcpy(angle, planes->angle, size * sizeof *angle);
    for (size_t i = 0; i < SOME; i++)
        lit.distance[i] = i < size && planes->distance[i] > 0.0f ? planes->distance[i] : 1.0f;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < SOME; i++)
            lit.light[c][i] = (int32_t)table[pixel[i] >> 8 * c & 0xffu];
    for (int k = 0; k < LAYERS_MAX; k++) {
        const struct layer *layer = &layers->layer[k];
        if (layer->kind == LAYER_NONE)
            continue;
        find_greys(layers, layer->kind, normal, angle, &lit);
        for (int c = 0; c < 3; c++)
            lay_over(layer->mode, layer->strength, lit.grey, lit.light[c]);
    }
    for (size_t i = 0; i < SOME; i++)
        pixel[i] = (pixel[i] & COLOUR_ALPHA) | encode[lit.light[0][i] >> 4] |
                   encode[lit.light[1][i] >> 4] << 8 | encode[lit.light[2][i] >> 4] << 16;
    for (size_t i = 0; i < size; i++)
        rgba[i] = planes->distance[i] > 0.0f ? pixel[i] : rgba[i];
}

/* --- pixels --- */

static void colour_some(const struct colouring *colouring, uint32_t limit,
                        const struct sample_planes *planes, size_t size, uint32_t *restrict rgba) {
    const uint32_t *const count = planes->count;
    uint32_t entry[SOME];
    uint32_t all = SAMPLE_INTERIOR, any = 0;
    for (size_t i = 0; i < size; i++) {
        all &= count[i];
        any |= count[i] & SAMPLE_INTERIOR;
    }
    if (!all) {
        find_entries(colouring, count, planes->fraction, size, entry);
        for (size_t i = 0; i < size; i++)
            rgba[i] = colouring->table[entry[i]];
    }
    if (!all && planes->distance && layers_any(&colouring->layers))
        lay_some(&colouring->layers, planes, size, rgba);
    for (size_t i = 0; any && i < size; i++) {
        const uint32_t inside = (count[i] & SAMPLE_COUNT_MASK) >= limit ? colouring->interior : 0;
        rgba[i] = count[i] & SAMPLE_INTERIOR ? inside : rgba[i];
    }
}

#define NAME2(isa) colour_##isa
#define NAME(isa)  NAME2(isa)

void NAME(COLOUR_ISA)(const struct colouring *colouring, uint32_t limit,
                      const struct sample_planes *planes, size_t size, uint32_t *rgba) {
    for (size_t at = 0; at < size; at += SOME) {
        const struct sample_planes some = sample_planes_from(planes, at);
        colour_some(colouring, limit, &some, size - at < SOME ? size - at : SOME, rgba + at);
    }
}
