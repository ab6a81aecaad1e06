/* Colouring (SIMD): turns samples into pixels, compiled once per instruction set. Plain loops over
 * the arithmetic of colour.h and layers.h, which compilers vectorise. */
#include "cpu/escape/kernels.h"
#include "render/light/colour_sample.h"
#include "render/light/light.h"

#define SOME 64 /* pixels at a time */

/* Computes the phases: 16 fraction bits below the count. Interior samples may have any fraction, so
 * it is ignored. */
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
    uint64_t phase[SOME];
    find_phases(colouring->smooth, count, fraction, size, phase);
    if (colouring->mapping == MAPPING_SQRT)
        for (size_t i = 0; i < size; i++)
            phase[i] = colour_map_sqrt(count[i] & SAMPLE_INTERIOR ? 0 : phase[i]);
    else if (colouring->mapping == MAPPING_LOG)
        for (size_t i = 0; i < size; i++)
            phase[i] = colour_map_log(count[i] & SAMPLE_INTERIOR ? 0 : phase[i]);
    else if (colouring->mapping == MAPPING_HISTOGRAM)
        for (size_t i = 0; i < size; i++)
            phase[i] =
                colour_map_ranks(colouring->ranks.knot, count[i] & SAMPLE_INTERIOR ? 0 : phase[i]);
    for (size_t i = 0; i < size; i++)
        entry[i] = colour_entry(colouring, phase[i]);
}

/* --- colours by other planes --- */

#define TURNS_CASE(scale)                                                                          \
    case scale:                                                                                    \
        for (size_t i = 0; i < size; i++)                                                          \
            turns[i] = colour_turns(colouring, scale, value[i]);                                   \
        break;

/* Replaces the table entries of the samples that have a value in the plane to colour by. */
static void find_entries_by(const struct colouring *colouring, const struct sample_planes *planes,
                            size_t size, uint32_t *restrict entry) {
    uint32_t value[SOME];
    bool has[SOME];
    uint64_t turns[SOME];
    for (size_t i = 0; i < size; i++) {
        has[i] = colour_value(colouring->by, planes->plane, i, &value[i]);
        value[i] = has[i] ? value[i] : float_bits(1.0f);
    }
    switch (by_scale(colouring->by)) {
        TURNS_CASE(SCALE_TURN)
        TURNS_CASE(SCALE_NUMBER)
        TURNS_CASE(SCALE_MEAN)
    default:
        TURNS_CASE(SCALE_LOG)
    }
    for (size_t i = 0; i < size; i++)
        entry[i] = has[i] ? (uint32_t)(turns[i] >> 32) & (COLOUR_TABLE_SIZE - 1) : entry[i];
}

/* Gives samples that were caught in the image trap the image's colours. */
static void find_image(const struct colouring *colouring, const struct sample_planes *planes,
                       size_t size, uint32_t *restrict rgba) {
    uint32_t place;
    for (size_t i = 0; i < size; i++)
        if (colour_value(BY_IMAGE, planes->plane, i, &place))
            rgba[i] = colour_of_image(colouring, colouring->image, place, rgba[i]);
}

/* --- layers --- */

/* Light of SOME pixels by channel, and the scratch of the layers. */
struct lit {
    uint16_t light[3][SOME], grey[SOME];
    uint32_t at[3][SOME]; /* indices into tables */
    uint32_t value[SOME]; /* values of a layer's plane */
};

#define GREY_CASE(kind)                                                                            \
    case kind:                                                                                     \
        for (size_t i = 0; i < SOME; i++)                                                          \
            lit->grey[i] = (uint16_t)layer_grey(&by, kind, lit->value[i]);                         \
        break;

static void find_greys(const struct layers *layers, uint32_t kind, struct lit *restrict lit) {
    const struct layers by = *layers;
    switch (kind) {
        GREY_CASE(LAYER_LIGHT)
        GREY_CASE(LAYER_DISTANCE)
        GREY_CASE(LAYER_BINARY)
        GREY_CASE(LAYER_FIELD)
        GREY_CASE(LAYER_STRIPE)
        GREY_CASE(LAYER_TRIANGLE)
    default:
        GREY_CASE(LAYER_POINT) /* the other point-like kinds share its code */
    }
}

/* Reads the values that a layer is made of; 1 if a sample has no slope. */
static void find_values(const uint32_t *restrict values, const float *restrict distance,
                        size_t size, struct lit *restrict lit) {
    for (size_t i = 0; i < size; i++)
        lit->value[i] = distance[i] > 0.0f ? values[i] : float_bits(1.0f);
    for (size_t i = size; i < SOME; i++)
        lit->value[i] = float_bits(1.0f);
}

