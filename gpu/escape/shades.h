/* A colouring as kernels have it. */
#ifndef FATHOM_GPU_ESCAPE_SHADES_H
#define FATHOM_GPU_ESCAPE_SHADES_H

#include "gpu/device.h"
#include "render/colour.h"

#define SHADES_KNOTS      (COLOUR_TABLE_SIZE + LAYER_TABLE_SIZE) /* where they are in the table, */
#define SHADES_IMAGE      (SHADES_KNOTS + COLOUR_KNOTS)
#define SHADES_TABLE_SIZE (SHADES_IMAGE + COLOUR_IMAGE_SIZE)

/* Kernels that iterate know the linear mapping, counts and no layers: what has others, shades_apart, is coloured by a
 * kernel of its own. */
struct shades {
    uint64_t frequency, offset;
    uint32_t interior, mapping; /* RGBA; enum colour_mapping */
    uint32_t by, inside;        /* enum colour_by, colour_inside */
    uint32_t image_scale;
    bool smooth;
    struct layers layers;
    DEVICE_POINTER(const uint32_t)
    table; /* of colours, then light_table's, then knots, then an image */
};

static inline bool shades_apart(const struct colouring *colouring) {
    return colouring->mapping != MAPPING_LINEAR || colouring->by != BY_COUNT ||
           colouring->inside != INSIDE_ONE || colouring->layers.layer[0].kind != LAYER_NONE ||
           colouring->layers.layer[1].kind != LAYER_NONE;
}

#endif
