/* Coordinate tables: builds exact sums in MPFR and rounds each once to the number type of the
 * kernel. */
#include "render/grid/coords.h"
#include "render/deep/perturbation.h"
#include "render/grid/exponential.h"
#include <math.h>
#include <stdlib.h>

/* Exact numbers that a table is made of. Samples lie at whole numbers of units from the middle. */
struct grid {
    mpfr_t unit; /* half a pixel step; smaller if offsets or lines need it */
    mpfr_t re, im, cosine, sine;
    long units; /* number of units in half a pixel step */
    long bits;  /* working precision: sums of centre and offsets are exact at angle 0 */
};

/* Axis of a table: `count` entries from `first` on. `start` is the position of the first entry, in
 * units to the right or downwards. */
struct axis {
    int first, count;
    bool columns;
    long start;
    const struct grid_line *line; /* entries of uneven lines; NULL: entries are one step apart */
};

/* Returns the position of entry i of an axis, in units. */
static long position(const struct axis *axis, const struct grid *grid, int i) {
    return axis->line ? lrint(axis->line[i].at * 2 * (double)grid->units)
                      : axis->start + 2L * i * grid->units;
}

static long exponent_of(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (long)mpfr_get_exp(x) : -64;
}

static long lowest_of(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (long)mpfr_get_exp(x) - (long)mpfr_min_prec(x) : 64;
}

/* Returns the point that coordinates are relative to, the centre of the reference; NULL: 0. */
static mpfr_srcptr origin_of(const struct frame_req *req, bool imaginary) {
    const struct reference *reference = req->perturbation ? req->perturbation->reference : NULL;
    return !reference ? NULL : imaginary ? reference->im : reference->re;
}

static long grid_bits(const struct frame_req *req, const struct grid *grid, int extent_px) {
    long top =
        exponent_of(grid->unit) + (long)ceil(log2((double)extent_px * (double)grid->units)) + 1;
    long low = lowest_of(grid->unit);
    const mpfr_srcptr centre[] = {req->view.re, req->view.im, origin_of(req, false),
                                  origin_of(req, true)};
    for (int i = 0; i < 4 && centre[i]; i++) {
        top = exponent_of(centre[i]) > top ? exponent_of(centre[i]) : top;
        low = lowest_of(centre[i]) < low ? lowest_of(centre[i]) : low;
    }
    return top - low + 2;
}

/* Makes the centre relative to the reference, in units in the range of the kernels. */
static void grid_move(struct grid *grid, const struct frame_req *req) {
    const struct perturbed_place place = frame_req_place(req, req->perturbation);
    mpfr_sub(grid->re, grid->re, origin_of(req, false), MPFR_RNDN);
    mpfr_sub(grid->im, grid->im, origin_of(req, true), MPFR_RNDN);
    mpfr_mul_2si(grid->re, grid->re, -place.c_log2, MPFR_RNDN);
    mpfr_mul_2si(grid->im, grid->im, -place.c_log2, MPFR_RNDN);
    mpfr_mul_2si(grid->unit, grid->unit, -place.c_log2, MPFR_RNDN);
}

static void grid_init(struct grid *grid, const struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    const bool uneven = req->lines && !req->lines->even;
    const int extent = uneven ? 2 * LINES_AT_MAX : width > height ? width : height;
    grid->units = uneven                                     ? (long)(LINES_PARTS / 2)
                  : req->offset_x != 0 || req->offset_y != 0 ? FRAME_OFFSETS / 2
                                                             : 1;
    mpfr_init2(grid->unit, frame_req_step_bits(req));
    view_step(&req->view, height, grid->unit);
    mpfr_div_si(grid->unit, grid->unit, 2 * grid->units, MPFR_RNDN);
    grid->bits = grid_bits(req, grid, extent);
    mpfr_inits2(grid->bits, grid->re, grid->im, (mpfr_ptr)NULL);
    mpfr_set(grid->re, req->view.re, MPFR_RNDN);
    mpfr_set(grid->im, req->view.im, MPFR_RNDN);
    mpfr_inits2(128, grid->cosine, grid->sine, (mpfr_ptr)NULL);
    mpfr_set_d(grid->cosine, req->view.angle, MPFR_RNDN);
    mpfr_sin_cos(grid->sine, grid->cosine, grid->cosine, MPFR_RNDN);
    if (req->perturbation)
        grid_move(grid, req);
}

