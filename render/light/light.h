/* Linear light of sRGB, by + - * / alone, so that it is the same everywhere. */
#ifndef FATHOM_RENDER_LIGHT_LIGHT_H
#define FATHOM_RENDER_LIGHT_LIGHT_H

#include "render/light/layers.h"
#include <stdint.h>

#define LIGHT_MAX 65535u

/* The root of that degree, 3 or 5, of x from 0 to about 2. */
double light_root(double x, int degree);
/* sRGB's curve, of 0 .. 1. */
double light_curve(double v);
/* 2^16 times the 16-bit light of the sRGB value k / 510, rounded to nearest. */
uint32_t light_of(int k);
/* For layers_over, LAYER_TABLE_SIZE entries; made once. */
const uint32_t *light_table(void);
/* The light of RGBA pixels: 16 bits for each of R, G and B, from the lowest. */
void light_of_pixels(const uint32_t *rgba, size_t size, uint64_t *light);

#endif
