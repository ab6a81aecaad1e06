/* Sample planes: the planes of a picture's samples (sample.h), by name, and by number for loops. */
#ifndef FATHOM_RENDER_PLANES_H
#define FATHOM_RENDER_PLANES_H

#include "render/sample.h"
#include <stdbool.h>
#include <stddef.h>

/* Pointers to planes; NULL for planes that do not exist. */
#define SAMPLE_PLANE_MEMBER(name, type) type *name;
struct sample_planes {
    union {
        struct {
            SAMPLE_PLANE_LIST(SAMPLE_PLANE_MEMBER)
        };
        void *plane[SAMPLE_PLANES];
    };
};
#undef SAMPLE_PLANE_MEMBER

/* Returns the same planes from sample number `first` on. */
struct sample_planes sample_planes_from(const struct sample_planes *planes, size_t first);
/* Returns the set of planes that exist. */
unsigned sample_planes_set(const struct sample_planes *planes);
/* Allocates the planes of a set for a number of samples, as memory_alloc does for `what`. Returns
 * false without memory; the reason is logged. To be finished in any case. */
bool sample_planes_init(struct sample_planes *planes, unsigned set, size_t samples,
                        const char *what);
void sample_planes_finish(struct sample_planes *planes);
/* Copies samples to the planes that exist in `to`, in the form of a finished target: interior
 * samples have `limit`. */
void sample_planes_copy(const struct sample_planes *planes, size_t samples, uint32_t limit,
                        const struct sample_planes *to);

#endif
