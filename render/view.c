/* View arithmetic. Sums that must be exact are computed in sufficient precision. */
#include "render/view.h"
#include "render/base/require.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD_BITS 128 /* bits below the pixel step when a zoom rounds the centre */

/* bits below the pixel step of a picture of this height when the centre is read from decimals */
#define DECIMAL_BITS      64
#define DECIMAL_HEIGHT_PX 16384
#define PI                0x1.921fb54442d18p+1
#define MAP_LIMIT         1e30
/* [pixels] largest distance of the centres of pictures that share samples */
#define UNITS_MOST (1L << 29)

void view_init(struct view *view) {
    mpfr_init2(view->re, 64);
    mpfr_init2(view->im, 64);
    mpfr_init2(view->zoom, VIEW_ZOOM_BITS);
    view_home(view);
}

void view_init_copy(struct view *view, const struct view *from) {
    view_init(view);
    view_assign(view, from);
}

void view_finish(struct view *view) {
    mpfr_clears(view->re, view->im, view->zoom, (mpfr_ptr)NULL);
}

static void assign_number(mpfr_t to, mpfr_srcptr from) {
    mpfr_set_prec(to, mpfr_get_prec(from));
    mpfr_set(to, from, MPFR_RNDN);
}

void view_assign(struct view *view, const struct view *from) {
    if (view == from)
        return;
    assign_number(view->re, from->re);
    assign_number(view->im, from->im);
    assign_number(view->zoom, from->zoom);
    view->angle = from->angle;
}

void view_home(struct view *view) {
    mpfr_set_prec(view->re, 64);
    mpfr_set_prec(view->im, 64);
    mpfr_set_d(view->re, -0.5, MPFR_RNDN);
    mpfr_set_zero(view->im, 1);
    mpfr_set_d(view->zoom, 1.5, MPFR_RNDN);
    view->angle = 0;
}

bool view_equal(const struct view *a, const struct view *b) {
    return mpfr_equal_p(a->re, b->re) && mpfr_equal_p(a->im, b->im) &&
           mpfr_equal_p(a->zoom, b->zoom) && a->angle == b->angle;
}

/* Returns the number of bits that hold all digits of `text`, a multiple of 64. */
static long bits_for_digits(const char *text) {
    size_t digits = 0;
    for (; *text && *text != 'e' && *text != 'E'; text++)
        digits += *text >= '0' && *text <= '9';
    const long bits = (long)ceil((double)digits * 3.3219280948873626) + 16;
    return (bits + 63) / 64 * 64;
}

static long max_long(long a, long b) {
    return a > b ? a : b;
}

long view_decimal_bits(const struct view *view) {
    const long bits = lround(ceil(-view_step_log2(view, DECIMAL_HEIGHT_PX))) + 2 + DECIMAL_BITS;
    return (max_long(bits, 64) + 63) / 64 * 64;
}

static bool refuse(const char **why, const char *reason) {
    *why = reason;
    return false;
}

static bool parse_number(mpfr_t number, const char *text, const char **why) {
    if (strspn(text, "0123456789+-.eE") != strlen(text) ||
        mpfr_set_str(number, text, 10, MPFR_RNDN) != 0)
        return refuse(why, "not a decimal number");
    return mpfr_number_p(number) || refuse(why, "out of range");
}

/* Returns true for usable centres: others show nothing, and would need sums of astronomical
 * precision. */
static bool in_range(mpfr_srcptr x) {
    return !mpfr_regular_p(x) || (mpfr_get_exp(x) < 997 && mpfr_get_exp(x) > -365000);
}

bool view_set_centre(struct view *view, const char *re, const char *im, long bits,
                     const char **why) {
    const size_t longest = strlen(re) > strlen(im) ? strlen(re) : strlen(im);
    if (longest > VIEW_DIGITS_MAX)
        return refuse(why, "more than 125000 digits");
    if (bits == 0)
        bits =
            max_long(view_decimal_bits(view), max_long(bits_for_digits(re), bits_for_digits(im)));
    if (bits < 64 || bits > VIEW_BITS_MAX)
        return refuse(why, "the precision is not between 64 and 400000 bits");
    mpfr_t x, y;
    mpfr_inits2(bits, x, y, (mpfr_ptr)NULL);
    const bool ok =
        parse_number(x, re, why) && parse_number(y, im, why) &&
        ((in_range(x) && in_range(y)) || refuse(why, "not 0 and not between 1e-110000 and 1e300"));
    if (ok) {
        mpfr_swap(view->re, x);
        mpfr_swap(view->im, y);
    }
    mpfr_clears(x, y, (mpfr_ptr)NULL);
    return ok;
}

