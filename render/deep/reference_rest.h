/* What a reference keeps beside what is read: see render/deep/reference.h. For render/deep/ alone. */
#ifndef FATHOM_RENDER_DEEP_REFERENCE_REST_H
#define FATHOM_RENDER_DEEP_REFERENCE_REST_H

#include "render/deep/derivative.h"
#include "render/deep/orbit.h"
#include <stdatomic.h>

struct reference_rest {
    atomic_uint holders;
    unsigned limbs_most;          /* its full precision */
    uint64_t bytes;               /* of everything */
    struct derivative derivative; /* at the last index */
    int64_t lowest;               /* the last cut's radius_log2 * 8 */
    int64_t least_log2;           /* of the derivative by the start */
    struct orbit_value value;     /* Z at the last index, with all its bits */
};

#endif
