/* Planner: chooses the number type and the coarse passes from the depth and the measured speed. */
#include "render/plan.h"
#include "render/deep/perturbation.h"
#include <math.h>

/* Duration above which a picture in motion is drawn in a less exact type. */
#define MOVING_BUDGET_MS 50.0
#define MOVING_GAIN      1.5
/* Doublings of the zoom that double has left at two limits. Below ROOM_RIGHT counts become wrong:
 * one in a thousand in a dense view, because c is rounded. Below ROOM_LEAST double is insufficient
 * even in motion. */
#define ROOM_RIGHT 13
#define ROOM_LEAST 3
/* Doublings of the zoom that double has left, and limit, where rounding errors cannot matter. */
#define ROOM_CERTAIN  38
#define LIMIT_CERTAIN 1000

const char *const precision_names[] = {PRECISION_LIST(CHOICE_NAME) NULL};

static double exponent_of(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (double)mpfr_get_exp(x) : -INFINITY;
}

double plan_room(enum number_type type, const struct fractal *fractal, const struct view *view,
                 int width_px, int height_px) {
    const double step = view_step_log2(view, height_px);
    const int extent = width_px > height_px ? width_px : height_px;
    /* |c| < 2^top in the picture, so a unit in the last place is at most 2^(top - bits). */
    double top = fmax(fmax(exponent_of(view->re), exponent_of(view->im)), step + log2(extent) - 1);
    if (fractal && fractal->julia)
        top = fmax(top, 0); /* orbits of a Julia set continue near c, not only near 0 */
    return step - (top - number_type_bits(type) + 1);
}

bool plan_resolves(enum number_type type, const struct fractal *fractal, const struct view *view,
                   int width_px, int height_px) {
    return plan_room(type, fractal, view, width_px, height_px) >= 0;
}

static bool is_drawn(const struct plan_input *in, enum route route, enum number_type type) {
    return !in->types || in->types[route] >> type & 1;
}

/* Returns true for a device without doubles. */
static bool has_floats_alone(const struct plan_input *in) {
    return in->types && in->types[ROUTE_DIRECT] == 1u << TYPE_FLOAT;
}

static double expected_ms(const struct plan_input *in, enum route route, enum number_type type) {
    const double speed = in->speed.per_ms[route][type];
    return speed > 0 ? (double)in->width_px * in->height_px * in->limit / speed : 0;
}

/* Returns true if the formula has perturbed orbits at this depth. */
static bool has_perturbed_at_depth(const struct plan_input *in) {
    return !in->fractal ||
           (fractal_has_perturbed(in->fractal) &&
            view_step_log2(in->view, in->height_px) > fractal_finest_log2(in->fractal));
}

static enum route choose_route(const struct plan_input *in) {
    if (!has_perturbed_at_depth(in) || !is_drawn(in, ROUTE_PERTURBED, TYPE_DOUBLE))
        return ROUTE_DIRECT;
    if (in->precision != PRECISION_AUTO)
        return in->precision >= PRECISION_PERTURBED ? ROUTE_PERTURBED : ROUTE_DIRECT;
    const double ms = expected_ms(in, ROUTE_PERTURBED, TYPE_DOUBLE);
    const bool quick = ms > 0 && ms <= MOVING_BUDGET_MS;
    const double room = plan_room(TYPE_DOUBLE, in->fractal, in->view, in->width_px, in->height_px);
    return room < (in->moving && !quick ? ROOM_LEAST : ROOM_RIGHT) ? ROUTE_PERTURBED : ROUTE_DIRECT;
}

static bool has_wide(const struct plan_input *in) {
    return !(in->fractal && fractal_is_map(in->fractal));
}

/* Returns the number type of a picture at rest. */
static enum number_type resting_type(const struct plan_input *in) {
    return plan_resolves(TYPE_DOUBLE, in->fractal, in->view, in->width_px, in->height_px) ||
                   !has_wide(in) || !is_drawn(in, ROUTE_DIRECT, TYPE_WIDE)
               ? TYPE_DOUBLE
               : TYPE_WIDE;
}

