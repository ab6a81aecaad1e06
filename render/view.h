/* View: the part of the plane that a picture shows. Pure functions on arbitrary-precision numbers.
 *
 * Convention (of Fraktaler-3): zoom 1 shows an imaginary half-height of 2. The pixel step of a
 * picture of height H is 4 / (zoom * H), rounded once to 64 bits, so that k steps are exact. Row 0
 * is the top. Pixel (x, y) samples centre + ((x + 0.5 - W/2) + i (H/2 - y - 0.5)) * step, rotated
 * by `angle`. The precision grows with the depth: every operation keeps at least 128 bits below the
 * step. Pans by whole pixels at angle 0 are exact, so that a pan and its reverse restore the same
 * bits. */
#ifndef FATHOM_RENDER_VIEW_H
#define FATHOM_RENDER_VIEW_H

#include "render/grid/grid_map.h"
#include <mpfr.h>
#include <stdbool.h>

#define VIEW_ZOOM_BITS  64
#define VIEW_ZOOM_MAX   "1e100000"
#define VIEW_ZOOM_MIN   "1e-300"
#define VIEW_BITS_MAX   400000 /* precision of a coordinate: 1e100000 with a margin */
#define VIEW_DIGITS_MAX 125000 /* characters of a coordinate in a file */

struct view {
    mpfr_t re, im; /* centre; any precision >= 64 bits */
    mpfr_t zoom;   /* VIEW_ZOOM_MIN <= zoom <= VIEW_ZOOM_MAX, VIEW_ZOOM_BITS bits */
    double angle;  /* radians, anticlockwise, finite, in (-pi, pi] */
};

/* Initialises to home: -0.5 + 0i, zoom 1.5, angle 0. Pairs with view_finish. */
void view_init(struct view *view);
void view_init_copy(struct view *view, const struct view *from);
void view_finish(struct view *view);
/* Copies between initialised views; the precision follows `from`. */
void view_assign(struct view *view, const struct view *from);
void view_home(struct view *view);
bool view_equal(const struct view *a, const struct view *b);

/* Returns the precision for decimals of few digits, such as 0.1, at the view's zoom: rounding moves
 * a coordinate below 4 by less than 2^-64 of a pixel. A multiple of 64 bits. */
long view_decimal_bits(const struct view *view);
/* Sets the centre from decimal text. `bits` is the precision; 0 chooses one that holds all digits,
 * and at least view_decimal_bits, so the zoom is set first. On false nothing has changed and *why
 * is a static sentence. */
bool view_set_centre(struct view *view, const char *re, const char *im, long bits,
                     const char **why);
/* Sets the zoom from decimal text; refuses NaN, zero, negative and out-of-range values. */
bool view_set_zoom(struct view *view, const char *text, const char **why);
/* Sets the angle, reduced to one turn; refuses NaN and infinities. */
bool view_set_angle_degrees(struct view *view, double degrees, const char **why);
/* Rotates the view about its centre, anticlockwise for positive radians (the picture rotates the
 * other way). view_angle_degrees reproduces the new angle exactly. */
void view_rotate(struct view *view, double radians);
/* Returns the angle in degrees, with the fewest digits from which view_set_angle_degrees restores
 * the same bits. */
double view_angle_degrees(const struct view *view);

/* Returns decimal text that parses to the same number at the same precision; the caller frees it.
 * `digits` > 0 requests this number of significant digits instead (for display). Returns NULL
 * without memory. */
char *view_number_text(mpfr_srcptr number, int digits);
/* Returns the precision at which re and im must be parsed to restore the view: the larger of
 * both. */
long view_bits(const struct view *view);

/* Computes the pixel step; the caller initialises `step` with VIEW_ZOOM_BITS bits. */
void view_step(const struct view *view, int height_px, mpfr_t step);
/* Returns log2 of the pixel step, to a few digits, at any depth. */
double view_step_log2(const struct view *view, int height_px);

/* Moves the centre by (dx, dy) pixels, dy downwards on the screen; the picture's content moves the
 * other way. Exact at angle 0 for whole and half pixels. */
void view_pan(struct view *view, double dx_px, double dy_px, int height_px);
/* Multiplies the zoom by `factor` (finite, > 0; the result is clamped to the range). The point at
 * the pixel position (x, y), where 0,0 is the top left corner of the picture, keeps its
 * position. */
void view_zoom_at(struct view *view, double factor, double x_px, double y_px, int width_px,
                  int height_px);

/* Position of the view `from` on the screen of `view`, for equal angles. Let p be a position in a
 * picture of `from`, in pixels from its middle. In a picture of `view` of the same height, p
 * appears at scale * p + (dx, dy) pixels from the middle. Saturates to +-1e30 if the views are too
 * far apart. */
struct view_map {
    double scale, dx_px, dy_px;
};
struct view_map view_map_from(const struct view *view, const struct view *from, int height_px);
/* Returns true if pictures of that size have exactly common pixel centres, at angle 0. Their views
 * differ by whole pixels, or by a zoom by a power of two around the centre of a pixel and such a
 * shift. *map is the map; no common centre may be in both pictures. Its scale is valid in any
 * case. */
bool view_grid_map(const struct view *from, const struct view *to, int width_px, int height_px,
                   struct grid_map *map);

#endif
