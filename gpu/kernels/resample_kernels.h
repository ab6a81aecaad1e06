/* Resampling kernel: gathers the cells of a frame's rings. A thread has one pixel. */
#ifndef FATHOM_GPU_KERNELS_RESAMPLE_KERNELS_H
#define FATHOM_GPU_KERNELS_RESAMPLE_KERNELS_H

ARGUMENT_STRUCT(resample_args, RESAMPLE_ARGUMENTS)

INLINE void resample_add(struct resample_sum *sum, const GLOBAL uint16_t *light, uint32_t weight) {
    sum->light[0] += (uint64_t)weight * light[0];
    sum->light[1] += (uint64_t)weight * light[1];
    sum->light[2] += (uint64_t)weight * light[2];
}

/* Returns true if columns x0 <= x < x1 of rows y0 <= y < y1 are all among the cells. */
INLINE bool resample_within(const struct cells *cells, int x0, int x1, int y0, int y1) {
    return x0 >= cells->x0 && x1 <= cells->x1 && y0 >= cells->y0 && y1 <= cells->y1;
}

/* Adds a row of cells. */
INLINE void resample_row(const struct resample_place *a, const GLOBAL uint16_t *light, int y,
                         int first, int count, const GLOBAL uint16_t *weight, uint32_t down,
                         struct resample_sum *sum) {
    const struct cells *const hole = &a->level_hole;
    const bool holed = y >= hole->y0 && y < hole->y1;
    const int64_t left = cells_offset(&a->level, hole, a->level.x0, y);
    const int64_t right = holed ? cells_offset(&a->level, hole, hole->x1, y) : left;
    for (int k = 0; k < count; k++) {
        const int x = first + k;
        if (!holed || x < hole->x0)
            resample_add(sum, light + 3 * (left + x), down * weight[k]);
        else if (x >= hole->x1)
            resample_add(sum, light + 3 * (right + x), down * weight[k]);
    }
}

/* Adds a ring that is parallel to the frame to pixel (x, y). */
INLINE void resample_parallel(const struct resample_place *a, const GLOBAL uint32_t *words,
                              const GLOBAL uint16_t *light, int x, int y,
                              struct resample_sum *sum) {
    const int column = x - a->across.begin, row = y - a->down.begin;
    const struct resample_tap across =
        ((const GLOBAL struct resample_tap *)(words + a->across.taps))[column];
    const struct resample_tap down =
        ((const GLOBAL struct resample_tap *)(words + a->down.taps))[row];
    if (across.cover == 0 || down.cover == 0 ||
        resample_within(&a->level_hole, across.first, across.first + a->across.most, down.first,
                        down.first + a->down.most))
        return;
    const GLOBAL uint16_t *const weight =
        (const GLOBAL uint16_t *)(words + a->across.weights) + column * a->across.most;
    const GLOBAL uint16_t *const weight_down =
        (const GLOBAL uint16_t *)(words + a->down.weights) + row * a->down.most;
    const int count = min(a->level.x1 - across.first, a->across.most);
    const int rows = min(a->level.y1 - down.first, a->down.most);
    for (int k = 0; k < rows; k++)
        if (weight_down[k] != 0)
            resample_row(a, light, down.first + k, across.first, count, weight, weight_down[k],
                         sum);
    sum->weight += (uint64_t)down.cover * across.cover - (uint64_t)down.hole * across.hole;
}