/* Returns -1 below the range of zooms, 1 above, 0 inside. */
static int zoom_side(mpfr_srcptr zoom) {
    mpfr_t limit;
    mpfr_init2(limit, VIEW_ZOOM_BITS);
    mpfr_set_str(limit, VIEW_ZOOM_MIN, 10, MPFR_RNDN);
    const int below = mpfr_cmp(zoom, limit) < 0;
    mpfr_set_str(limit, VIEW_ZOOM_MAX, 10, MPFR_RNDN);
    const int above = mpfr_cmp(zoom, limit) > 0;
    mpfr_clear(limit);
    return above - below;
}

bool view_set_zoom(struct view *view, const char *text, const char **why) {
    mpfr_t zoom;
    mpfr_init2(zoom, VIEW_ZOOM_BITS);
    const bool ok =
        parse_number(zoom, text, why) &&
        (zoom_side(zoom) == 0 || refuse(why, "not between " VIEW_ZOOM_MIN " and " VIEW_ZOOM_MAX));
    if (ok)
        mpfr_swap(view->zoom, zoom);
    mpfr_clear(zoom);
    return ok;
}

bool view_set_angle_degrees(struct view *view, double degrees, const char **why) {
    if (!isfinite(degrees))
        return refuse(why, "not a finite number");
    double turn = fmod(degrees, 360);
    if (turn > 180)
        turn -= 360;
    if (turn <= -180)
        turn += 360;
    view->angle = turn * (PI / 180);
    return true;
}

double view_angle_degrees(const struct view *view) {
    const double guess = view->angle * (180 / PI);
    double above = guess, below = guess;
    for (int digits = 6; digits <= 16; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, guess);
        const double rounded = strtod(text, NULL);
        if (rounded * (PI / 180) == view->angle)
            return rounded;
    }
    for (int i = 0; i < 4; i++) {
        if (above * (PI / 180) == view->angle)
            return above;
        if (below * (PI / 180) == view->angle)
            return below;
        above = nextafter(above, INFINITY);
        below = nextafter(below, -INFINITY);
    }
    return guess;
}

void view_rotate(struct view *view, double radians) {
    const char *why;
    require(isfinite(radians));
    view_set_angle_degrees(view, view_angle_degrees(view) + radians * (180 / PI), &why);
}

/* Formats the digits of mpfr_get_str (with sign): 0.DIGITS * 10^exponent. */
static char *layout_number(const char *digits, long exponent) {
    const bool negative = *digits == '-';
    digits += negative;
    size_t count = strlen(digits);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    char *text = malloc(count + 64);
    if (!text)
        return NULL;
    char *p = text;
    if (negative)
        *p++ = '-';
    if (exponent > 21 || exponent < -5) {
        *p++ = digits[0];
        if (count > 1)
            *p++ = '.';
        memcpy(p, digits + 1, count - 1);
        snprintf(p + count - 1, 32, "e%ld", exponent - 1);
        return text;
    }
    if (exponent <= 0)
        *p++ = '0';
    for (long i = 0; i < exponent; i++)
        *p++ = i < (long)count ? digits[i] : '0';
    const size_t whole = exponent > 0 ? (size_t)exponent : 0;
    if (count > whole) {
        *p++ = '.';
        for (long i = exponent; i < 0; i++)
            *p++ = '0';
        memcpy(p, digits + whole, count - whole);
        p += count - whole;
    }
    *p = '\0';
    return text;
}

/* Returns decimal text; 0 digits means as many as any number of that precision needs. */
static char *rounded_text(mpfr_srcptr number, size_t digits) {
    mpfr_exp_t exponent;
    char *raw = mpfr_get_str(NULL, &exponent, 10, digits, number, MPFR_RNDN);
    if (!raw)
        return NULL;
    char *text = layout_number(raw, (long)exponent);
    mpfr_free_str(raw);
    return text;
}

static bool reads_as(const char *text, mpfr_srcptr number) {
    mpfr_t copy;
    mpfr_init2(copy, mpfr_get_prec(number));
    const bool same = mpfr_set_str(copy, text, 10, MPFR_RNDN) == 0 && mpfr_equal_p(copy, number);
    mpfr_clear(copy);
    return same;
}

/* A typed number has at most as many digits as its precision preserves, so the text is as it was
 * typed. */
char *view_number_text(mpfr_srcptr number, int digits) {
    if (mpfr_zero_p(number))
        return strdup("0");
    if (digits > 0)
        return rounded_text(number, (size_t)digits);
    const double survive = floor((double)(mpfr_get_prec(number) - 1) * log10(2));
    char *text = rounded_text(number, (size_t)survive);
    if (!text || reads_as(text, number))
        return text;
    free(text);
    return rounded_text(number, 0);
}

