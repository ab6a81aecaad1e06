/* Shades: decides whether a separate kernel must colour a picture, because the iteration kernels do
 * not support its colouring. */
#ifndef FATHOM_GPU_ESCAPE_SHADES_H
#define FATHOM_GPU_ESCAPE_SHADES_H

#include "gpu/escape/tasks.h"

static inline bool shades_need_kernel(const struct colouring *colouring) {
    return colouring->mapping != MAPPING_LINEAR || colouring->by != BY_COUNT ||
           colouring->inside != INSIDE_ONE || colouring->layers.layer[0].kind != LAYER_NONE ||
           colouring->layers.layer[1].kind != LAYER_NONE;
}

#endif
