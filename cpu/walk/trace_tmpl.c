/* Orbit traces (SIMD): iterates orbits again for averages along them and for traps, for as many
 * steps as their counts say and on to the radius of the fraction, as slope_tmpl.c does. */
#include "cpu/walk/slope.h"
#include "cpu/walk/trace_put.h"
#include "cpu/walk/walk.h"
#include "render/formula/slope.h"

INLINE real real_sqrt(real x) {
    number each[LANES];
    real_store(each, x);
    for (int i = 0; i < LANES; i++)
        each[i] = sizeof(number) == sizeof(float) ? (number)__builtin_sqrtf((float)each[i])
                                                  : (number)__builtin_sqrt((double)each[i]);
    return real_load(each);
}

#include "render/formula/trace_step.h"

/* z, c, their absolute values, and the trace so far; `_before`: sums without the last point. */
struct walk {
    value zr[GROUP], zi[GROUP], cr[GROUP], ci[GROUP];
    real size[GROUP], c_size[GROUP], stripe[GROUP], stripe_before[GROUP], triangle[GROUP],
        triangle_before[GROUP], square[GROUP], line[GROUP], cross[GROUP], circle[GROUP];
    real points[GROUP], nearest[GROUP]; /* number of points; number of the point nearest to 0 */
    /* Image trap: only points after number `from` count; the least square among them, and its
     * point. */
    real from[GROUP], caught[GROUP], caught_r[GROUP], caught_i[GROUP];
};

struct way {
    const struct tile_points *points;
    const struct sample_planes *planes;
    bool stripe, triangle, sized, caught; /* values to compute; `sized`: needs |z| */
};

INLINE real size_of(real square) {
    return real_sqrt(square) * real_set(1 / TRACE_UNIT);
}

/* Adds the last point, number w.points, to the trace. */
INLINE void pass(const int power, const bool stripe, const bool triangle, const bool sized,
                 const bool caught, struct walk *w, int v) {
    const real zr = value_high(w->zr[v]), zi = value_high(w->zi[v]);
    const real square = trace_square(zr, zi);
    const lanes farther = lanes_not_less(square, w->square[v]);
    w->nearest[v] = lanes_select(farther, w->nearest[v], w->points[v]);
    if (caught) {
        const real size = lanes_select(lanes_not_less(w->from[v], w->points[v]),
                                       real_set((number)TRACE_FAR), square);
        const lanes outside = lanes_not_less(size, w->caught[v]);
        w->caught[v] = real_least(size, w->caught[v]);
        w->caught_r[v] = lanes_select(outside, w->caught_r[v], zr);
        w->caught_i[v] = lanes_select(outside, w->caught_i[v], zi);
    }
    w->square[v] = real_least(square, w->square[v]);
    w->line[v] = trace_line(zi, w->line[v]);
    w->cross[v] = trace_cross(zr, zi, w->cross[v]);
    if (stripe) {
        w->stripe_before[v] = w->stripe[v];
        w->stripe[v] = w->stripe[v] + trace_stripe(zr, zi, square);
    }
    if (sized) {
        const real size = size_of(square);
        if (triangle) {
            w->triangle_before[v] = w->triangle[v];
            w->triangle[v] = w->triangle[v] + trace_triangle(power, size, w->size[v], w->c_size[v]);
        }
        w->circle[v] = trace_circle(size, w->circle[v]);
        w->size[v] = size;
    }
}

INLINE void steps_of(const int power, const unsigned folds, const bool stripe, const bool triangle,
                     const bool sized, const bool caught, struct walk *walk, uint32_t steps) {
    struct walk w = *walk;
    for (uint32_t i = 0; i < steps; i++)
        EACH {
            step_z(power, folds, &w.zr[v], &w.zi[v], w.cr[v], w.ci[v]);
            w.points[v] = w.points[v] + real_set(1);
            pass(power, stripe, triangle, sized, caught, &w, v);
        }
    *walk = w;
}

/* Steps from step n on. */
static __attribute__((noinline)) void walk_on(const struct way *way, uint32_t n, struct walk *w,
                                              uint32_t steps) {
    const struct recipe *recipe = way->points->recipe;
    const bool stripe = way->stripe, triangle = way->triangle, sized = way->sized;
    const bool caught = way->caught;
    const uint32_t some = recipe->length == 1 ? steps : 1;
    for (uint32_t i = 0; i < steps; i += some) {
        const uint32_t which = (n + i) % recipe->length;
        const unsigned folds = recipe->folds[which];
        switch (recipe->power[which]) {
        case 2:
            steps_of(2, folds, stripe, triangle, sized, caught, w, some);
            break;
#define POWER_CASE(power)                                                                          \
    case power:                                                                                    \
        steps_of(power, folds, stripe, triangle, sized, caught, w, some);                          \
        break;
            RECIPE_POWERS(POWER_CASE)
#undef POWER_CASE
        default:
            __builtin_unreachable();
        }
    }
}