static double get_float(mpfr_srcptr x, mpfr_rnd_t rounding) {
    return (double)mpfr_get_flt(x, rounding);
}

#define PARTS      3
#define POLAR_BITS 192 /* precision of directions and radii */

/* Splits a value into parts, each the number nearest to the rest. Doubles hold the parts, even for
 * floats. */
static void split(mpfr_srcptr value, mpfr_ptr scratch, enum number_type type, double *parts) {
    double (*const get)(mpfr_srcptr, mpfr_rnd_t) = type == TYPE_FLOAT ? get_float : mpfr_get_d;
    mpfr_set(scratch, value, MPFR_RNDN);
    for (int i = 0; i < PARTS; i++) {
        parts[i] = get(scratch, MPFR_RNDN);
        if (isfinite(parts[i]))
            mpfr_sub_d(scratch, scratch, parts[i], MPFR_RNDN);
        else
            mpfr_set_zero(scratch, 1);
    }
}

static void set_entry(struct coords *coords, int i, mpfr_srcptr re, mpfr_srcptr im,
                      mpfr_ptr scratch) {
    double x[PARTS], y[PARTS];
    split(re, scratch, coords->type, x);
    split(im, scratch, coords->type, y);
    if (coords->type == TYPE_FLOAT)
        coords->f32[i] = (struct coords_float){(float)x[0], (float)x[1], (float)y[0], (float)y[1]};
    else if (coords->type == TYPE_DOUBLE)
        coords->f64[i] = (struct coords_double){x[0], x[1], y[0], y[1]};
    else
        coords->wide[i] = (struct coords_wide){{x[0], x[1], x[2]}, {y[0], y[1], y[2]}};
}

static void set_straight(struct coords *coords, int i, bool column, double wide, float narrow) {
    if (coords->type == TYPE_FLOAT)
        coords->f32[i] =
            column ? (struct coords_float){.re = narrow} : (struct coords_float){.im = narrow};
    else
        coords->f64[i] =
            column ? (struct coords_double){.re = wide} : (struct coords_double){.im = wide};
}

/* Stores a direction x + iy, or a radius x, with parts of the centre (coords_point.h). */
static void set_polar(struct coords *coords, const struct axis *axis, int i, const double re[PARTS],
                      const double im[PARTS], const double x[PARTS], const double y[PARTS]) {
    const bool column = axis->columns;
    const double entry[4] = {column ? x[0] : re[0], column ? re[1] : x[0], column ? y[0] : im[0],
                             column ? im[1] : x[0]};
    const int at = axis->first + i;
    if (coords->type == TYPE_FLOAT)
        coords->f32[at] = (struct coords_float){(float)entry[0], (float)entry[1], (float)entry[2],
                                                (float)entry[3]};
    else if (coords->type == TYPE_DOUBLE)
        coords->f64[at] = (struct coords_double){entry[0], entry[1], entry[2], entry[3]};
    else if (column)
        coords->wide[at] = (struct coords_wide){{x[0], x[1], re[2]}, {y[0], y[1], im[2]}};
    else
        coords->wide[at] = (struct coords_wide){{re[0], re[1], x[0]}, {im[0], im[1], x[1]}};
}

__extension__ typedef __int128 fixed;

