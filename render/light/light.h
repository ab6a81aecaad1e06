/* Linear light of sRGB, by + - * / only, so that all machines agree. */
#ifndef FATHOM_RENDER_LIGHT_LIGHT_H
#define FATHOM_RENDER_LIGHT_LIGHT_H

#include "render/colour.h"
#include <stdint.h>

#define LIGHT_MAX 65535u

/* Returns the root of degree 3 or 5 of x, for x from 0 to about 2. */
double light_root(double x, int degree);
/* Returns the linear light of an sRGB value in 0 .. 1. */
double light_curve(double v);
/* Returns 2^16 times the 16-bit light of the sRGB value k / 510, rounded to nearest. */
uint32_t light_of(int k);
/* Fills a table of LIGHT_MAX + 1 entries: the sRGB value of each light, from 0 to `most`, 255 or
 * 65535, whose light is nearest. */
void light_fill_curve(uint16_t *curve, unsigned most);
/* Returns the table for layers_over, LAYER_TABLE_SIZE entries, which is made at the first call. Any
 * thread. */
const uint32_t *light_table(void);
/* Converts RGBA pixels to light: 16 bits for each of R, G and B, R in the lowest bits. */
void light_of_pixels(const uint32_t *rgba, size_t size, uint64_t *light);
/* Returns the colour of sample i from the planes that exist, with layers, as backends draw it;
 * `colours` is the colouring's table. Any thread. */
uint32_t light_sample(const struct colouring *colouring, const uint32_t *colours,
                      void *const *plane, size_t i);

#endif