#define OVER_CASE(which)                                                                           \
    case which:                                                                                    \
        for (size_t i = 0; i < SOME; i++)                                                          \
            light[i] = layer_over(which, strength, light[i], grey[i]);                             \
        break;

static void lay_over(uint32_t mode, const uint32_t strength, const uint16_t *restrict grey,
                     uint16_t *restrict light) {
    switch (mode) {
        OVER_CASE(LAYER_OVERLAY)
        OVER_CASE(LAYER_MULTIPLY)
        OVER_CASE(LAYER_SCREEN)
        OVER_CASE(LAYER_ALPHA)
    }
}

/* Reads the light of the table entries, or the table itself if `entry` is NULL. */
INLINE void find_light(const uint64_t *restrict table, const uint32_t *restrict entry,
                       struct lit *restrict lit) {
    for (size_t i = 0; i < SOME; i++) {
        const uint64_t light = table[entry ? entry[i] : i];
        lit->at[0][i] = (uint32_t)light & 0xffffu;
        lit->at[1][i] = (uint32_t)light >> 16;
        lit->at[2][i] = (uint32_t)(light >> 32);
    }
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < SOME; i++)
            lit->light[c][i] = (uint16_t)lit->at[c][i];
}

static void lay_some(const struct colouring *colouring, const struct sample_planes *planes,
                     const uint32_t *restrict entry, size_t size, uint32_t *restrict rgba) {
    const uint32_t *restrict const encode = light_table() + LAYER_DECODE;
    struct lit lit;
    uint32_t pixel[SOME];
    uint64_t light[SOME] = {0};
    if (colouring->by == BY_IMAGE) {
        light_of_pixels(rgba, size, light);
        find_light(light, NULL, &lit);
    } else {
        find_light(colouring->light, entry, &lit);
    }
    for (int k = 0; k < LAYERS_MAX; k++) {
        const struct layer *layer = &colouring->layers.layer[k];
        const uint32_t *values = planes->plane[layer_plane(layer->kind)];
        if (layer->kind == LAYER_NONE || !values)
            continue;
        find_values(values, planes->distance, size, &lit);
        find_greys(&colouring->layers, layer->kind, &lit);
        for (int c = 0; c < 3; c++)
            lay_over(layer->mode, layer->strength, lit.grey, lit.light[c]);
    }
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < SOME; i++)
            lit.at[c][i] = lit.light[c][i] >> 4;
    for (size_t i = 0; i < SOME; i++)
        pixel[i] = encode[lit.at[0][i]] | encode[lit.at[1][i]] << 8 | encode[lit.at[2][i]] << 16 |
                   COLOUR_ALPHA;
    for (size_t i = 0; i < size; i++)
        rgba[i] = planes->distance[i] > 0.0f ? pixel[i] : rgba[i];
}

/* --- pixels --- */

static void colour_some(const struct colouring *colouring, uint32_t limit,
                        const struct sample_planes *planes, size_t size, uint32_t *restrict rgba) {
    const uint32_t *const count = planes->count;
    uint32_t entry[SOME] = {0};
    uint32_t all = SAMPLE_INTERIOR, any = 0;
    for (size_t i = 0; i < size; i++) {
        all &= count[i];
        any |= count[i] & SAMPLE_INTERIOR;
    }
    if (!all) {
        find_entries(colouring, count, planes->fraction, size, entry);
        if (colouring->by != BY_COUNT && colouring->by != BY_IMAGE)
            find_entries_by(colouring, planes, size, entry);
        for (size_t i = 0; i < size; i++)
            rgba[i] = colouring->table[entry[i]];
        if (colouring->by == BY_IMAGE)
            find_image(colouring, planes, size, rgba);
    }
    if (!all && planes->distance && colouring->light && layers_any(&colouring->layers))
        lay_some(colouring, planes, entry, size, rgba);
    for (size_t i = 0; any && i < size; i++) {
        if (!(count[i] & SAMPLE_INTERIOR))
            continue;
        rgba[i] = (count[i] & SAMPLE_COUNT_MASK) < limit
                      ? 0
                      : colour_sample(colouring, colouring->table, NULL, NULL, planes->plane, i);
    }
}

#define NAME2(isa) colour_##isa
#define NAME(isa)  NAME2(isa)

void NAME(COLOUR_ISA)(const struct colouring *colouring, uint32_t limit,
                      const struct sample_planes *planes, size_t size, uint32_t *rgba) {
    for (size_t at = 0; at < size; at += SOME) {
        const struct sample_planes some = at == 0 ? *planes : sample_planes_from(planes, at);
        colour_some(colouring, limit, &some, size - at < SOME ? size - at : SOME, rgba + at);
    }
}
