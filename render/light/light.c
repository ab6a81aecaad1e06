#include "render/light/light.h"
#include "render/light/colour_sample.h"
#include <pthread.h>

/* Limit of Newton steps, far above the need: a root is found once it stops falling. */
#define ROOT_STEPS 80

double light_root(double x, int degree) {
    if (x <= 1e-15)
        return 0;
    double y = 1.3;
    for (int step = 0; step < ROOT_STEPS; step++) {
        double power = y * y;
        if (degree == 5)
            power *= y * y;
        const double next = ((degree - 1) * y + x / power) / degree;
        if (next >= y)
            break;
        y = next;
    }
    return y;
}

double light_curve(double v) {
    if (v <= 0.04045)
        return v / 12.92;
    const double x = (v + 0.055) / 1.055, fifth = light_root(x, 5);
    return x * x * (fifth * fifth);
}

uint32_t light_of(int k) {
    return (uint32_t)(light_curve(k / 510.0) * (LIGHT_MAX * 65536.0) + 0.5);
}

void light_fill_curve(uint16_t *curve, unsigned most) {
    unsigned light = 0;
    for (unsigned value = 0; value <= most; value++) {
        const double next =
            value < most ? LIGHT_MAX * light_curve((value + 0.5) / most) : LIGHT_MAX + 1.0;
        while (light <= LIGHT_MAX && light < next)
            curve[light++] = (uint16_t)value;
    }
}

static uint32_t table[LAYER_TABLE_SIZE];

static void make_table(void) {
    for (int k = 0; k < LAYER_DECODE; k++)
        table[k] = (light_of(2 * k) + 0x8000u) >> 16;
    uint32_t byte = 0, above = light_of(1); /* light from which the next byte is nearer */
    for (uint32_t i = 0; i < LAYER_ENCODE; i++) {
        const uint32_t middle = (16 * i + 8) << 16;
        while (above <= middle)
            above = ++byte < 255 ? light_of(2 * (int)byte + 1) : UINT32_MAX;
        table[LAYER_DECODE + i] = byte;
    }
}

const uint32_t *light_table(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_table);
    return table;
}

void light_of_pixels(const uint32_t *rgba, size_t size, uint64_t *light) {
    const uint32_t *const of = light_table();
    for (size_t i = 0; i < size; i++)
        light[i] = of[rgba[i] & 0xffu] | (uint64_t)of[rgba[i] >> 8 & 0xffu] << 16 |
                   (uint64_t)of[rgba[i] >> 16 & 0xffu] << 32;
}

uint32_t light_sample(const struct colouring *colouring, const uint32_t *colours,
                      void *const *plane, size_t i) {
    const uint32_t rgba =
        colour_sample(colouring, colours, colouring->ranks.knot, colouring->image, plane, i);
    const bool interior = ((const uint32_t *)plane[SAMPLE_PLANE_count])[i] & SAMPLE_INTERIOR;
    if (interior || !plane[SAMPLE_PLANE_distance] || !colouring->table ||
        !layers_any(&colouring->layers))
        return rgba;
    return layers_over(&colouring->layers, light_table(), rgba, plane, i);
}