static enum number_type choose_type(const struct plan_input *in, enum route route,
                                    double double_ms) {
    if (in->precision == PRECISION_PERTURBED_WIDE && route == ROUTE_PERTURBED &&
        is_drawn(in, ROUTE_PERTURBED, TYPE_WIDE))
        return TYPE_WIDE;
    if (route == ROUTE_PERTURBED || in->precision == PRECISION_DOUBLE ||
        in->precision >= PRECISION_PERTURBED)
        return TYPE_DOUBLE;
    if (in->precision == PRECISION_WIDE)
        return has_wide(in) ? TYPE_WIDE : TYPE_DOUBLE;
    if (in->precision == PRECISION_FLOAT)
        return TYPE_FLOAT;
    const enum number_type type = resting_type(in);
    if (!in->moving || in->lines || type != TYPE_DOUBLE)
        return type;
    const double *per_ms = in->speed.per_ms[ROUTE_DIRECT];
    const bool faster = per_ms[TYPE_FLOAT] > MOVING_GAIN * per_ms[TYPE_DOUBLE];
    const bool slow = double_ms > MOVING_BUDGET_MS;
    return faster && slow &&
                   plan_resolves(TYPE_FLOAT, in->fractal, in->view, in->width_px, in->height_px)
               ? TYPE_FLOAT
               : TYPE_DOUBLE;
}

/* Returns true if rounding errors could change more than a few counts of a picture in doubles.
 * Direct pictures are certain if their orbits are short and pixels are far apart. */
static bool may_be_wrong(const struct plan_input *in, enum route route) {
    return route == ROUTE_PERTURBED ||
           (has_perturbed_at_depth(in) && is_drawn(in, ROUTE_PERTURBED, TYPE_DOUBLE) &&
            (in->limit > LIMIT_CERTAIN || plan_room(TYPE_DOUBLE, in->fractal, in->view,
                                                    in->width_px, in->height_px) < ROOM_CERTAIN));
}

/* Returns the stride of the first pass. Coarse passes cost little and show the whole picture early:
 * the slower the picture, the coarser. */
static int choose_stride(double ms) {
    if (ms == 0)
        return 8;
    return ms < 12 ? 1 : ms < 60 ? 2 : ms < 250 ? 4 : ms < 2000 ? 8 : 16;
}

void plan_deepest(const struct fractal *fractal, struct view *view) {
    const char *why;
    view_set_zoom(view, VIEW_ZOOM_MAX, &why);
    if (!fractal_has_perturbed(fractal))
        return;
    const double finest = fractal_finest_log2(fractal);
    if (finest > -INFINITY) /* 2^18 pixels, and a margin */
        mpfr_set_ui_2exp(view->zoom, 1, (mpfr_exp_t)-finest - 20, MPFR_RNDN);
}

static const char *missing_feature(const struct plan_input *input, enum route route) {
    const bool flat = input->fractal && !fractal_has_slopes(input->fractal);
    if (flat && (input->slopes || input->inside))
        return "this formula has no slopes; layers are not drawn";
    if (route == ROUTE_DIRECT)
        return NULL;
    if (input->inside)
        return "interior colours are not available at this depth";
    return NULL;
}

struct plan plan_frame(const struct plan_input *input) {
    struct plan plan = {.route = choose_route(input)};
    plan.type = has_floats_alone(input)
                    ? TYPE_FLOAT
                    : choose_type(input, plan.route, expected_ms(input, plan.route, TYPE_DOUBLE));
    plan.widen = plan.type == TYPE_DOUBLE && input->precision == PRECISION_AUTO && !input->moving &&
                 may_be_wrong(input, plan.route);
    plan.expected_ms = expected_ms(input, plan.route, plan.type);
    plan.first_stride = choose_stride(plan.expected_ms);
    plan.lacks = missing_feature(input, plan.route);
    plan.past_depth =
        plan.route == ROUTE_DIRECT &&
        !plan_resolves(plan.type, input->fractal, input->view, input->width_px, input->height_px);
    return plan;
}

enum precision plan_precision(enum route route, enum number_type type) {
    static const enum precision precisions[ROUTE_COUNT][TYPE_COUNT] = {
        {PRECISION_FLOAT, PRECISION_DOUBLE, PRECISION_WIDE},
        {[TYPE_DOUBLE] = PRECISION_PERTURBED, [TYPE_WIDE] = PRECISION_PERTURBED_WIDE}};
    return precisions[route][type];
}

enum precision plan_request_precision(const struct frame_req *req) {
    return req->tailless || req->screen || req->doubles_limit > 0
               ? PRECISION_AUTO
               : plan_precision(req->route, req->type);
}
