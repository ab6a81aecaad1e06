/* The planner's rules: number type and coarse passes from the depth and the measured speed. */
#include "render/plan.h"
#include <math.h>

#define MOVING_BUDGET_MS 50.0 /* a slower double picture is worth a float one while moving */
#define MOVING_GAIN      1.5

const char *const precision_names[] = {"auto", "float", "double", NULL};

static double exponent_of(mpfr_srcptr x) {
    return mpfr_regular_p(x) ? (double)mpfr_get_exp(x) : -INFINITY;
}

double plan_room(enum number_type type, const struct view *view, int width_px, int height_px) {
    const double step = view_step_log2(view, height_px);
    const int extent = width_px > height_px ? width_px : height_px;
    /* |c| < 2^top over the picture, so one unit in the last place is at most 2^(top - bits). */
    const double top =
        fmax(fmax(exponent_of(view->re), exponent_of(view->im)), step + log2(extent) - 1);
    return step - (top - number_type_bits(type) + 1);
}

bool plan_resolves(enum number_type type, const struct view *view, int width_px, int height_px) {
    return plan_room(type, view, width_px, height_px) >= 0;
}

static enum number_type choose_type(const struct plan_input *in, double double_ms) {
    if (in->precision == PRECISION_FLOAT)
        return TYPE_FLOAT;
    if (in->precision == PRECISION_DOUBLE || !in->moving)
        return TYPE_DOUBLE;
    const double *per_ms = in->speed.per_ms[ROUTE_DIRECT];
    const bool faster = per_ms[TYPE_FLOAT] > MOVING_GAIN * per_ms[TYPE_DOUBLE];
    const bool slow = double_ms > MOVING_BUDGET_MS;
    return faster && slow && plan_resolves(TYPE_FLOAT, in->view, in->width_px, in->height_px)
               ? TYPE_FLOAT
               : TYPE_DOUBLE;
}

static double expected_ms(const struct plan_input *in, enum route route, enum number_type type) {
    const double speed = in->speed.per_ms[route][type];
    return speed > 0 ? (double)in->width_px * in->height_px * in->limit / speed : 0;
}

/* Coarse passes cost a little and show the whole picture early: the slower, the coarser. */
static int choose_stride(double ms) {
    if (ms == 0)
        return 8;
    return ms < 12 ? 1 : ms < 60 ? 2 : ms < 250 ? 4 : ms < 2000 ? 8 : 16;
}

struct plan plan_frame(const struct plan_input *input) {
    struct plan plan = {.route = ROUTE_DIRECT};
    plan.type = choose_type(input, expected_ms(input, plan.route, TYPE_DOUBLE));
    plan.expected_ms = expected_ms(input, plan.route, plan.type);
    plan.first_stride = choose_stride(plan.expected_ms);
    plan.past_depth = !plan_resolves(plan.type, input->view, input->width_px, input->height_px);
    return plan;
}

enum precision plan_precision(enum route route, enum number_type type) {
    static const enum precision precisions[ROUTE_COUNT][TYPE_COUNT] = {
        {PRECISION_FLOAT, PRECISION_DOUBLE}};
    return precisions[route][type];
}
