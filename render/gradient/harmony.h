/* Random gradients by a key: hues in a harmony, each with a wave of lightness of its own. Pure. */
#ifndef FATHOM_RENDER_GRADIENT_HARMONY_H
#define FATHOM_RENDER_GRADIENT_HARMONY_H

#include "render/gradient/gradient.h"
#include <stdint.h>

/* The same key always gives the same gradient, cyclic and without edges. */
void harmony_gradient(uint64_t key, struct gradient *gradient);

#endif
