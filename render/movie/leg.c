/* Legs: computes the fixed point of the similarity that maps one view to another. */
#include "render/movie/leg.h"
#include <math.h>

#define NEAREST 0.01 /* octaves; views at a smaller distance have no leg */

static double log2_of(mpfr_srcptr number) {
    mpfr_t log;
    mpfr_init2(log, VIEW_ZOOM_BITS);
    mpfr_log2(log, number, MPFR_RNDN);
    const double result = mpfr_get_d(log, MPFR_RNDN);
    mpfr_clear(log);
    return result;
}

double leg_exp2(double x) {
    mpfr_t power;
    mpfr_init2(power, 53);
    mpfr_set_d(power, x, MPFR_RNDN);
    mpfr_exp2(power, power, MPFR_RNDN);
    const double result = mpfr_get_d(power, MPFR_RNDN);
    mpfr_clear(power);
    return result;
}

/* Returns (b - a) * zoom / 4: a distance in the plane in frame heights of the view with that
 * zoom. */
static double in_frames(mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr zoom) {
    mpfr_t difference;
    mpfr_init2(difference, VIEW_ZOOM_BITS);
    mpfr_sub(difference, b, a, MPFR_RNDN);
    mpfr_mul(difference, difference, zoom, MPFR_RNDN);
    const double result = mpfr_get_d(difference, MPFR_RNDN) / 4;
    mpfr_clear(difference);
    return result;
}

/* Adds x * 4 / zoom to a number. */
static void add_frames(mpfr_t number, double x, mpfr_srcptr zoom) {
    mpfr_t difference;
    mpfr_init2(difference, VIEW_ZOOM_BITS);
    mpfr_set_d(difference, 4 * x, MPFR_RNDN);
    mpfr_div(difference, difference, zoom, MPFR_RNDN);
    mpfr_add(number, number, difference, MPFR_RNDN);
    mpfr_clear(difference);
}

/* A position q in a frame, as a complex number with an upward imaginary part, is the point
 * c + q s e^(i angle) of the plane, where s is the frame's height there. The pivot has the same q
 * in both views: q = (c' - c) / (s e^(i angle) - s' e^(i angle')). */
bool leg_init(struct leg *leg, const struct view *shallow, const struct view *deep, double aspect,
              double turns, const char **why) {
    leg->from = log2_of(shallow->zoom);
    leg->to = log2_of(deep->zoom);
    leg->angle = shallow->angle;
    leg->turn = deep->angle - shallow->angle + 2 * M_PI * turns;
    if (!(leg->to - leg->from >= NEAREST)) {
        *why = "the movie has to end at a larger zoom than it begins with";
        return false;
    }
    const double ratio = leg_exp2(leg->from - leg->to), end = leg->angle + leg->turn;
    const double re = cos(shallow->angle) - ratio * cos(end);
    const double im = sin(shallow->angle) - ratio * sin(end);
    const double dx = in_frames(shallow->re, deep->re, shallow->zoom);
    const double dy = in_frames(shallow->im, deep->im, shallow->zoom);
    const double norm = re * re + im * im;
    leg->x = (dx * re + dy * im) / norm;
    leg->y = -(dy * re - dx * im) / norm;
    if (!(fabs(leg->x) <= aspect / 2 && fabs(leg->y) <= 0.5)) {
        *why = "the first picture does not show the place where the movie ends";
        return false;
    }
    mpfr_init2(leg->re, mpfr_get_prec(deep->re));
    mpfr_init2(leg->im, mpfr_get_prec(deep->im));
    mpfr_set(leg->re, deep->re, MPFR_RNDN);
    mpfr_set(leg->im, deep->im, MPFR_RNDN);
    add_frames(leg->re, leg->x * cos(end) + leg->y * sin(end), deep->zoom);
    add_frames(leg->im, leg->x * sin(end) - leg->y * cos(end), deep->zoom);
    return true;
}

void leg_finish(struct leg *leg) {
    mpfr_clear(leg->re);
    mpfr_clear(leg->im);
}

double leg_angle(const struct leg *leg, double depth) {
    return leg->angle + leg->turn * ((depth - leg->from) / (leg->to - leg->from));
}

void leg_view(const struct leg *leg, double depth, struct view *view) {
    const double angle = leg_angle(leg, depth);
    const double x = leg->x * cos(angle) + leg->y * sin(angle);
    const double y = leg->x * sin(angle) - leg->y * cos(angle);
    mpfr_set_prec(view->re, mpfr_get_prec(leg->re));
    mpfr_set_prec(view->im, mpfr_get_prec(leg->im));
    mpfr_set(view->re, leg->re, MPFR_RNDN);
    mpfr_set(view->im, leg->im, MPFR_RNDN);
    mpfr_set_d(view->zoom, depth, MPFR_RNDN);
    mpfr_exp2(view->zoom, view->zoom, MPFR_RNDN);
    view->angle = remainder(angle, 2 * M_PI);
    add_frames(view->re, -x, view->zoom);
    add_frames(view->im, -y, view->zoom);
}
