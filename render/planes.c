/* Sample planes: loops over all planes, for modules that create, move or copy sets of planes. */
#include "render/planes.h"
#include "render/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct sample_planes sample_planes_from(const struct sample_planes *planes, size_t first) {
    struct sample_planes from;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        from.plane[p] =
            planes->plane[p] ? (char *)planes->plane[p] + first * SAMPLE_PLANE_BYTES : NULL;
    return from;
}

unsigned sample_planes_set(const struct sample_planes *planes) {
    unsigned set = 0;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        set |= planes->plane[p] ? 1u << p : 0;
    return set;
}

bool sample_planes_init(struct sample_planes *planes, unsigned set, size_t samples,
                        const char *what) {
    *planes = (struct sample_planes){0};
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (set >> p & 1 &&
            !(planes->plane[p] = memory_alloc((uint64_t)samples * SAMPLE_PLANE_BYTES, what)))
            return false;
    return true;
}

void sample_planes_finish(struct sample_planes *planes) {
    for (int p = 0; p < SAMPLE_PLANES; p++)
        free(planes->plane[p]);
    *planes = (struct sample_planes){0};
}

static void copy_counts(const uint32_t *restrict from, size_t samples, uint32_t limit,
                        uint32_t *restrict to) {
    for (size_t i = 0; i < samples; i++)
        to[i] = from[i] & SAMPLE_INTERIOR ? SAMPLE_INTERIOR | limit : from[i];
}

void sample_planes_copy(const struct sample_planes *planes, size_t samples, uint32_t limit,
                        const struct sample_planes *to) {
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (to->plane[p] && p == SAMPLE_PLANE_count)
            copy_counts(planes->count, samples, limit, to->count);
        else if (to->plane[p])
            memcpy(to->plane[p], planes->plane[p], samples * SAMPLE_PLANE_BYTES);
}
