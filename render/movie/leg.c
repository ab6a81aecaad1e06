/* Legs: computes the fixed point of the similarity that maps one view to another. */
#include "render/movie/leg.h"
#include <math.h>

#define NEAREST 1e-4 /* octaves; views at a smaller distance have no leg */

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
bool leg_init(struct leg *leg, const struct view *shallow, const struct view *deep, double turns) {
    *leg = (struct leg){.from = log2_of(shallow->zoom),
                        .to = log2_of(deep->zoom),
                        .angle = shallow->angle,
                        .turn = deep->angle - shallow->angle + 2 * M_PI * turns};
    if (!(leg->to - leg->from >= NEAREST))
        return false;
    const double ratio = leg_exp2(leg->from - leg->to), end = leg->angle + leg->turn;
    const double re = cos(shallow->angle) - ratio * cos(end);
    const double im = sin(shallow->angle) - ratio * sin(end);
    const double dx = in_frames(shallow->re, deep->re, shallow->zoom);
    const double dy = in_frames(shallow->im, deep->im, shallow->zoom);
    const double norm = re * re + im * im;
    leg->x = (dx * re + dy * im) / norm;
    leg->y = -(dy * re - dx * im) / norm;
    if (!(hypot(leg->x, leg->y) <= LEG_REACH))
        return false;
    mpfr_init2(leg->re, mpfr_get_prec(deep->re));
    mpfr_init2(leg->im, mpfr_get_prec(deep->im));
    mpfr_set(leg->re, deep->re, MPFR_RNDN);
    mpfr_set(leg->im, deep->im, MPFR_RNDN);
    add_frames(leg->re, leg->x * cos(end) + leg->y * sin(end), deep->zoom);
    add_frames(leg->im, leg->x * sin(end) - leg->y * cos(end), deep->zoom);
    return true;
}

void leg_init_level(struct leg *leg, const struct view *from, const struct view *to, double turns) {
    *leg = (struct leg){.from = log2_of(from->zoom),
                        .angle = from->angle,
                        .turn = to->angle - from->angle + 2 * M_PI * turns,
                        .pan_re = in_frames(from->re, to->re, from->zoom),
                        .pan_im = in_frames(from->im, to->im, from->zoom)};
    leg->to = leg->from;
    mpfr_init2(leg->re, mpfr_get_prec(from->re));
    mpfr_init2(leg->im, mpfr_get_prec(from->im));
    mpfr_set(leg->re, from->re, MPFR_RNDN);
    mpfr_set(leg->im, from->im, MPFR_RNDN);
}

void leg_finish(struct leg *leg) {
    mpfr_clear(leg->re);
    mpfr_clear(leg->im);
}

bool leg_is_level(const struct leg *leg) {
    return leg->to == leg->from;
}

bool leg_equal(const struct leg *a, const struct leg *b) {
    return a->x == b->x && a->y == b->y && a->from == b->from && a->to == b->to &&
           a->angle == b->angle && a->turn == b->turn && a->pan_re == b->pan_re &&
           a->pan_im == b->pan_im && mpfr_equal_p(a->re, b->re) && mpfr_equal_p(a->im, b->im);
}

bool leg_shows_pivot(const struct leg *leg, double aspect) {
    return fabs(leg->x) <= aspect / 2 && fabs(leg->y) <= 0.5;
}

double leg_start(const struct leg *leg) {
    return leg_is_level(leg) ? 0 : leg->from;
}

double leg_end(const struct leg *leg) {
    return leg_is_level(leg) ? 1 : leg->to;
}

double leg_depth(const struct leg *leg, double at) {
    return leg_is_level(leg) ? leg->from : at;
}

double leg_angle(const struct leg *leg, double at) {
    const double way = leg_is_level(leg) ? at : (at - leg->from) / (leg->to - leg->from);
    return leg->angle + leg->turn * way;
}

void leg_pivot(const struct leg *leg, double at, double *x, double *y) {
    const double angle = leg_angle(leg, at);
    *x = leg->x;
    *y = leg->y;
    if (!leg_is_level(leg))
        return;
    *x = -at * (leg->pan_re * cos(angle) + leg->pan_im * sin(angle));
    *y = -at * (leg->pan_re * sin(angle) - leg->pan_im * cos(angle));
}

void leg_view(const struct leg *leg, double at, struct view *view) {
    const double angle = leg_angle(leg, at);
    double right, down;
    leg_pivot(leg, at, &right, &down);
    const double x = right * cos(angle) + down * sin(angle);
    const double y = right * sin(angle) - down * cos(angle);
    mpfr_set_prec(view->re, mpfr_get_prec(leg->re));
    mpfr_set_prec(view->im, mpfr_get_prec(leg->im));
    mpfr_set(view->re, leg->re, MPFR_RNDN);
    mpfr_set(view->im, leg->im, MPFR_RNDN);
    mpfr_set_d(view->zoom, leg_depth(leg, at), MPFR_RNDN);
    mpfr_exp2(view->zoom, view->zoom, MPFR_RNDN);
    view->angle = remainder(angle, 2 * M_PI);
    add_frames(view->re, -x, view->zoom);
    add_frames(view->im, -y, view->zoom);
}
