/* Linear light of sRGB, in integers. */
#ifndef FATHOM_RENDER_LIGHT_LIGHT_H
#define FATHOM_RENDER_LIGHT_LIGHT_H

#include "render/light/layers.h"
#include <stdint.h>

#define LIGHT_MAX 65535u

/* 2^16 times the 16-bit light of the sRGB value k / 510. Leaves numbers in MPFR's cache. */
uint32_t light_of(int k);
/* For layers_over, LAYER_TABLE_SIZE entries; made once. */
const uint32_t *light_table(void);

#endif
