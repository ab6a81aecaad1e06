/* Density rule: which orbits are counted, and in which plane. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_RULE_H
#define FATHOM_RENDER_DENSITY_DENSITY_RULE_H

#include "render/density/density_place.h"
#include "render/inline.h"

/* Planes of counts by the length of orbits. Each orbit is counted once: plane p contains lengths
 * above top[p - 1] up to top[p]. A channel shows the sum of planes 0 .. last[channel]. */
struct density_planes {
    int32_t count;
    uint32_t top[DENSITY_PLANES_MAX]; /* ascending */
    int32_t last[DENSITY_PLANES_MAX];
};

/* Rule for kernels (density.h): points z_1 .. z_n are counted of orbits that escape after n steps,
 * `least` <= n <= `limit`; bounded: points z_1 .. z_limit of the other orbits. */
struct density_rule {
    uint32_t least, limit; /* least: at least 2; limit: of the longest plane */
    uint32_t bounded;
    struct density_planes planes; /* in steps n */
};

#endif
