/* Rings: the grids of the samples of a leg. */
#include "render/movie/ring.h"
#include "render/frame.h"
#include <math.h>

#define TOLERANCE 1e-9 /* [rings] of depths */
#define STEPS     16   /* positions of a frame between two rings that decide how large a ring is */

bool cells_empty(struct cells cells) {
    return cells.x0 >= cells.x1 || cells.y0 >= cells.y1;
}

int cells_parts(struct cells outer, struct cells hole, struct cells parts[RING_PARTS]) {
    int count = 0;
    if (cells_empty(hole)) {
        parts[count++] = outer;
        return count;
    }
    const struct cells all[RING_PARTS] = {{outer.x0, outer.y0, outer.x1, hole.y0},
                                          {outer.x0, hole.y0, hole.x0, hole.y1},
                                          {hole.x1, hole.y0, outer.x1, hole.y1},
                                          {outer.x0, hole.y1, outer.x1, outer.y1}};
    for (int i = 0; i < RING_PARTS; i++)
        if (!cells_empty(all[i]))
            parts[count++] = all[i];
    return count;
}

/* --- geometry of all rings --- */

/* Edges of a frame relative to the pivot [pixels]. */
struct edges {
    double left, top, right, bottom;
};

static struct edges edges_of(const struct rings *rings) {
    const double x = rings->leg->x * rings->height_px, y = rings->leg->y * rings->height_px;
    return (struct edges){-rings->width_px / 2.0 - x, -rings->height_px / 2.0 - y,
                          rings->width_px / 2.0 - x, rings->height_px / 2.0 - y};
}

static const struct edges nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};

/* Returns the smallest box that contains the edges rotated by `angle` and scaled, and `box`. */
static struct edges box_of(struct edges e, double angle, double scale, struct edges box) {
    const double c = cos(angle) * scale, s = sin(angle) * scale;
    for (int corner = 0; corner < 4; corner++) {
        const double x = corner & 1 ? e.right : e.left, y = corner & 2 ? e.bottom : e.top;
        const double u = x * c - y * s, v = x * s + y * c;
        box.left = fmin(box.left, u);
        box.right = fmax(box.right, u);
        box.top = fmin(box.top, v);
        box.bottom = fmax(box.bottom, v);
    }
    return box;
}

static bool contains(struct edges outer, struct edges inner) {
    return outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right &&
           outer.bottom >= inner.bottom;
}

/* Returns the part of the box `next`, which is rotated by `angle`, that is parallel to the axes:
 * the box scaled about the pivot, or nothing if the pivot is elsewhere. */
static struct edges within(struct edges next, double angle) {
    const struct edges none = {0};
    double low = 0, high = 1;
    if (angle == 0)
        return next;
    if (!contains(next, none))
        return none;
    for (int i = 0; i < 40; i++) {
        const double scale = (low + high) / 2;
        if (contains(next, box_of(next, angle, scale, none)))
            low = scale;
        else
            high = scale;
    }
    return (struct edges){next.left * low, next.top * low, next.right * low, next.bottom * low};
}

static double ring_ratio(void) {
    return leg_exp2(1.0 / RING_OCTAVE);
}

/* Returns the box of all frames from a depth to the next ring, relative to a ring [its pixels];
 * `ahead` is the distance of that depth from the ring's [octaves]. */
static struct edges box_from(const struct rings *rings, double ahead, double turn_an_octave) {
    const struct edges frame = edges_of(rings);
    const double rest = 1.0 / RING_OCTAVE - ahead;
    struct edges box = nowhere;
    for (int i = 0; i <= STEPS; i++) {
        const double further = ahead + rest * i / STEPS;
        box = box_of(frame, -turn_an_octave * further, leg_exp2(-further), box);
    }
    return box;
}

static struct cells cells_around(struct edges box, double per_pixel) {
    return (struct cells){(int)floor(box.left * per_pixel), (int)floor(box.top * per_pixel),
                          (int)ceil(box.right * per_pixel), (int)ceil(box.bottom * per_pixel)};
}

static struct cells cells_inside(struct edges box, double per_pixel) {
    return (struct cells){(int)ceil(box.left * per_pixel), (int)ceil(box.top * per_pixel),
                          (int)floor(box.right * per_pixel), (int)floor(box.bottom * per_pixel)};
}

static bool fits(const struct rings *rings) {
    const struct cells *all[] = {&rings->first, &rings->outer, &rings->last};
    for (int i = 0; i < 3; i++)
        if (all[i]->x1 - all[i]->x0 > FRAME_SIZE_MAX || all[i]->y1 - all[i]->y0 > FRAME_SIZE_MAX)
            return false;
    return true;
}

/* Returns the box of all frames of a level leg, relative to its pivot in the first frame
 * [pixels]. */
