/* Layers over a picture's colours. Each makes a grey of a sample's slope (sample.h) and mixes it with what lies
 * below, channel by channel, in linear light; integers but for a logarithm. */
#ifndef FATHOM_RENDER_LIGHT_LAYERS_H
#define FATHOM_RENDER_LIGHT_LAYERS_H

#include "render/sample.h"

#define LAYERS_MAX       2
#define LAYER_WHITE      65535
#define LAYER_STRENGTHS  256
#define LAYER_DECODE     256  /* 16-bit light of the bytes of sRGB, then */
#define LAYER_ENCODE     4096 /* the bytes of light, in steps of 16 */
#define LAYER_TABLE_SIZE (LAYER_DECODE + LAYER_ENCODE)

/* light: how far the slope faces the light. distance: dark where the set is near, by the logarithm of the
 * distance. binary: white where orbits leave upwards. field: dark lines where they leave along the real axis. */
enum layer_kind { LAYER_NONE, LAYER_LIGHT, LAYER_DISTANCE, LAYER_BINARY, LAYER_FIELD, LAYER_KINDS };
enum layer_mode { LAYER_OVERLAY, LAYER_MULTIPLY, LAYER_SCREEN, LAYER_ALPHA, LAYER_MODES };

struct layer {
    uint32_t kind, mode, strength; /* of LAYER_STRENGTHS */
};

struct layers {
    struct layer layer[LAYERS_MAX];
    /* Where the light is, in the plane and above it: together 1, which is 2^15 and 2^16. */
    int32_t light_x, light_y, light_z;
};

INLINE bool layers_any(const struct layers *layers) {
    return layers->layer[0].kind != LAYER_NONE || layers->layer[1].kind != LAYER_NONE;
}

INLINE int32_t layer_clamp(int32_t x) {
    return x < 0 ? 0 : x > LAYER_WHITE ? LAYER_WHITE : x;
}

/* 0 to white, rising without a corner. */
INLINE int32_t layer_smooth(int32_t x) {
    const uint32_t y = (uint32_t)x, square = y * y >> 16;
    return layer_clamp((int32_t)(square * (3 * 65536u - 2 * y) >> 16));
}

INLINE int32_t layer_light(const struct layers *layers, uint32_t normal) {
    const int32_t x = (int16_t)(normal & 0xffffu), y = (int16_t)(normal >> 16);
    return layer_clamp(((x * layers->light_x + y * layers->light_y) >> 14) + layers->light_z);
}

/* From an eighth of a pixel to 32. */
INLINE int32_t layer_distance(float distance) {
    const float at = float_fma(sample_log2(distance), 8192.0f, 24576.0f);
    const float least = at > 0.0f ? at : 0.0f;
    return layer_smooth((int32_t)(least < 65535.0f ? least : 65535.0f));
}

INLINE int32_t layer_field(uint32_t angle) {
    const uint32_t half = angle & 0x7fffffffu, other = 0x80000000u - half;
    return layer_smooth(layer_clamp((int32_t)((half < other ? half : other) >> 12)));
}

INLINE int32_t layer_grey(const struct layers *layers, const uint32_t kind, float distance,
                          uint32_t normal, uint32_t angle) {
    switch (kind) {
    case LAYER_LIGHT:
        return layer_light(layers, normal);
    case LAYER_DISTANCE:
        return layer_distance(distance);
    case LAYER_BINARY:
        return angle < 0x80000000u ? LAYER_WHITE : 0;
    default:
        return layer_field(angle);
    }
}

INLINE int32_t layer_product(int32_t a, int32_t b) {
    const uint32_t product = (uint32_t)a * (uint32_t)b;
    return (int32_t)((product + (product >> 16) + 1) >> 16);
}

INLINE int32_t layer_mixed(const uint32_t mode, int32_t below, int32_t grey) {
    const int32_t product = layer_product(below, grey);
    switch (mode) {
    case LAYER_MULTIPLY:
        return product;
    case LAYER_SCREEN:
        return below + grey - product;
    case LAYER_ALPHA:
        return grey;
    default:
        return below <= LAYER_WHITE / 2
                   ? 2 * product
                   : LAYER_WHITE - 2 * layer_product(LAYER_WHITE - below, LAYER_WHITE - grey);
    }
}

INLINE int32_t layer_over(const struct layer *layer, int32_t below, int32_t grey) {
    const int32_t mixed = layer_mixed(layer->mode, below, grey);
    return below + (mixed - below) * (int32_t)layer->strength / LAYER_STRENGTHS;
}

/* A pixel with its layers. `table`: light_table's. */
INLINE uint32_t layers_over(const struct layers *layers, const uint32_t *table, uint32_t rgba,
                            float distance, uint32_t normal, uint32_t angle) {
    int32_t light[3];
    if (!(distance > 0.0f))
        return rgba;
    for (int i = 0; i < 3; i++)
        light[i] = (int32_t)table[rgba >> 8 * i & 0xffu];
    for (int k = 0; k < LAYERS_MAX; k++) {
        const struct layer *layer = &layers->layer[k];
        const int32_t grey = layer_grey(layers, layer->kind, distance, normal, angle);
        for (int i = 0; layer->kind != LAYER_NONE && i < 3; i++)
            light[i] = layer_over(layer, light[i], grey);
    }
    const uint32_t *encode = table + LAYER_DECODE;
    return (rgba & 0xff000000u) | encode[light[0] >> 4] | encode[light[1] >> 4] << 8 |
           encode[light[2] >> 4] << 16;
}

#endif
