/* What a reference keeps beside what is read: see render/deep/reference.h. For render/deep/ alone. */
#ifndef FATHOM_RENDER_DEEP_REFERENCE_REST_H
#define FATHOM_RENDER_DEEP_REFERENCE_REST_H

#include "render/deep/derivative.h"
#include "render/deep/orbit.h"
#include <stdatomic.h>

struct reference_want;

struct reference_rest {
    atomic_uint holders;
    unsigned limbs_most;          /* its full precision */
    uint64_t bytes;               /* of everything */
    struct derivative derivative; /* at the last index */
    int64_t lowest;               /* the last cut's radius_log2 * 8 */
    int64_t least_log2;           /* of the derivative by the start */
    struct orbit_value value;     /* Z at the last index, with all its bits */
};

/* The least step inwards from |Z| = 2 in doubles, where W = Z + z would have escaped whatever z is:
 * close to c = -2 orbits stay about there for long. */
static inline bool orbit_leave_circle(struct orbit_point *z) {
    if (z->exponent || fma(z->re, z->re, z->im * z->im) != 4.0)
        return false;
    double *larger = fabs(z->re) >= fabs(z->im) ? &z->re : &z->im;
    *larger = nextafter(*larger, 0);
    return true;
}

/* What a reference may take. */
uint64_t reference_bytes_most(const struct reference_want *want);
/* As reference_make for other formulas than z^2 + c, in numbers of one precision: to the escape or the limit, of each of
 * its orbits. */
const struct reference *reference_make_folded(const struct reference_want *want,
                                              const atomic_bool *stop, atomic_uint *progress);

#endif
