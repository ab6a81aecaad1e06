/* Random gradients by a key: hues in harmony, each with a wave of lightness. Pure function. */
#ifndef FATHOM_RENDER_GRADIENT_HARMONY_H
#define FATHOM_RENDER_GRADIENT_HARMONY_H

#include "render/gradient/gradient.h"
#include <stdint.h>

/* Computes the gradient of a key: always the same, cyclic and without edges. */
void harmony_gradient(uint64_t key, struct gradient *gradient);

#endif
