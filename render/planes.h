/* The planes of a picture's samples (sample.h) as data: by name, and by number for loops. */
#ifndef FATHOM_RENDER_PLANES_H
#define FATHOM_RENDER_PLANES_H

#include "render/sample.h"
#include <stdbool.h>
#include <stddef.h>

/* NULL: that plane is not there. */
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

/* The same planes from sample number `first` on. */
struct sample_planes sample_planes_from(const struct sample_planes *planes, size_t first);
/* Which planes are there, as a set. */
unsigned sample_planes_set(const struct sample_planes *planes);
/* Makes those of a set, of so many samples each, as memory_alloc does for `what`. False: no memory,
 * logged; finish them all the same. */
bool sample_planes_init(struct sample_planes *planes, unsigned set, size_t samples,
                        const char *what);
void sample_planes_finish(struct sample_planes *planes);
/* Copies `samples` of them to the planes that are there in `to`, as a target that is done has
 * them. */
void sample_planes_copy(const struct sample_planes *planes, size_t samples, uint32_t limit,
                        const struct sample_planes *to);

#endif
