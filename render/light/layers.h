/* Layers over the colours of a picture. Each layer computes a grey from a plane of samples
 * (layer_grey.h) and mixes it with the colour below, channel by channel, in linear light. All
 * numbers are integers except a logarithm. */
#ifndef FATHOM_RENDER_LIGHT_LAYERS_H
#define FATHOM_RENDER_LIGHT_LAYERS_H

#include "render/light/layer_grey.h"

#define LAYER_DECODE     256  /* first table entries: sRGB bytes to 16-bit light */
#define LAYER_ENCODE     4096 /* further entries: light, in steps of 16, to sRGB bytes */
#define LAYER_TABLE_SIZE (LAYER_DECODE + LAYER_ENCODE)

#define LAYER_MODE_LIST(X)                                                                         \
    X(LAYER_OVERLAY, "overlay")                                                                    \
    X(LAYER_MULTIPLY, "multiply")                                                                  \
    X(LAYER_SCREEN, "screen")                                                                      \
    X(LAYER_ALPHA, "alpha")
enum layer_mode { LAYER_MODE_LIST(CHOICE_ID) LAYER_MODES };

INLINE bool layers_any(const struct layers *layers) {
    return layers->layer[0].kind != LAYER_NONE || layers->layer[1].kind != LAYER_NONE;
}

/* Returns a b / LAYER_WHITE, rounded: (p + (p >> 16) + 1) >> 16 of the product p. 16-bit operations
 * are used because vectors have more lanes of them. */
INLINE uint16_t layer_product(uint16_t a, uint16_t b) {
    const uint16_t low = (uint16_t)((uint32_t)a * b), high = (uint16_t)((uint32_t)a * b >> 16);
    const uint16_t room = (uint16_t)(LAYER_WHITE - high);
    return (uint16_t)(high + (low >= room ? 1 : 0));
}

INLINE uint16_t layer_mixed(const uint32_t mode, uint16_t below, uint16_t grey) {
    const bool dark = below <= LAYER_WHITE / 2;
    if (mode == LAYER_MULTIPLY)
        return layer_product(below, grey);
    if (mode == LAYER_SCREEN)
        return (uint16_t)(below + grey - layer_product(below, grey));
    if (mode == LAYER_ALPHA)
        return grey;
    /* Bright colours are multiplied in the negative. */
    const uint16_t turn = dark ? 0 : LAYER_WHITE;
    const uint16_t part = layer_product((uint16_t)(below ^ turn), (uint16_t)(grey ^ turn));
    return (uint16_t)((uint16_t)(part << 1) ^ turn);
}

/* Returns the mix of the colour below and its combination with the grey; `strength` in units of
 * 1/LAYER_STRENGTHS. */
INLINE uint16_t layer_over(const uint32_t mode, const uint32_t strength, uint16_t below,
                           uint16_t grey) {
    const uint16_t all = strength < LAYER_STRENGTHS ? 0 : LAYER_WHITE;
    const uint16_t part = (uint16_t)(strength * (65536 / LAYER_STRENGTHS));
    const uint16_t mixed = layer_mixed(mode, below, grey);
    const uint16_t least = mixed < below ? mixed : below, most = mixed < below ? below : mixed;
    const uint16_t apart = (uint16_t)(most - least);
    const uint16_t by = (uint16_t)((apart & all) + (uint16_t)((uint32_t)apart * part >> 16));
    return mixed < below ? (uint16_t)(below - by) : (uint16_t)(below + by);
}

/* Returns the colour of pixel i with its layers. `table` is light_table(). `plane` contains the
 * planes of samples, NULL for planes that do not exist; distances always exist. */
INLINE uint32_t layers_over(const struct layers *layers, const GLOBAL uint32_t *table,
                            uint32_t rgba, GLOBAL void *const *plane, size_t i) {
    uint16_t light[3];
    if (!(((const GLOBAL float *)plane[SAMPLE_PLANE_distance])[i] > 0.0f))
        return rgba;
    for (int c = 0; c < 3; c++)
        light[c] = (uint16_t)table[rgba >> 8 * c & 0xffu];
    for (int k = 0; k < LAYERS_MAX; k++) {
        const struct layer *layer = &layers->layer[k];
        const GLOBAL uint32_t *values = (const GLOBAL uint32_t *)plane[layer_plane(layer->kind)];
        if (layer->kind == LAYER_NONE || !values)
            continue;
        const uint16_t grey = (uint16_t)layer_grey(layers, layer->kind, values[i]);
        for (int c = 0; c < 3; c++)
            light[c] = layer_over(layer->mode, layer->strength, light[c], grey);
    }
    const GLOBAL uint32_t *encode = table + LAYER_DECODE;
    return (rgba & 0xff000000u) | encode[light[0] >> 4] | encode[light[1] >> 4] << 8 |
           encode[light[2] >> 4] << 16;
}

#endif
