/* Exponential map: places and sizes of its pixels. */
#include "render/grid/exponential.h"
#include "render/light/light.h"
#include <math.h>

#define TURN 6.283185307179586
#define LN2  0.6931471805599453

int exponential_width(int height_px) {
    return (int)fmin(round(height_px * (TURN / LN2)), FRAME_SIZE_MAX);
}

void exponential_direction(const struct view *view, long at, long of, mpfr_t re, mpfr_t im) {
    mpfr_t angle;
    mpfr_init2(angle, mpfr_get_prec(re) + 64);
    mpfr_const_pi(angle, MPFR_RNDN);
    mpfr_mul_si(angle, angle, -2 * at, MPFR_RNDN);
    mpfr_div_si(angle, angle, of, MPFR_RNDN);
    mpfr_add_d(angle, angle, view->angle, MPFR_RNDN);
    mpfr_sin_cos(im, re, angle, MPFR_RNDN);
    mpfr_clear(angle);
}

void exponential_radius(int width_px, int height_px, long at, long of, mpfr_t radius) {
    mpfr_t diagonal;
    mpfr_init2(diagonal, mpfr_get_prec(radius) + 64);
    mpfr_set_si(diagonal, (long)width_px * width_px + (long)height_px * height_px, MPFR_RNDN);
    mpfr_sqrt(diagonal, diagonal, MPFR_RNDN);
    mpfr_set_si(radius, -at, MPFR_RNDN);
    mpfr_div_si(radius, radius, of, MPFR_RNDN);
    mpfr_exp2(radius, radius, MPFR_RNDN);
    mpfr_mul(radius, radius, diagonal, MPFR_RNDN);
    mpfr_div_2ui(radius, radius, 1, MPFR_RNDN);
    mpfr_clear(diagonal);
}

struct exponential_pixel exponential_pixel(const struct frame_req *req, int x, int y) {
    int width, height;
    frame_req_whole(req, &width, &height);
    const double p = (req->part_y_px + y + 0.5) / height, q = (req->part_x_px + x + 0.5) / width;
    const double radius = hypot(width, height) / 2 * exp2(-p);
    const double angle = req->view.angle - TURN * q;
    return (struct exponential_pixel){radius * TURN / width, radius * LN2 / height, cos(angle),
                                      sin(angle)};
}

bool exponential_has_lengths(const struct frame_req *req) {
    return req->projection == PROJECTION_EXPONENTIAL &&
           req->planes & (SAMPLE_PLANE_BIT(distance) | SAMPLE_PLANE_BIT(depth));
}

void exponential_convert(const struct frame_req *req, const struct sample_planes *planes,
                         uint32_t *rgba) {
    size_t i = 0;
    for (int y = 0; y < req->height_px; y++) {
        const float scale = (float)(1 / exponential_pixel(req, 0, y).down);
        for (int x = 0; x < req->width_px; x++, i++) {
            if (planes->distance)
                planes->distance[i] *= scale;
            if (planes->depth)
                planes->depth[i] *= scale;
            rgba[i] = light_sample(&req->colouring, req->colouring.table, planes->plane, i);
        }
    }
}
