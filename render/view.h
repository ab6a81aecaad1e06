/* The view: which part of the plane a picture shows. Pure functions on arbitrary-precision numbers.
 *
 * Convention (Fraktaler-3's): zoom 1 shows imaginary half-height 2; the pixel step of a picture of
 * height H is 4 / (zoom * H), rounded once to 64 bits, so that k steps are exact; row 0 is the top;
 * pixel (x, y) samples centre + ((x + 0.5 - W/2) + i (H/2 - y - 0.5)) * step, turned by `angle`.
 * Precision follows depth: every operation leaves at least 128 bits below the step, and whole-pixel
 * pans at angle 0 are exact, so a pan and its reverse give back the same bits. */
#ifndef FATHOM_RENDER_VIEW_H
#define FATHOM_RENDER_VIEW_H

#include "render/grid/coords_point.h"
#include <mpfr.h>
#include <stdbool.h>

#define VIEW_ZOOM_BITS  64
#define VIEW_ZOOM_MAX   "1e100000"
#define VIEW_ZOOM_MIN   "1e-300"
#define VIEW_BITS_MAX   400000 /* precision of one coordinate: 1e100000 and some more */
#define VIEW_DIGITS_MAX 125000 /* characters that one coordinate may have in a file */

struct view {
    mpfr_t re, im; /* centre; any precision >= 64 bits */
    mpfr_t zoom;   /* VIEW_ZOOM_MIN <= zoom <= VIEW_ZOOM_MAX, VIEW_ZOOM_BITS bits */
    double angle;  /* radians, anticlockwise, finite, in (-pi, pi] */
};

/* Home: -0.5 + 0i, zoom 1.5, angle 0. Pairs with view_finish. */
void view_init(struct view *view);
void view_init_copy(struct view *view, const struct view *from);
void view_finish(struct view *view);
/* Both are initialised already; precision follows `from`. */
void view_assign(struct view *view, const struct view *from);
void view_home(struct view *view);
bool view_equal(const struct view *a, const struct view *b);

/* Sets the centre from decimal text. `bits` is the precision to read it at, 0 for enough to hold
 * all digits. On false nothing has changed and *why is a static sentence. */
bool view_set_centre(struct view *view, const char *re, const char *im, long bits,
                     const char **why);
/* Sets the zoom from decimal text; refuses NaN, zero, negative and out-of-range values. */
bool view_set_zoom(struct view *view, const char *text, const char **why);
/* Sets the angle; NaN and infinities are refused, others reduced to one turn. */
bool view_set_angle_degrees(struct view *view, double degrees, const char **why);
/* Turns the view about its centre, anticlockwise for positive radians (the picture turns the other
 * way). The new angle, too, is one that view_angle_degrees gives back. */
void view_rotate(struct view *view, double radians);
/* The angle in degrees, with the fewest digits for which view_set_angle_degrees gives the same bits
 * back. */
double view_angle_degrees(const struct view *view);

/* Decimal text that reads back as the same number at the same precision; the caller frees it.
 * `digits` > 0 asks for that many significant digits instead (for display). NULL: no memory. */
char *view_number_text(mpfr_srcptr number, int digits);
/* Bits that re and im must be read at to get this view back: the larger of the two precisions. */
long view_bits(const struct view *view);

/* The pixel step; `step` is initialised by the caller with VIEW_ZOOM_BITS bits. */
void view_step(const struct view *view, int height_px, mpfr_t step);
/* log2 of the pixel step, to a few digits; works at any depth. */
double view_step_log2(const struct view *view, int height_px);

/* Moves the centre by (dx, dy) pixels, dy downwards on the screen: the picture's content moves the
 * other way. Exact at angle 0 for whole and half pixels. */
void view_pan(struct view *view, double dx_px, double dy_px, int height_px);
/* Multiplies the zoom by `factor` (finite, > 0; the result is clamped to the range) and keeps the
 * point under the pixel position (x, y), 0,0 being the top left corner of the picture, where it
 * is. */
void view_zoom_at(struct view *view, double factor, double x_px, double y_px, int width_px,
                  int height_px);

/* Where `from` lies on the screen of `view`, both angles being equal: a position p px from the
 * middle in a picture of `from` appears at scale * p + (dx, dy) px from the middle in a picture of
 * `view` of the same height. Saturates to +-1e30 where the views are too far apart. */
struct view_map {
    double scale, dx_px, dy_px;
};
struct view_map view_map_from(const struct view *view, const struct view *from, int height_px);
/* True when pictures of that size have pixels' centres in common, exactly, at angle 0: moved by
 * whole pixels, or with a zoom by a power of two about the centre of a pixel or such a shift away
 * from there. *map says which; there may be none within both pictures. Its scale
 * is one that may be used in any case. */
bool view_grid_map(const struct view *from, const struct view *to, int width_px, int height_px,
                   struct grid_map *map);

#endif
