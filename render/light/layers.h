/* Layers over a picture's colours. Each makes a grey of a plane of samples (layer_grey.h) and mixes it with what lies
 * below, channel by channel, in linear light; integers but for a logarithm. */
#ifndef FATHOM_RENDER_LIGHT_LAYERS_H
#define FATHOM_RENDER_LIGHT_LAYERS_H

#include "render/light/layer_grey.h"

#define LAYER_DECODE     256  /* 16-bit light of the bytes of sRGB, then */
#define LAYER_ENCODE     4096 /* the bytes of light, in steps of 16 */
#define LAYER_TABLE_SIZE (LAYER_DECODE + LAYER_ENCODE)

enum layer_mode { LAYER_OVERLAY, LAYER_MULTIPLY, LAYER_SCREEN, LAYER_ALPHA, LAYER_MODES };

INLINE bool layers_any(const struct layers *layers) {
    return layers->layer[0].kind != LAYER_NONE || layers->layer[1].kind != LAYER_NONE;
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

/* Pixel number i with its layers. `table`: light_table's; `plane`: the planes of samples, NULL where one is not there,
 * as distances are. */
INLINE uint32_t layers_over(const struct layers *layers, const uint32_t *table, uint32_t rgba,
                            void *const *plane, size_t i) {
    int32_t light[3];
    if (!(((const float *)plane[SAMPLE_PLANE_distance])[i] > 0.0f))
        return rgba;
    for (int c = 0; c < 3; c++)
        light[c] = (int32_t)table[rgba >> 8 * c & 0xffu];
    for (int k = 0; k < LAYERS_MAX; k++) {
        const struct layer *layer = &layers->layer[k];
        const uint32_t *values = (const uint32_t *)plane[layer_plane(layer->kind)];
        if (layer->kind == LAYER_NONE || !values)
            continue;
        const int32_t grey = layer_grey(layers, layer->kind, values[i]);
        for (int c = 0; c < 3; c++)
            light[c] = layer_over(layer, light[c], grey);
    }
    const uint32_t *encode = table + LAYER_DECODE;
    return (rgba & 0xff000000u) | encode[light[0] >> 4] | encode[light[1] >> 4] << 8 |
           encode[light[2] >> 4] << 16;
}

#endif
