/* Sharing of samples: compares requests to find the samples that they share. */
#include "render/grid/sharing.h"
#include "render/deep/perturbation.h"
#include <stdlib.h>

static bool same_place(const struct frame_req *a, const struct frame_req *b) {
    int width_a, height_a, width_b, height_b;
    frame_req_whole(a, &width_a, &height_a);
    frame_req_whole(b, &width_b, &height_b);
    return a->width_px == b->width_px && a->height_px == b->height_px && width_a == width_b &&
           height_a == height_b && a->part_x_px == b->part_x_px && a->part_y_px == b->part_y_px &&
           a->offset_x == b->offset_x && a->offset_y == b->offset_y;
}

/* Moves one axis of a map from the whole pictures to the same part of both. Returns true if any of
 * the part's `size` pixels lies in both pictures. */
static bool part_map(int scale_log2, int part, int size, int *d) {
    const int scale = 1 << abs(scale_log2);
    *d += (scale_log2 > 0 ? 1 - scale : scale - 1) * part;
    /* Pixel p of the coarser picture is pixel p * scale + offset of the finer one. */
    const int offset = scale_log2 > 0 ? -*d : *d;
    const int first = offset < 0 ? (-offset + scale - 1) / scale : 0;
    return first < size && first * (int64_t)scale + offset < size;
}

static bool shares_grid(const struct frame_req *from, const struct frame_req *to,
                        struct grid_map *map) {
    int width, height;
    frame_req_whole(to, &width, &height);
    if (from->projection != PROJECTION_FLAT || to->projection != PROJECTION_FLAT ||
        !view_grid_map(&from->view, &to->view, width, height, map) ||
        (map->scale_log2 != 0 && (to->offset_x != 0 || to->offset_y != 0)))
        return false;
    const bool columns = part_map(map->scale_log2, to->part_x_px, to->width_px, &map->dx);
    return part_map(map->scale_log2, to->part_y_px, to->height_px, &map->dy) && columns;
}

/* Returns true if both requests use the same references and the same segments of them. */
static bool same_reference(const struct frame_req *a, const struct frame_req *b) {
    if (a->perturbation != b->perturbation || a->screen != b->screen || !a->perturbation)
        return a->perturbation == b->perturbation && a->screen == b->screen;
    const struct perturbed_place from = frame_req_place(a, a->perturbation),
                                 to = frame_req_place(b, b->perturbation);
    return from.c_log2 == to.c_log2 && from.c_most_log2 == to.c_most_log2;
}

/* Returns true if samples of both requests at one point are equal. Exceptions are the limit, and
 * rare samples that depend on the reference. */
static bool same_kind(const struct frame_req *from, const struct frame_req *to) {
    return fractal_equal(&from->fractal, &to->fractal) && from->route == to->route &&
           from->type == to->type && from->tailless == to->tailless && from->widen == to->widen &&
           from->doubles_limit == to->doubles_limit;
}

unsigned sharing_new_planes(const struct frame_req *from, const struct frame_req *to) {
    return to->planes & ~from->planes;
}

/* Returns true if the planes that only `to` has can be added to the samples of `from` by second
 * passes along their orbits. */
static bool can_walk(const struct frame_req *from, const struct frame_req *to) {
    const unsigned walked = fractal_has_slopes(&to->fractal) ? SAMPLE_WALKED : 0;
    return (sharing_new_planes(from, to) & ~walked) == 0;
}

static bool is_even(const struct frame_req *req) {
    return !req->lines || req->lines->even;
}

/* Returns true if the request has planes with values in pixels. */
static bool has_units(const struct frame_req *req) {
    return req->planes & (SAMPLE_PLANE_BIT(distance) | SAMPLE_PLANE_BIT(depth));
}

/* Returns true if such values have the same unit in both requests. */
static bool same_unit(const struct frame_req *from, const struct frame_req *to) {
    if (!has_units(to))
        return true;
    mpfr_t step, other;
    mpfr_inits2(VIEW_ZOOM_BITS, step, other, (mpfr_ptr)NULL);
    frame_req_exact_step(from, step);
    frame_req_exact_step(to, other);
    const bool same = mpfr_equal_p(step, other);
    mpfr_clears(step, other, (mpfr_ptr)NULL);
    return same;
}

float sharing_unit(const struct frame_req *from, const struct frame_req *to) {
    if (!has_units(to))
        return 1;
    mpfr_t step, other;
    mpfr_inits2(VIEW_ZOOM_BITS, step, other, (mpfr_ptr)NULL);
    frame_req_exact_step(from, step);
    frame_req_exact_step(to, other);
    mpfr_div(step, step, other, MPFR_RNDN);
    const float unit = mpfr_get_flt(step, MPFR_RNDN);
    mpfr_clears(step, other, (mpfr_ptr)NULL);
    return unit;
}

static bool was_rescaled(const struct frame_req *req) {
    return req->lines && req->lines->rescaled;
}

void sharing_follow(struct lines *lines, const struct frame_req *to, const struct frame_req *from) {
    lines->source = from->generation;
    lines->source_columns = from->width_px;
    lines->source_rows = from->height_px;
    lines->rescaled = lines->in_motion && (was_rescaled(from) || !same_unit(from, to));
}

bool sharing_by_lines(const struct frame_req *from, const struct frame_req *to) {
    const struct lines *lines = to->lines;
    return lines && lines->source != 0 && lines->source == from->generation &&
           lines->source_columns == from->width_px && lines->source_rows == from->height_px &&
           same_kind(from, to) && sharing_new_planes(from, to) == 0 &&
           (lines->in_motion || (from->limit <= to->limit && same_reference(from, to) &&
                                 !was_rescaled(from) && same_unit(from, to)));
}

bool sharing_by_map(const struct frame_req *from, const struct frame_req *to,
                    struct grid_map *map) {
    *map = (struct grid_map){0};
    if (!same_place(from, to) || !same_kind(from, to) || !can_walk(from, to) ||
        !same_reference(from, to) || !same_unit(from, to) || from->limit > to->limit ||
        !is_even(from) || !is_even(to) || lines_in_motion(from->lines))
        return false;
    return view_equal(&from->view, &to->view) ||
           (frame_req_step_bits(to) == VIEW_ZOOM_BITS && shares_grid(from, to, map));
}