/* Returns the integer x / 2^low, which must have at most 126 bits. */
static fixed to_fixed(mpfr_srcptr x, long low) {
    mpfr_t scaled;
    mpz_t whole, high;
    mpfr_init2(scaled, mpfr_get_prec(x));
    mpz_inits(whole, high, NULL);
    mpfr_mul_2si(scaled, x, -low, MPFR_RNDN);
    mpfr_get_z(whole, scaled, MPFR_RNDN);
    mpz_tdiv_q_2exp(high, whole, 64);
    const fixed magnitude = (fixed)mpz_get_ui(high) << 64 | mpz_get_ui(whole);
    const bool negative = mpz_sgn(whole) < 0;
    mpz_clears(whole, high, NULL);
    mpfr_clear(scaled);
    return negative ? -magnitude : magnitude;
}

/* Fills as fill_straight, with sums in 128 bits, which are enough except for deep views. The
 * conversion to floating point rounds once, and scaling by 2^low is exact. Returns false if the
 * sums do not fit. */
static bool fill_fixed(struct coords *coords, const struct axis *axis, const struct grid *grid) {
    const mpfr_srcptr centre = axis->columns ? grid->re : grid->im;
    const long centre_low = lowest_of(centre), unit_low = lowest_of(grid->unit);
    const long low = centre_low < unit_low ? centre_low : unit_low;
    if (coords->type == TYPE_WIDE || grid->bits > 126 || low > 64 ||
        low < (coords->type == TYPE_FLOAT ? -125 : -1020))
        return false;
    const fixed unit = to_fixed(grid->unit, low) * (axis->columns ? 1 : -1);
    const fixed middle = to_fixed(centre, low);
    const double scale = ldexp(1, (int)low);
    for (int i = 0; i < axis->count; i++) {
        const fixed sum = middle + position(axis, grid, i) * unit;
        set_straight(coords, axis->first + i, axis->columns, (double)sum * scale,
                     (float)sum * (float)scale);
    }
    return true;
}

/* Fills an axis at angle 0: exact sums, each rounded once; the low parts stay 0. */
static void fill_straight(struct coords *coords, const struct axis *axis, const struct grid *grid) {
    if (fill_fixed(coords, axis, grid))
        return;
    const int sign = axis->columns ? 1 : -1;
    const mpfr_srcptr middle = axis->columns ? grid->re : grid->im;
    mpfr_t sum, zero, scratch;
    mpfr_inits2(grid->bits, sum, zero, scratch, (mpfr_ptr)NULL);
    mpfr_set_zero(zero, 1);
    for (int i = 0; i < axis->count; i++) {
        mpfr_mul_si(sum, grid->unit, sign * position(axis, grid, i), MPFR_RNDN);
        mpfr_add(sum, sum, middle, MPFR_RNDN);
        if (coords->type == TYPE_WIDE)
            set_entry(coords, axis->first + i, axis->columns ? sum : zero,
                      axis->columns ? zero : sum, scratch);
        else
            set_straight(coords, axis->first + i, axis->columns, mpfr_get_d(sum, MPFR_RNDN),
                         mpfr_get_flt(sum, MPFR_RNDN));
    }
    mpfr_clears(sum, zero, scratch, (mpfr_ptr)NULL);
}

/* Fills an axis of a rotated view: the offset of k units along a screen axis is k (a + i b). Rows
 * contain the centre. */
static void fill_turned(struct coords *coords, const struct axis *axis, const struct grid *grid) {
    mpfr_t re, im, scratch;
    mpfr_inits2(grid->bits + 192, re, im, scratch, (mpfr_ptr)NULL);
    for (int i = 0; i < axis->count; i++) {
        const long k = position(axis, grid, i);
        mpfr_mul(re, grid->unit, axis->columns ? grid->cosine : grid->sine, MPFR_RNDN);
        mpfr_mul_si(re, re, k, MPFR_RNDN);
        mpfr_mul(im, grid->unit, axis->columns ? grid->sine : grid->cosine, MPFR_RNDN);
        mpfr_mul_si(im, im, axis->columns ? k : -k, MPFR_RNDN);
        if (!axis->columns) {
            mpfr_add(re, re, grid->re, MPFR_RNDN);
            mpfr_add(im, im, grid->im, MPFR_RNDN);
        }
        set_entry(coords, axis->first + i, re, im, scratch);
    }
    mpfr_clears(re, im, scratch, (mpfr_ptr)NULL);
}