long view_bits(const struct view *view) {
    return max_long(mpfr_get_prec(view->re), mpfr_get_prec(view->im));
}

void view_step(const struct view *view, int height_px, mpfr_t step) {
    mpfr_t divisor; /* zoom * height, exact: one rounding in all */
    mpfr_init2(divisor, VIEW_ZOOM_BITS + 32);
    mpfr_mul_si(divisor, view->zoom, height_px, MPFR_RNDN);
    mpfr_ui_div(step, 4, divisor, MPFR_RNDN);
    mpfr_clear(divisor);
}

double view_step_log2(const struct view *view, int height_px) {
    long exponent;
    const double mantissa = mpfr_get_d_2exp(&exponent, view->zoom, MPFR_RNDN);
    return 2 - (log2(mantissa) + (double)exponent) - log2(height_px);
}

static long top_bit(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (long)mpfr_get_exp(x) : -0x40000000L;
}

static long low_bit(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (long)mpfr_get_exp(x) - (long)mpfr_min_prec(x) : 0x40000000L;
}

/* Adds d to x, exact in every bit down to 2^floor_bit. */
static void add_down_to(mpfr_t x, mpfr_srcptr d, long floor_bit) {
    if (mpfr_zero_p(d))
        return;
    const long bits = max_long(top_bit(x), top_bit(d)) + 1 - floor_bit;
    mpfr_prec_round(x, max_long(max_long(bits, 64), mpfr_get_prec(x)), MPFR_RNDN);
    mpfr_add(x, x, d, MPFR_RNDN);
}

static void add_exactly(mpfr_t x, mpfr_srcptr d) {
    const long x_low = low_bit(x), d_low = low_bit(d);
    add_down_to(x, d, x_low < d_low ? x_low : d_low);
}

/* Rotates a screen offset (right, up) by the view's angle into the plane. */
static void rotate(const struct view *view, double *right, double *up) {
    if (view->angle == 0)
        return;
    const double c = cos(view->angle), s = sin(view->angle);
    const double x = *right * c - *up * s;
    *up = *right * s + *up * c;
    *right = x;
}

void view_pan(struct view *view, double dx_px, double dy_px, int height_px) {
    require(isfinite(dx_px) && isfinite(dy_px) && height_px > 0);
    double right = dx_px, up = -dy_px;
    rotate(view, &right, &up);
    mpfr_t step, d;
    mpfr_init2(step, VIEW_ZOOM_BITS);
    mpfr_init2(d, VIEW_ZOOM_BITS + 53);
    view_step(view, height_px, step);
    mpfr_mul_d(d, step, right, MPFR_RNDN);
    add_exactly(view->re, d);
    mpfr_mul_d(d, step, up, MPFR_RNDN);
    add_exactly(view->im, d);
    mpfr_clears(step, d, (mpfr_ptr)NULL);
}

void view_zoom_at(struct view *view, double factor, double x_px, double y_px, int width_px,
                  int height_px) {
    require(isfinite(factor) && factor > 0 && isfinite(x_px) && isfinite(y_px) && height_px > 0);
    double right = x_px - width_px / 2.0, up = height_px / 2.0 - y_px;
    rotate(view, &right, &up);
    mpfr_t before, after, d;
    mpfr_inits2(VIEW_ZOOM_BITS, before, after, (mpfr_ptr)NULL);
    mpfr_init2(d, 2 * VIEW_ZOOM_BITS + 53);
    view_step(view, height_px, before);
    mpfr_mul_d(view->zoom, view->zoom, factor, MPFR_RNDN);
    const int side = zoom_side(view->zoom);
    if (side != 0)
        mpfr_set_str(view->zoom, side < 0 ? VIEW_ZOOM_MIN : VIEW_ZOOM_MAX, 10, MPFR_RNDN);
    view_step(view, height_px, after);
    const long finer = mpfr_cmp(before, after) < 0 ? top_bit(before) : top_bit(after);
    /* The point is fixed: centre + offset * before = centre' + offset * after. */
    mpfr_sub(before, before, after, MPFR_RNDN);
    mpfr_mul_d(d, before, right, MPFR_RNDN);
    add_down_to(view->re, d, finer - GUARD_BITS);
    mpfr_mul_d(d, before, up, MPFR_RNDN);
    add_down_to(view->im, d, finer - GUARD_BITS);
    mpfr_clears(before, after, d, (mpfr_ptr)NULL);
}

static double saturate(double x) {
    return x != x ? 0 : x > MAP_LIMIT ? MAP_LIMIT : x < -MAP_LIMIT ? -MAP_LIMIT : x;
}

