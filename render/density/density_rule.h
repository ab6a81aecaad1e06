/* Which orbits are counted, and in which plane. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_RULE_H
#define FATHOM_RENDER_DENSITY_DENSITY_RULE_H

#include "render/density/density_place.h"
#include "render/inline.h"

/* Orbits are counted once, in the plane of their length: plane p has those longer than top[p - 1]
 * and up to top[p]. A channel shows the sum of planes 0 .. last[channel]. */
struct density_planes {
    int32_t count;
    uint32_t top[DENSITY_PLANES_MAX]; /* ascending */
    int32_t last[DENSITY_PLANES_MAX];
};

/* How a sample's orbit is counted (density.h), for kernels. Points z_1 .. z_n of an orbit that
 * escapes after n steps, n from `least` to `limit`; bounded: z_1 .. z_limit of the others. */
struct density_rule {
    uint32_t least, limit; /* least: from 2; limit: of the longest plane */
    uint32_t bounded;
    struct density_planes planes; /* in steps n */
};

#endif
