/* Test plane: its colour grows evenly along a direction, as counts and as shades; and views of
 * it. */
#ifndef FATHOM_TESTS_PICTURE_PLANE_H
#define FATHOM_TESTS_PICTURE_PLANE_H

#include "render/frame.h"
#include "render/palette.h"
#include "tests/shared/check.h"
#include <complex.h>
#include <math.h>

#define WIDTH  320
#define HEIGHT 200
#define ZOOM   64.0
#define MIDDLE (-0.7 + 0.2 * I)

static double complex direction; /* the plane's colour grows along it */
static int brighter;             /* shades by which the colours' offset brightens it */

/* Returns the value at a point. Nearly all shades lie within a picture six times as wide as one at
 * ZOOM. */
static double value(double complex c) {
    const double along = creal((c - MIDDLE) * conj(direction)) * ZOOM / 4;
    return 1000 + 64 * fmax(fmin(along, 5), -5) / 4;
}

/* Sets greys, a shade for each count from 936 to 1064, or their negatives. */
static void set_colours(struct colouring *colouring, bool negative) {
    static uint32_t tables[2][COLOUR_TABLE_SIZE];
    uint32_t *table = tables[negative];
    *colouring =
        (struct colouring){.frequency = (UINT64_C(1) << 32) >> 16, .smooth = true, .table = table};
    colouring->frequency *= 16; /* entries of the table per count */
    for (int i = 0; i < COLOUR_TABLE_SIZE; i++) {
        const int at =
            (i - (1000 * 16) % COLOUR_TABLE_SIZE + 3 * COLOUR_TABLE_SIZE / 2) % COLOUR_TABLE_SIZE -
            COLOUR_TABLE_SIZE / 2;
        const int shade = (int)fmax(fmin(128 + at / 8.0, 255), 0);
        const uint32_t grey = (uint32_t)(negative ? 255 - shade : shade);
        table[i] = grey * 0x010101u | COLOUR_ALPHA;
    }
}

static double shade_of(double complex c, bool negative) {
    const double shade = fmax(fmin(128 + (value(c) - 1000) * 2 + brighter, 255), 0);
    return negative ? 255 - shade : shade;
}

/* Returns the point at a position of a picture, in pixels from its middle, y down. */
static double complex plane_at(const struct view *view, int height_px, double complex p) {
    const double step = 4 / (mpfr_get_d(view->zoom, MPFR_RNDN) * height_px);
    return mpfr_get_d(view->re, MPFR_RNDN) + I * mpfr_get_d(view->im, MPFR_RNDN) +
           conj(p) * step * cexp(I * view->angle);
}

static double complex pixel_at(int x, int y, int width_px, int height_px) {
    return x + 0.5 - width_px / 2.0 + I * (y + 0.5 - height_px / 2.0);
}

static void set_view(struct frame_req *req, double complex centre, double zoom, double degrees) {
    char re[40], im[40], text[40];
    const char *why;
    snprintf(re, sizeof re, "%.17g", creal(centre));
    snprintf(im, sizeof im, "%.17g", cimag(centre));
    snprintf(text, sizeof text, "%.17g", zoom);
    CHECK(view_set_centre(&req->view, re, im, 0, &why) && view_set_zoom(&req->view, text, &why) &&
          view_set_angle_degrees(&req->view, degrees, &why));
}

static void split(double v, uint32_t *count, float *fraction) {
    *count = (uint32_t)v;
    *fraction = (float)(v - floor(v));
}

#endif
