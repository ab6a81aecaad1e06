/* Course of a cell: common properties of all its orbits, which are followed together as a disc. */
#ifndef FATHOM_GPU_DENSITY_CELL_COURSE_H
#define FATHOM_GPU_DENSITY_CELL_COURSE_H

#include "gpu/density/points.h"
#include "render/inline.h"

/* Disc that contains the points of all orbits of a cell. */
struct cell_disc {
    double re, im, radius; /* centre and radius of the disc of c */
    double zr, zi, r;
};

/* Bounds of the rounding error in float: of c, and of a step from |z| = size. */
#define CELL_ROUNDING            0x1p-20
#define CELL_STEP_ROUNDING(size) (0x1p-20 * (1 + (size) * (size)))

INLINE struct cell_disc cell_disc_of(uint32_t cell) {
    const double side = (double)(1u << SAMPLE_FRAME);
    const double x = (cell % CELLS_X + 0.5) * side - 0x1p31;
    const double y = ((cell & CELLS_NUMBER) / CELLS_X + 0.5) * side;
    const double wide = side * SAMPLE_SCALE;
    struct cell_disc disc;
    disc.re = x * SAMPLE_SCALE;
    disc.im = y * SAMPLE_SCALE;
    disc.radius = 0.5001 * double_sqrt(2 * wide * wide) + CELL_ROUNDING;
    disc.zr = disc.re;
    disc.zi = disc.im;
    disc.r = disc.radius;
    return disc;
}

INLINE void cell_disc_step(struct cell_disc *disc, double size) {
    const double next = disc->zr * disc->zr - disc->zi * disc->zi + disc->re;
    disc->zi = 2 * disc->zr * disc->zi + disc->im;
    disc->zr = next;
    disc->r = disc->r * (2 * size + disc->r) + disc->radius + CELL_STEP_ROUNDING(size + disc->r);
}

/* Returns true if a coordinate of any point of the disc may lie within 0 .. size. */
INLINE bool cell_may_be_within(const struct cell_disc *disc, double zi, double by_re, double by_im,
                               double from, uint32_t size) {
    const double re = disc->zr * by_re, im = zi * by_im, at = im + re + from;
    const double error = disc->r * double_sqrt(by_re * by_re + by_im * by_im) * 1.001 + 0.01 +
                         0x1p-20 * (double_abs(re) + double_abs(im) + double_abs(from));
    return at + error >= 0 && at - error <= size;
}

INLINE bool cell_may_be_seen_at(const struct points_task *task, const struct cell_disc *disc,
                                double zi) {
    const struct density_place *p = &task->place;
    return cell_may_be_within(disc, zi, p->column_re, p->column_im, p->column_0,
                              (uint32_t)p->width) &&
           cell_may_be_within(disc, zi, p->row_re, p->row_im, p->row_0, (uint32_t)p->height);
}

INLINE bool cell_may_be_seen(const struct points_task *task, const struct cell_disc *disc) {
    if (task->place.fold != DENSITY_FOLD_NONE)
        return cell_may_be_seen_at(task, disc, double_abs(disc->zi));
    return cell_may_be_seen_at(task, disc, disc->zi) ||
           (task->place.both && cell_may_be_seen_at(task, disc, -disc->zi));
}

/* Steps of a cell's orbits. */
struct cell_course {
    uint32_t first, last;  /* first and last step whose points may be visible; 0: none */
    uint32_t none_escaped; /* no orbit escapes within this number of steps */
    uint32_t all_escaped;  /* all orbits have escaped after this number of steps; 0: unknown */
    uint32_t examined;     /* number of steps that were examined */
};

INLINE struct cell_course cell_course_of(const struct points_task *task, struct cell_disc disc) {
    const struct density_rule *rule = &task->rule;
    const uint32_t most = rule->limit < BOUNDS_STEPS ? rule->limit : BOUNDS_STEPS;
    struct cell_course course = {0, 0, 0, 0, 0};
    for (uint32_t n = 1; n <= most && disc.r < 10; n++) {
        const double size = double_sqrt(disc.zr * disc.zr + disc.zi * disc.zi);
        const bool out = size - disc.r > 2;
        if (cell_may_be_seen(task, &disc)) {
            course.first = course.first ? course.first : n;
            course.last = n;
        }
        course.examined = n;
        if (out) {
            course.all_escaped = n;
            break;
        }
        if (course.none_escaped == n - 1 && size + disc.r < 2)
            course.none_escaped = n;
        cell_disc_step(&disc, size);
    }
    return course;
}

#endif