/* Adds a cell of a rotated ring to pixel (x, y), if the cell touches it. */
INLINE void resample_cell(const struct resample_place *a, const GLOBAL uint16_t *light, int x,
                          int y, int cell_x, int cell_y, struct resample_sum *sum) {
    const double tent = of_host(a->turn.tent), spacing = of_host(a->turn.spacing);
    double px, py;
    resample_turn_cell(&a->turn, cell_x, cell_y, &px, &py);
    if (px - tent >= x + 1 || px + tent < x || py - tent >= y + 1 || py + tent < y)
        return;
    const uint32_t weight =
        splat_weight(py - (y + 0.5), tent, spacing) * splat_weight(px - (x + 0.5), tent, spacing);
    const int64_t number = cell_x + cells_offset(&a->level, &a->level_hole, cell_x, cell_y);
    resample_add(sum, light + 3 * number, weight);
    sum->weight += weight * cells_coverage(&a->outer, &a->hole, cell_x, cell_y, a->m);
}

/* Sets the numbers from .. to of cells that may touch a pixel, in one direction, of which `low` to
 * `high` exist. */
INLINE void resample_reach(double centre, double radius, int low, int high, int *from, int *to) {
    const double first = centre - radius - 0.5, last = centre + radius - 0.5;
    *from = first > low ? (int)first - (first < 0) : low;
    *to = last < high ? min((int)last + 1, high) : high;
}

/* Adds a ring that is not parallel to the frame to pixel (x, y), whose part of the ring's grid is a
 * rotated square; the cells in the rectangle around the square are tried. */
INLINE void resample_turned(const struct resample_place *a, const GLOBAL uint16_t *light, int x,
                            int y, struct resample_sum *sum) {
    const struct cells *const hole = &a->level_hole;
    const double c = of_host(a->turn.c), s = of_host(a->turn.s);
    const double spacing = of_host(a->turn.spacing), area = spacing * spacing;
    const double px = x + 0.5 - of_host(a->turn.x_px), py = y + 0.5 - of_host(a->turn.y_px);
    const double step = (c < 0 ? -c : c) + (s < 0 ? -s : s);
    const double radius = area * step * (0.5 + of_host(a->turn.tent)) + 0.01;
    int x0, x1, y0, y1;
    resample_reach(area * (c * px + s * py), radius, a->level.x0, a->level.x1, &x0, &x1);
    resample_reach(area * (c * py - s * px), radius, a->level.y0, a->level.y1, &y0, &y1);
    if (resample_within(hole, x0, x1, y0, y1))
        return;
    for (int cell_y = y0; cell_y < y1; cell_y++)
        for (int cell_x = x0; cell_x < x1; cell_x++)
            if (!resample_within(hole, cell_x, cell_x + 1, cell_y, cell_y + 1))
                resample_cell(a, light, x, y, cell_x, cell_y, sum);
}

KERNEL(resample, RESAMPLE_ARGUMENTS, struct resample_args, struct group) {
    const struct resample_task *const a = VALUE_OF(at->task);
    const GLOBAL uint32_t *const words = (const GLOBAL uint32_t *)(at->places + a->rings);
    const uint32_t pixel = a->begin + thread_x();
    const int y = (int)(pixel / a->width), x = (int)(pixel - (uint32_t)y * a->width);
    struct resample_sum sum = {{0, 0, 0}, 0};
    if (thread_x() >= a->size)
        return;
    for (uint32_t ring = 0; ring < a->rings; ring++) {
        const struct cells pixels = at->places[ring].pixels;
        if (!resample_within(&pixels, x, x + 1, y, y + 1))
            continue;
        const struct resample_place place = at->places[ring];
        if (place.turned != 0)
            resample_turned(&place, at->lights.ring[ring], x, y, &sum);
        else
            resample_parallel(&place, words, at->lights.ring[ring], x, y, &sum);
    }
    for (uint32_t channel = 0; channel < 3; channel++) {
        const uint32_t light = resample_mean(sum.light[channel], sum.weight);
        const uint32_t value = a->light != 0 ? light : at->curve[light];
        if (a->deep != 0)
            ((GLOBAL uint16_t *)at->values)[(size_t)3 * pixel + channel] = (uint16_t)value;
        else
            at->values[(size_t)3 * pixel + channel] = (uint8_t)value;
    }
}

#define KERNELS(X) X(resample)

#endif
