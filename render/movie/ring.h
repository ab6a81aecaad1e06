/* Rings: the samples of a leg (leg.h), as nested rectangular rings around its pivot.
 *
 * The last ring belongs to the deepest frame, and each ring before it to a depth of 1 / RING_OCTAVE
 * less; the first is the last one that covers the widest frame. A ring's cells form a square grid
 * around the pivot, parallel to the frame of that depth, with `density` cells in a pixel of the
 * next ring's frame. It covers its frame except the frame of the next ring; the last ring covers
 * its whole frame, and the first ring only what the widest frame shows. So a frame always has
 * between `density` and 2^(1/RING_OCTAVE) * density cells a pixel in each direction at its edge,
 * and more inside, where means of 2x2, 4x4 ... cells serve. The last ring has cells of the size of
 * the next ring's, since nothing deeper refines its middle.
 *
 * A leg then needs 1.76 * width * height * density^2 samples an octave (docs/movies.md).
 *
 * If the pivot is outside the frames, a ring covers its frame and all frames up to the next ring's,
 * except what the next ring covers. Where the frames turn, too, such rings overlap.
 *
 * A level leg has a single ring, which covers all its frames with `density` cells a pixel. */
#ifndef FATHOM_RENDER_MOVIE_RING_H
#define FATHOM_RENDER_MOVIE_RING_H

#include "render/movie/leg.h"
#include "render/movie/resample_sum.h"

#define RING_OCTAVE 3  /* rings in an octave of zoom */
#define RING_LEVELS 13 /* levels of means, with the cells themselves */

struct rings {
    const struct leg *leg;
    int width_px, height_px;         /* of the frames */
    double density;                  /* cells in a pixel and direction, 1 .. 256 */
    int count;                       /* number of rings */
    struct cells first, outer, last; /* of the first, of other rings, and of the last */
    struct cells hole, last_hole;    /* of rings, and of the last but one; they may be empty */
};

/* Computes the rings of a leg for frames of that size. Returns false, if a ring has more than
 * FRAME_SIZE_MAX cells in a direction. */
bool rings_init(struct rings *rings, const struct leg *leg, int width_px, int height_px,
                double density);
/* Returns the depth of ring k. */
double rings_depth(const struct rings *rings, int k);
/* Returns the angle of the grid of ring k. */
double rings_angle(const struct rings *rings, int k);
/* Returns the cells of ring k with its hole. */
struct cells rings_outer(const struct rings *rings, int k);
/* Returns the hole of ring k, which may reach its edges; empty for the last. */
struct cells rings_hole(const struct rings *rings, int k);
/* Returns the number of samples of ring k. */
uint64_t rings_samples(const struct rings *rings, int k);
/* Stores the view whose picture of the size of rings_outer is ring k, with its hole. */
void rings_view(const struct rings *rings, int k, struct view *view);
/* Returns the cells of ring k in a pixel of the frame at a depth, in each direction. */
double rings_spacing(const struct rings *rings, int k, double depth);
/* Returns the deepest ring whose frame contains that of a depth. */
int rings_at(const struct rings *rings, double depth);

/* The parts of a ring without holes: above, left of, right of and below the hole; without a hole,
 * the first is everything. Stores those that are not empty, and returns their number. */
#define RING_PARTS 4
int cells_parts(struct cells outer, struct cells hole, struct cells parts[RING_PARTS]);
bool cells_empty(struct cells cells);

#endif
