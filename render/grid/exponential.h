/* Exponential map: an octave of the plane around a view's centre, in the geometry of Fraktaler-3
 * and zoomasm. The point at the share p of the whole picture's height and the share q of its width
 * is
 *
 *     centre + hypot(W, H) / 2 * step * 2^-p * exp(-2 pi i q), rotated by the view's angle
 *
 * so radii halve from top to bottom, and angles turn clockwise on the screen. The next octave is
 * the map of the view with twice the zoom. Pixels are square if W / H is 2 pi / ln 2, about 9.065. */
#ifndef FATHOM_RENDER_GRID_EXPONENTIAL_H
#define FATHOM_RENDER_GRID_EXPONENTIAL_H

#include "render/frame.h"
#include "render/planes.h"

/* Returns the width of a map with square pixels, at most FRAME_SIZE_MAX. */
int exponential_width(int height_px);
/* Computes the direction at the share at / of of the width, at the precision of `re` and `im`. */
void exponential_direction(const struct view *view, long at, long of, mpfr_t re, mpfr_t im);
/* Computes the radius at the share at / of of the height, in pixel steps. */
void exponential_radius(int width_px, int height_px, long at, long of, mpfr_t radius);

/* Size of the map's pixel (x, y) of a request's part, in pixel steps, and its place. */
struct exponential_pixel {
    double across, down; /* along the row, and along the column */
    double re, im;       /* direction from the centre */
};
struct exponential_pixel exponential_pixel(const struct frame_req *req, int x, int y);

/* Returns true if the samples contain lengths, which a map has in its own pixels. */
bool exponential_has_lengths(const struct frame_req *req);
/* Converts the lengths of a request's rows from pixel steps to the heights of the map's pixels, and
 * colours all pixels again. The planes must include those of the request. */
void exponential_convert(const struct frame_req *req, const struct sample_planes *planes,
                         uint32_t *rgba);

#endif