/* Loads the points with numbers `at`, `size` of at most TOGETHER, before their first step. */
static void start(const struct way *way, const uint32_t *at, size_t size, struct walk *w) {
    number from[TOGETHER] = {0};
    for (size_t i = 0; i < size; i++)
        from[i] = (number)trace_caught_from(way->planes->count[at[i]]);
    begin_points(way->points, at, w->zr, w->zi, w->cr, w->ci);
    EACH {
        const real far = real_set((number)TRACE_FAR);
        w->size[v] = size_of(trace_square(value_high(w->zr[v]), value_high(w->zi[v])));
        w->c_size[v] = size_of(trace_square(value_high(w->cr[v]), value_high(w->ci[v])));
        w->stripe[v] = w->stripe_before[v] = w->triangle[v] = w->triangle_before[v] = real_set(0);
        w->square[v] = w->line[v] = w->cross[v] = w->circle[v] = w->caught[v] = far;
        w->from[v] = real_load(from + v * LANES);
        w->points[v] = w->nearest[v] = w->caught_r[v] = w->caught_i[v] = real_set(0);
    }
}

/* Drops the first point's triangle term, which is the same for all orbits. */
INLINE void forget_triangle(struct walk *w) {
    EACH w->triangle[v] = w->triangle_before[v] = real_set(0);
}

/* Steps each lane to the end of its orbit, as in slope_tmpl.c. */
static void walk_tail(const struct way *way, uint32_t n, const number *left_of, struct walk *w) {
    real left[GROUP];
    lanes there[GROUP];
    EACH left[v] = real_load(left_of + v * LANES);
    while (!are_there(left, w->zr, w->zi, there)) {
        struct walk next = *w;
        walk_on(way, n, &next, 1);
        if (n++ == 0)
            forget_triangle(&next);
#define KEEP(member) w->member[v] = lanes_select(there[v], w->member[v], next.member[v])
        EACH {
            w->zr[v] = value_select(there[v], w->zr[v], next.zr[v]);
            w->zi[v] = value_select(there[v], w->zi[v], next.zi[v]);
            KEEP(size);
            KEEP(stripe);
            KEEP(stripe_before);
            KEEP(triangle);
            KEEP(triangle_before);
            KEEP(square);
            KEEP(line);
            KEEP(cross);
            KEEP(circle);
            KEEP(points);
            KEEP(nearest);
            KEEP(caught);
            KEEP(caught_r);
            KEEP(caught_i);
            left[v] = left[v] - real_set(1);
        }
#undef KEEP
    }
}

/* Writes the samples lane by lane. */
static void put(const struct way *way, const struct walk *w, const uint32_t *at, size_t size) {
    const struct sample_planes *planes = way->planes;
    const real *const members[] = {w->stripe, w->stripe_before, w->triangle, w->triangle_before,
                                   w->square, w->line,          w->cross,    w->circle,
                                   w->points, w->nearest,       w->caught_r, w->caught_i};
    number of[12][TOGETHER];
    for (int k = 0; k < 12; k++)
        EACH real_store(of[k] + v * LANES, members[k][v]);
    for (size_t i = 0; i < size; i++) {
        const size_t to = at[i];
        const double points = (double)of[8][i];
        const double part = trace_part(planes->fraction[to], (int)points - (int)planes->count[to]);
        const float values[TRACE_VALUES] = {
            trace_mean((double)of[0][i], (double)of[1][i], points, part),
            trace_mean((double)of[2][i], (double)of[3][i], points - 1, part),
            trace_nearness(double_sqrt((double)of[4][i]) * (1 / TRACE_UNIT)),
            trace_nearness((double)of[5][i]),
            trace_nearness((double)of[6][i]),
            trace_nearness((double)of[7][i]),
        };
        trace_put(planes, to, values, (uint32_t)of[9][i],
                  trace_place((double)of[10][i], (double)of[11][i]));
    }
}

/* Does the second pass of up to TOGETHER points. Returns false if it was stopped. */
static bool walk(const struct way *way, const uint32_t *at, size_t size) {
    number left[TOGETHER];
    struct walk w;
    const uint32_t least = steps_together(way->planes->count, at, size, left);
    start(way, at, size, &w);
    if (least > 0) {
        walk_on(way, 0, &w, 1);
        forget_triangle(&w);
    }
    for (uint32_t n = 1; n < least; n += PATIENCE) {
        if (atomic_load_explicit(way->points->stop, memory_order_relaxed))
            return false;
        walk_on(way, n, &w, least - n < PATIENCE ? least - n : PATIENCE);
    }
    walk_tail(way, least, left, &w);
    put(way, &w, at, size);
    return true;
}

#define NAME3(isa, type) trace_##isa##_##type
#define NAME2(isa, type) NAME3(isa, type)

void NAME2(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct tile_points *points,
                                          const struct sample_planes *planes) {
    const struct way way = {
        .points = points,
        .planes = planes,
        .stripe = planes->stripe,
        .triangle = planes->triangle,
        .sized = planes->triangle || planes->circle,
        .caught = planes->caught,
    };
    struct walk_order order;
    walk_clear(planes, SAMPLE_PLANE_stripe, SAMPLE_PLANE_caught, points->size);
    walk_order(planes->count, points->size, &order);
    for (uint32_t i = 0; i < order.size; i += TOGETHER)
        if (!walk(&way, order.at + i, order.size - i < TOGETHER ? order.size - i : TOGETHER))
            return;
}
