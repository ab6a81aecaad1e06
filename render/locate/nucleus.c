/* Searches a view for the nucleus of the lowest period, and measures what lies around it. */
#include "render/locate/nucleus.h"
#include "render/locate/ball.h"
#include <math.h>
#include <stdlib.h>

#define BOXES_MAX 1024 /* of borderline cases at a time, before the search is given up */

/* A part of the view, in halves of its height, in the directions of the screen; it has no nucleus
 * of a period below `first`. */
struct box {
    double x, y, width, height; /* the middle; half its size */
    uint32_t first;
    bool linear;             /* the ball is nearly a linear map of c by then, so that */
    double start_x, start_y; /* this is about where a root lies */
};

struct search {
    struct sight sight;
    struct locate_watch *watch;
    uint32_t limit;
    long bits;
    struct box boxes[BOXES_MAX];
    size_t count;
};

/* Whether a root of z_n might lie in the box: it lies within R / |D| of middle - Z / D. */
static bool box_may_hold(const struct search *search, const struct box *box,
                         const struct ball *ball) {
    if (scaled_less(ball_reach(ball), scaled_abs(ball->z)))
        return false;
    if (!scaled_less(ball->bound, ball->linear))
        return true;
    double right, up;
    sight_turn(&search->sight, scaled_div(ball->z, ball->d), &right, &up);
    const struct scaled room =
        scaled_div(scaled_div(ball->bound, scaled_abs(ball->d)), search->sight.half);
    const double around = scaled_double(room.re, room.exponent) * BALL_SLACK;
    return fabs(right) <= box->width * BALL_SLACK + around &&
           fabs(up) <= box->height * BALL_SLACK + around;
}

static void box_hit(const struct search *search, struct box *box, uint32_t n,
                    const struct ball *ball) {
    box->first = n;
    box->linear = scaled_less(ball->bound, ball->linear);
    if (!box->linear)
        return;
    double right, up;
    sight_turn(&search->sight, scaled_div(ball->z, ball->d), &right, &up);
    box->start_x = box->x - right;
    box->start_y = box->y - up;
}

enum scan_end { SCAN_HIT, SCAN_NOTHING, SCAN_CANCELLED };

static enum scan_end scan_orbit(struct search *search, struct box *box, struct ball *ball,
                                struct big *z, const struct big *c, struct big *spare) {
    const struct scaled middle = scaled_abs(big_scaled(c));
    const struct scaled c_most = scaled_add(middle, ball->radius);
    for (uint32_t n = 1; n <= search->limit; n++) {
        ball_step(ball);
        big_step(z, c, spare);
        ball->z = big_scaled(z);
        if (n >= box->first && box_may_hold(search, box, ball)) {
            box_hit(search, box, n, ball);
            return SCAN_HIT;
        }
        if (ball_escaped(ball, c_most))
            return SCAN_NOTHING;
        if (atomic_load_explicit(&search->watch->cancel, memory_order_relaxed))
            return SCAN_CANCELLED;
        if (search->count == 0)
            atomic_store_explicit(&search->watch->reached, n, memory_order_relaxed);
    }
    return SCAN_NOTHING;
}

/* Keeps the box, from the first period on that it may have a nucleus of, if there is one. False:
 * cancelled. */
static bool add_box(struct search *search, struct box box) {
    const struct scaled radius =
        scaled_mul(scaled_of(hypot(box.width, box.height) * BALL_SLACK, 0), search->sight.half);
    struct ball ball = {.radius = radius, .round = scaled_power(BALL_ROUND_BITS - search->bits)};
    struct big z, c, spare;
    big_init(&z, search->bits);
    big_init(&c, search->bits);
    big_init(&spare, search->bits);
    sight_point(&search->sight, box.x, box.y, &c);
    const enum scan_end end = scan_orbit(search, &box, &ball, &z, &c, &spare);
    big_finish(&z);
    big_finish(&c);
    big_finish(&spare);
    if (end == SCAN_HIT)
        search->boxes[search->count++] = box;
    return end != SCAN_CANCELLED;
}

/* Takes out the box of the lowest period, of several the one nearest to the middle. */
static struct box take_lowest(struct search *search) {
    size_t best = 0;
    for (size_t i = 1; i < search->count; i++) {
        const struct box *box = &search->boxes[i], *other = &search->boxes[best];
        const bool nearer = hypot(box->x, box->y) < hypot(other->x, other->y);
        if (box->first < other->first || (box->first == other->first && nearer))
            best = i;
    }
    const struct box box = search->boxes[best];
    search->boxes[best] = search->boxes[--search->count];
    return box;
}

/* Cuts it in two across. False: cancelled. */
static bool add_halves(struct search *search, const struct box *box) {
    const bool wide = box->width >= box->height;
    for (int side = -1; side <= 1; side += 2) {
        struct box half = *box;
        if (wide) {
            half.width /= 2;
            half.x += side * half.width;
        } else {
            half.height /= 2;
            half.y += side * half.height;
        }
        if (!add_box(search, half))
            return false;
    }
    return true;
}

/* Products and sums along the orbit of a nucleus. */
struct measures {
    struct scaled lambda;             /* product of 2 Z_k, k = 1 .. period - 1 */
    struct scaled beta;               /* 1 + sum of 1 / (that up to k) */
    struct scaled dc, dz, dcdc, dcdz; /* derivatives */
    struct scaled nearest;            /* least |Z_k| */
    bool lower;                       /* it is one of a lower period */
};