static struct edges box_of_level(const struct rings *rings) {
    const struct leg *leg = rings->leg;
    const bool moves = leg->turn != 0 || leg->pan_re != 0 || leg->pan_im != 0;
    struct edges box = nowhere;
    for (int i = 0; i <= (moves ? STEPS : 0); i++) {
        const double at = (double)i / STEPS;
        double x, y;
        leg_pivot(leg, at, &x, &y);
        x *= rings->height_px;
        y *= rings->height_px;
        const struct edges frame = {-rings->width_px / 2.0 - x, -rings->height_px / 2.0 - y,
                                    rings->width_px / 2.0 - x, rings->height_px / 2.0 - y};
        box = box_of(frame, leg->angle - leg_angle(leg, at), 1, box);
    }
    return box;
}

bool rings_init(struct rings *rings, const struct leg *leg, int width_px, int height_px,
                double density) {
    *rings = (struct rings){
        .leg = leg, .width_px = width_px, .height_px = height_px, .density = density};
    if (leg_is_level(leg)) {
        rings->count = 1;
        rings->outer = rings->first = rings->last = cells_around(box_of_level(rings), density);
        return fits(rings);
    }
    const double octaves = leg->to - leg->from, turn = leg->turn / octaves;
    const double fine = ring_ratio() * density;
    rings->count = (int)ceil(octaves * RING_OCTAVE - TOLERANCE) + 1;
    const double ahead = fmax((rings->count - 1.0) / RING_OCTAVE - octaves, 0);
    const struct edges box = box_from(rings, 0, turn), end = edges_of(rings);
    rings->outer = cells_around(box, fine);
    rings->first = cells_around(box_from(rings, ahead, turn), fine);
    rings->last = cells_around(end, fine * ring_ratio());
    rings->hole = cells_inside(within(box, turn / RING_OCTAVE), density);
    rings->last_hole = cells_inside(within(end, turn / RING_OCTAVE), density);
    return fits(rings);
}

double rings_depth(const struct rings *rings, int k) {
    return rings->leg->to - (rings->count - 1.0 - k) / RING_OCTAVE;
}

struct cells rings_outer(const struct rings *rings, int k) {
    if (k + 1 == rings->count)
        return rings->last;
    return k == 0 ? rings->first : rings->outer;
}

struct cells rings_hole(const struct rings *rings, int k) {
    const struct cells outer = rings_outer(rings, k);
    struct cells hole = k + 2 < rings->count ? rings->hole : rings->last_hole;
    hole.x0 = hole.x0 > outer.x0 ? hole.x0 : outer.x0;
    hole.y0 = hole.y0 > outer.y0 ? hole.y0 : outer.y0;
    hole.x1 = hole.x1 < outer.x1 ? hole.x1 : outer.x1;
    hole.y1 = hole.y1 < outer.y1 ? hole.y1 : outer.y1;
    return k + 1 == rings->count || cells_empty(hole) ? (struct cells){0} : hole;
}

static uint64_t size_of(struct cells cells) {
    return cells_empty(cells) ? 0
                              : (uint64_t)(cells.x1 - cells.x0) * (uint64_t)(cells.y1 - cells.y0);
}

uint64_t rings_samples(const struct rings *rings, int k) {
    return size_of(rings_outer(rings, k)) - size_of(rings_hole(rings, k));
}

void rings_view(const struct rings *rings, int k, struct view *view) {
    const struct cells outer = rings_outer(rings, k);
    const int height = outer.y1 - outer.y0;
    const double depth = rings_depth(rings, k);
    mpfr_set_prec(view->re, mpfr_get_prec(rings->leg->re));
    mpfr_set_prec(view->im, mpfr_get_prec(rings->leg->im));
    mpfr_set(view->re, rings->leg->re, MPFR_RNDN);
    mpfr_set(view->im, rings->leg->im, MPFR_RNDN);
    mpfr_set_d(view->zoom, depth, MPFR_RNDN);
    mpfr_exp2(view->zoom, view->zoom, MPFR_RNDN);
    mpfr_mul_d(view->zoom, view->zoom, rings->height_px * rings_spacing(rings, k, depth) / height,
               MPFR_RNDN);
    view->angle = remainder(rings_angle(rings, k), 2 * M_PI);
    view_pan(view, (outer.x0 + outer.x1) / 2.0, (outer.y0 + outer.y1) / 2.0, height);
}

double rings_angle(const struct rings *rings, int k) {
    return leg_angle(rings->leg, leg_is_level(rings->leg) ? 0 : rings_depth(rings, k));
}

double rings_spacing(const struct rings *rings, int k, double depth) {
    if (leg_is_level(rings->leg))
        return rings->density;
    const int finer = k + 1 == rings->count ? k + 2 : k + 1;
    return rings->density * leg_exp2(rings_depth(rings, finer) - depth);
}

int rings_at(const struct rings *rings, double depth) {
    const int k = (int)floor((depth - rings_depth(rings, 0)) * RING_OCTAVE + TOLERANCE);
    return k < 0 ? 0 : k < rings->count ? k : rings->count - 1;
}
