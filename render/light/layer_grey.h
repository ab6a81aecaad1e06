/* Layer greys: each kind of layer computes a grey from the value of a plane of samples. */
#ifndef FATHOM_RENDER_LIGHT_LAYER_GREY_H
#define FATHOM_RENDER_LIGHT_LAYER_GREY_H

#include "render/light/choice.h"
#include "render/sample.h"

#define LAYERS_MAX      2
#define LAYER_WHITE     65535
#define LAYER_STRENGTHS 256

/* Kinds of layers. light: brightness of the slope under the light. distance: dark near the set, by
 * the logarithm of the distance. binary: white for orbits that escape upwards. field: dark lines
 * for orbits that escape along the real axis. stripe, triangle: means along the orbit. Others:
 * white for orbits that come near a trap, by the logarithm of the distance. */
#define LAYER_LIST(X)                                                                              \
    X(LAYER_NONE, "none")                                                                          \
    X(LAYER_LIGHT, "light")                                                                        \
    X(LAYER_DISTANCE, "distance")                                                                  \
    X(LAYER_BINARY, "binary")                                                                      \
    X(LAYER_FIELD, "field")                                                                        \
    X(LAYER_STRIPE, "stripes")                                                                     \
    X(LAYER_TRIANGLE, "triangle")                                                                  \
    X(LAYER_POINT, "point")                                                                        \
    X(LAYER_LINE, "line")                                                                          \
    X(LAYER_CROSS, "cross")                                                                        \
    X(LAYER_CIRCLE, "circle")
enum layer_kind { LAYER_LIST(CHOICE_ID) LAYER_KINDS };

struct layer {
    uint32_t kind, mode, strength; /* strength in units of 1/LAYER_STRENGTHS */
};

struct layers {
    struct layer layer[LAYERS_MAX];
    /* Direction of the light: in the plane (1 is 2^15), and above the plane (1 is 2^16); the three
     * have length 1. */
    int32_t light_x, light_y, light_z;
};

INLINE int32_t layer_clamp(int32_t x) {
    return x < 0 ? 0 : x > LAYER_WHITE ? LAYER_WHITE : x;
}

/* Returns a smoothstep from 0 to LAYER_WHITE. */
INLINE int32_t layer_smooth(int32_t x) {
    const uint32_t y = (uint32_t)x, square = y * y >> 16;
    return layer_clamp((int32_t)(square * (3 * 65536u - 2 * y) >> 16));
}

INLINE int32_t layer_light(const struct layers *layers, uint32_t normal) {
    const int32_t x = (int16_t)(normal & 0xffffu), y = (int16_t)(normal >> 16);
    return layer_clamp(((x * layers->light_x + y * layers->light_y) >> 14) + layers->light_z);
}

/* Returns the grey of a distance, from 1/8 pixel (black) to 32 pixels (white). */
INLINE int32_t layer_distance(float distance) {
    const float at = float_fma(sample_log2(distance), 8192.0f, 24576.0f);
    const float least = at > 0.0f ? at : 0.0f;
    return layer_smooth((int32_t)(least < 65535.0f ? least : 65535.0f));
}

INLINE int32_t layer_field(uint32_t angle) {
    const uint32_t turn = angle & 0x7fffffffu, other = 0x80000000u - turn;
    return layer_smooth(layer_clamp((int32_t)((turn < other ? turn : other) >> 12)));
}

/* Returns the grey of a mean, from 1/4 to 3/4, because means of long orbits are near 1/2. */
INLINE int32_t layer_mean(float mean) {
    const float at = float_fma(mean, 131070.0f, -32767.5f);
    const float least = at > 0.0f ? at : 0.0f;
    return layer_smooth((int32_t)(least < 65535.0f ? least : 65535.0f));
}

/* Returns the grey of a distance to a trap, from 2^-1 (black) to 2^-9 (white). */
INLINE int32_t layer_near(float distance) {
    const float at = float_fma(sample_log2(distance), -8192.0f, -8192.0f);
    const float least = at > 0.0f ? at : 0.0f;
    return layer_smooth((int32_t)(least < 65535.0f ? least : 65535.0f));
}

/* Returns the number of the plane that a kind needs; a picture without that plane has no such
 * layer. */
INLINE uint32_t layer_plane(uint32_t kind) {
    if (kind >= LAYER_STRIPE)
        return SAMPLE_PLANE_stripe + (kind - LAYER_STRIPE);
    return kind == LAYER_LIGHT                           ? SAMPLE_PLANE_normal
           : kind == LAYER_BINARY || kind == LAYER_FIELD ? SAMPLE_PLANE_angle
                                                         : SAMPLE_PLANE_distance;
}

/* Returns the grey of a value of that plane, given as bits. */
INLINE int32_t layer_grey(const struct layers *layers, const uint32_t kind, uint32_t value) {
    switch (kind) {
    case LAYER_LIGHT:
        return layer_light(layers, value);
    case LAYER_DISTANCE:
        return layer_distance(bits_float(value));
    case LAYER_BINARY:
        return value < 0x80000000u ? LAYER_WHITE : 0;
    case LAYER_FIELD:
        return layer_field(value);
    case LAYER_STRIPE:
    case LAYER_TRIANGLE:
        return layer_mean(bits_float(value));
    default:
        return layer_near(bits_float(value));
    }
}

#endif