/* Fills the columns of an exponential map with directions, or the rows with radii. */
static void fill_polar(struct coords *coords, const struct axis *axis, const struct grid *grid,
                       const struct frame_req *req) {
    double re[PARTS], im[PARTS], x[PARTS], y[PARTS];
    int width, height;
    mpfr_t a, b, scratch;
    frame_req_whole(req, &width, &height);
    mpfr_inits2(POLAR_BITS, a, b, (mpfr_ptr)NULL);
    mpfr_init2(scratch, grid->bits + POLAR_BITS);
    split(grid->re, scratch, coords->type, re);
    split(grid->im, scratch, coords->type, im);
    for (int i = 0; i < axis->count; i++) {
        const long of = 2L * grid->units * (axis->columns ? width : height);
        const long at = position(axis, grid, i) + of / 2;
        if (axis->columns) {
            exponential_direction(&req->view, at, of, a, b);
            split(a, scratch, coords->type, x);
            split(b, scratch, coords->type, y);
        } else {
            exponential_radius(width, height, at, of, a);
            mpfr_mul(a, a, grid->unit, MPFR_RNDN);
            mpfr_mul_si(a, a, 2 * grid->units, MPFR_RNDN);
            split(a, scratch, coords->type, x);
        }
        set_polar(coords, axis, i, re, im, x, y);
    }
    mpfr_clears(a, b, scratch, (mpfr_ptr)NULL);
}

/* Returns the start of an axis of `whole` pixels if pixel `part` is the first in the table. */
static long start_of(const struct grid *grid, int part, int whole, int offset) {
    return (2L * part + 1 - whole) * grid->units + offset;
}

static void fill(struct coords *coords, const struct frame_req *req, const struct grid *grid) {
    int width, height;
    frame_req_whole(req, &width, &height);
    const struct grid_line *line = req->lines && !req->lines->even ? req->lines->line : NULL;
    const struct axis columns = {0, req->width_px, true,
                                 start_of(grid, req->part_x_px, width, req->offset_x), line};
    const struct axis rows = {req->width_px, req->height_px, false,
                              start_of(grid, req->part_y_px, height, req->offset_y),
                              line ? line + req->width_px : NULL};
    if (coords->layout == COORDS_POLAR) {
        fill_polar(coords, &columns, grid, req);
        fill_polar(coords, &rows, grid, req);
    } else if (coords->layout == COORDS_UPRIGHT) {
        fill_straight(coords, &columns, grid);
        fill_straight(coords, &rows, grid);
    } else {
        fill_turned(coords, &columns, grid);
        fill_turned(coords, &rows, grid);
    }
}

uint32_t coords_layout(const struct frame_req *req) {
    return req->projection == PROJECTION_EXPONENTIAL ? COORDS_POLAR
           : req->view.angle == 0                    ? COORDS_UPRIGHT
                                                     : COORDS_TURNED;
}

bool coords_init(struct coords *coords, const struct frame_req *req) {
    static const size_t sizes[TYPE_COUNT] = {sizeof *coords->f32, sizeof *coords->f64,
                                             sizeof *coords->wide};
    const size_t entries = (size_t)req->width_px + (size_t)req->height_px;
    *coords = (struct coords){.type = req->type,
                              .width_px = req->width_px,
                              .height_px = req->height_px,
                              .bytes = entries * sizes[req->type]};
    coords->table = malloc(coords->bytes);
    if (!coords->table)
        return false;
    struct grid grid;
    grid_init(&grid, req);
    coords->layout = coords_layout(req);
    fill(coords, req, &grid);
    mpfr_clears(grid.unit, grid.re, grid.im, grid.cosine, grid.sine, (mpfr_ptr)NULL);
    return true;
}

void coords_finish(struct coords *coords) {
    free(coords->table);
    *coords = (struct coords){0};
}