static void measure_step(struct measures *m, struct scaled z) {
    const struct scaled twice = scaled_times(z, 2), one = scaled_of(1, 0);
    m->dcdc = scaled_add(scaled_mul(twice, m->dcdc), scaled_times(scaled_mul(m->dc, m->dc), 2));
    m->dcdz = scaled_add(scaled_mul(twice, m->dcdz), scaled_times(scaled_mul(m->dc, m->dz), 2));
    m->dc = scaled_add(scaled_mul(twice, m->dc), one);
    m->dz = scaled_mul(twice, m->dz);
    m->lambda = m->dz;
    m->beta = scaled_add(m->beta, scaled_div(one, m->lambda));
    if (scaled_less(scaled_abs(z), m->nearest))
        m->nearest = scaled_abs(z);
}

/* |Z_k| is what an error of c of 2^-48 halves of the view's height explains. */
static bool is_zero(const struct search *search, const struct measures *m, struct scaled z) {
    const struct scaled error = scaled_mul(search->sight.half, scaled_power(-48));
    return !scaled_less(scaled_mul(scaled_abs(m->dc), error), scaled_abs(z));
}

/* False: cancelled. */
static bool measure(const struct search *search, uint32_t period, const struct big *c,
                    struct measures *m) {
    const struct scaled one = scaled_of(1, 0);
    *m = (struct measures){.beta = one, .dc = one, .dz = one, .lambda = one};
    m->nearest = scaled_power(2);
    struct big z, spare;
    big_init(&z, search->bits);
    big_init(&spare, search->bits);
    bool cancelled = false;
    for (uint32_t k = 1; k < period && !m->lower && !cancelled; k++) {
        big_step(&z, c, &spare);
        m->lower = period % k == 0 && is_zero(search, m, big_scaled(&z));
        if (!m->lower)
            measure_step(m, big_scaled(&z));
        cancelled = atomic_load_explicit(&search->watch->cancel, memory_order_relaxed);
    }
    big_finish(&z);
    big_finish(&spare);
    return !cancelled;
}

/* Size: near c the map Z_period is that of M itself, scaled; shape: how far the component is from a
 * cardioid (0) and from a disc (1). */
static void conclude(struct nucleus *nucleus, const struct measures *m) {
    const struct scaled one = scaled_of(1, 0);
    nucleus->size = scaled_div(one, scaled_mul(m->beta, scaled_mul(m->lambda, m->lambda)));
    nucleus->domain = scaled_div(m->nearest, scaled_abs(m->dc));
    const struct scaled bend =
        scaled_add(scaled_div(m->dcdc, scaled_times(m->dc, 2)), scaled_div(m->dcdz, m->dz));
    const struct scaled shape =
        scaled_div(bend, scaled_mul(m->dc, m->dz)); /* with its sign turned */
    const struct scaled from_disc = scaled_abs(scaled_add(shape, one));
    nucleus->disc = scaled_less(from_disc, scaled_abs(shape));
}

/* Looks for a nucleus near where a box's ball says; LOCATE_NONE: there is none in the view. */
static enum locate_end try_box(struct search *search, const struct box *box,
                               struct nucleus *nucleus) {
    struct measures m;
    sight_point(&search->sight, box->start_x, box->start_y, &nucleus->c);
    const enum newton_end end =
        newton_approach(&search->sight, search->watch, 0, box->first, &nucleus->c);
    if (end != NEWTON_ROOT)
        return end == NEWTON_CANCELLED ? LOCATE_CANCELLED : LOCATE_NONE;
    double right, up;
    sight_place(&search->sight, &nucleus->c, &right, &up);
    if (fabs(right) > search->sight.aspect || fabs(up) > 1)
        return LOCATE_NONE;
    if (!measure(search, box->first, &nucleus->c, &m))
        return LOCATE_CANCELLED;
    if (m.lower)
        return LOCATE_NONE;
    nucleus->period = box->first;
    conclude(nucleus, &m);
    return LOCATE_FOUND;
}

static enum locate_end find(struct search *search, struct nucleus *nucleus) {
    const struct box whole = {.width = search->sight.aspect, .height = 1, .first = 1};
    if (!add_box(search, whole))
        return LOCATE_CANCELLED;
    while (search->count > 0) {
        if (search->count + 2 > BOXES_MAX)
            return LOCATE_UNDECIDED;
        const struct box box = take_lowest(search);
        atomic_store(&search->watch->reached, box.first);
        const enum locate_end end = box.linear ? try_box(search, &box, nucleus) : LOCATE_NONE;
        if (end != LOCATE_NONE)
            return end;
        if (!add_halves(search, &box))
            return LOCATE_CANCELLED;
    }
    return LOCATE_NONE;
}

/* To 2^-64 of its size, or of the view's height where that is less. */
static enum locate_end sharpen(const struct search *search, struct nucleus *nucleus) {
    const double depth = fmax(-scaled_log2(nucleus->size), (double)search->sight.depth_bits);
    nucleus->bits = (long)depth + 64;
    atomic_store(&search->watch->period, nucleus->period);
    return newton_sharpen(&search->sight, search->watch, 0, nucleus->period, nucleus->bits,
                          &nucleus->c);
}

enum locate_end nucleus_find(const struct view *view, double aspect, uint32_t limit,
                             struct locate_watch *watch, struct nucleus *nucleus) {
    struct search search = {.watch = watch, .limit = limit};
    sight_init(&search.sight, view, aspect);
    search.bits = search.sight.depth_bits + NEWTON_SPARE_BITS;
    if (search.bits > VIEW_BITS_MAX)
        return LOCATE_TOO_DEEP;
    big_init(&nucleus->c, search.bits);
    enum locate_end end = find(&search, nucleus);
    if (end == LOCATE_FOUND)
        end = sharpen(&search, nucleus);
    if (end != LOCATE_FOUND)
        nucleus_finish(nucleus);
    return end;
}

void nucleus_finish(struct nucleus *nucleus) {
    big_finish(&nucleus->c);
}
