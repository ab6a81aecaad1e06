/* Whether two programs that take different samples draw the same picture: blocks of pixels, and how
 * much they may differ by chance. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_BLOCKS_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_BLOCKS_H

#include "render/density/density_counts.h"

#define BLOCKS_SIDE_PX 16

/* What each block of a picture has of all its points. */
struct blocks {
    size_t count;
    double *share;
    double points;
};

/* Of a canvas of counts, or of what a request's counts show. Pair with blocks_finish; false: no
 * memory, logged. */
bool blocks_of_canvas(struct blocks *blocks, const uint32_t *canvas, int width_px, int height_px);
bool blocks_of_counts(struct blocks *blocks, const struct density_req *req,
                      const struct density_counts *counts);
void blocks_finish(struct blocks *blocks);

struct blocks_difference {
    double percent; /* root of the mean square of relative differences */
    double noise;   /* the same as it is to be expected of equal programs */
    double ratio;   /* of the squares; 1 is expected of equal programs */
};

/* Between two programs, of each of which there are two pictures from independent samples: those
 * tell how much chance there is in theirs. */
struct blocks_difference blocks_compare(const struct blocks a[2], const struct blocks b[2]);

#endif
