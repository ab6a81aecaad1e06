/* Bounds of a cell (points.h): limits for the steps of all its orbits, found before any orbit is
 * drawn. */
#ifndef FATHOM_GPU_DENSITY_CELL_BOUNDS_H
#define FATHOM_GPU_DENSITY_CELL_BOUNDS_H

#include "gpu/density/cell_course.h"
#include "render/inline.h"

/* Sums over all cells. */
struct cell_bounds {
    uint32_t live; /* pairs in the list */
    uint32_t open; /* clumps whose end is unknown */
    /* sum, over the other clumps, of the steps from the first to the last plotted one */
    uint32_t plots;
};

INLINE uint32_t cell_bounds_open(const struct points_task *task, const struct cell_course *course) {
    const uint32_t first = course->first ? course->first : course->examined + 1;
    const uint32_t sure =
        course->none_escaped < task->young ? course->none_escaped : task->young - 1;
    return first | BOUNDS_OPEN << 8 | sure << 16;
}

INLINE uint32_t cell_bounds_known(const struct cell_course *course, uint32_t n) {
    return course->first ? course->first | course->last << 8 | course->none_escaped << 16 | n << 24
                         : 0;
}

INLINE uint32_t cell_bounds_of_course(const struct points_task *task,
                                      const struct cell_course *course) {
    const struct density_rule *rule = &task->rule;
    const bool bounded = course->none_escaped >= rule->limit;
    if (rule->bounded)
        return course->all_escaped ? 0
               : bounded           ? cell_bounds_known(course, 0)
                                   : cell_bounds_open(task, course);
    if (bounded || (course->all_escaped && (!course->first || course->all_escaped < rule->least)))
        return 0;
    if (course->all_escaped && course->none_escaped == course->all_escaped - 1)
        return cell_bounds_known(course, course->all_escaped);
    return cell_bounds_open(task, course);
}

/* Returns the bounds of an entry of the order. */
INLINE uint32_t cell_bounds_of(const struct points_task *task, uint32_t cell) {
    const struct cell_course course = cell_course_of(task, cell_disc_of(cell));
    return cell_bounds_of_course(task, &course);
}

/* Returns true if the end of the cell's orbits is unknown. */
INLINE bool cell_bounds_are_open(uint32_t bounds) {
    return (bounds >> 8 & 255u) == BOUNDS_OPEN;
}

/* Returns the number of steps that may be plotted, or 0 if it is unknown. */
INLINE uint32_t cell_bounds_plots(uint32_t bounds) {
    return bounds && !cell_bounds_are_open(bounds) ? (bounds >> 8 & 255u) - (bounds & 255u) + 1 : 0;
}

#endif