struct view_map view_map_from(const struct view *view, const struct view *from, int height_px) {
    struct view_map map;
    mpfr_t step, d;
    mpfr_inits2(VIEW_ZOOM_BITS, step, d, (mpfr_ptr)NULL);
    mpfr_div(d, view->zoom, from->zoom, MPFR_RNDN);
    map.scale = saturate(mpfr_get_d(d, MPFR_RNDN));
    view_step(view, height_px, step);
    mpfr_sub(d, from->re, view->re, MPFR_RNDN);
    mpfr_div(d, d, step, MPFR_RNDN);
    const double right = saturate(mpfr_get_d(d, MPFR_RNDN));
    mpfr_sub(d, from->im, view->im, MPFR_RNDN);
    mpfr_div(d, d, step, MPFR_RNDN);
    const double up = saturate(mpfr_get_d(d, MPFR_RNDN));
    const double c = cos(view->angle), s = sin(view->angle);
    map.dx_px = saturate(right * c + up * s);
    map.dy_px = saturate(right * s - up * c);
    mpfr_clears(step, d, (mpfr_ptr)NULL);
    return map;
}

/* Returns true if to - from is exactly k units. */
static bool whole_units(mpfr_srcptr from, mpfr_srcptr to, mpfr_srcptr unit, long *k) {
    mpfr_t difference, units;
    mpfr_init2(difference, max_long(mpfr_get_prec(from), mpfr_get_prec(to)) + 64);
    mpfr_init2(units, VIEW_ZOOM_BITS + 32);
    bool whole = mpfr_sub(difference, to, from, MPFR_RNDN) == 0;
    mpfr_div(units, difference, unit, MPFR_RNDN);
    whole = whole && mpfr_fits_slong_p(units, MPFR_RNDN);
    *k = whole ? mpfr_get_si(units, MPFR_RNDN) : 0;
    mpfr_mul_si(units, unit, *k, MPFR_RNDN);
    whole = whole && labs(*k) <= UNITS_MOST && mpfr_equal_p(units, difference);
    mpfr_clears(difference, units, (mpfr_ptr)NULL);
    return whole;
}

/* Returns true if one zoom is 2^*log2 times the other. The ratio of the pixel steps is then exact,
 * because a factor that is a power of two changes no rounding. */
static bool power_of_two(mpfr_srcptr from, mpfr_srcptr to, int *log2) {
    const long exponent = (long)mpfr_get_exp(to) - (long)mpfr_get_exp(from);
    mpfr_t scaled;
    mpfr_init2(scaled, VIEW_ZOOM_BITS);
    mpfr_mul_2si(scaled, from, exponent, MPFR_RNDN);
    const bool near = mpfr_equal_p(scaled, to) && labs(exponent) <= GRID_MAP_LOG2_MAX;
    mpfr_clear(scaled);
    *log2 = near ? (int)exponent : 0;
    return near;
}

/* Computes the offset of the coarser picture in the finer one, on an axis of `size` pixels. The
 * centre of pixel p lies 2p + 1 - size half steps from the middle. The finer picture's middle lies
 * `shift` of its half steps after the coarser one's. Pixel p of the coarser picture is pixel p *
 * scale + *offset of the finer one. Returns false if all lie between pixels. */
static bool fine_offset(long scale, int size, long shift, int *offset) {
    const long twice = (scale - 1) * (1 - size) - shift;
    *offset = (int)(twice / 2);
    return twice % 2 == 0;
}

bool view_grid_map(const struct view *from, const struct view *to, int width_px, int height_px,
                   struct grid_map *map) {
    *map = (struct grid_map){0};
    if (from->angle != 0 || to->angle != 0 || !power_of_two(from->zoom, to->zoom, &map->scale_log2))
        return false;
    const bool in = map->scale_log2 >= 0;
    const struct view *coarse = in ? from : to, *fine = in ? to : from;
    const long scale = 1L << abs(map->scale_log2);
    long right = 0, up = 0;
    mpfr_t unit;
    mpfr_init2(unit, VIEW_ZOOM_BITS);
    view_step(fine, height_px, unit);
    mpfr_div_2ui(unit, unit, 1, MPFR_RNDN);
    const bool share = whole_units(coarse->re, fine->re, unit, &right) &&
                       whole_units(coarse->im, fine->im, unit, &up) &&
                       fine_offset(scale, width_px, right, &map->dx) &&
                       fine_offset(scale, height_px, -up, &map->dy);
    mpfr_clear(unit);
    map->dx = in ? -map->dx : map->dx;
    map->dy = in ? -map->dy : map->dy;
    return share;
}
