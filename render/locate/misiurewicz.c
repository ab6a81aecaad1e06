/* Misiurewicz points: searches near returns of an orbit, Z_b near -Z_a. */
#include "render/locate/misiurewicz.h"
#include "render/locate/ball.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIES_MOST 48         /* most attempts of Newton's method in a part of the view */
#define TRIES_OF_B 6          /* most attempts with one b */
#define LEVELS     3          /* levels of parts: the whole view, quarters, sixteenths */
#define STEPS_MOST (1u << 22) /* most steps of a stored orbit */
#define CELL       0x1p-20    /* side of a cell in the table of points with a small reach */
#define HEADS      (1u << 16)
#define ROUNDED    0x1p-46 /* error bound of sums of doubles */
#define SHARP_BITS 256     /* [bits] precision of the result below the view's height */

/* Orbit of a part's middle: Z_n and the reach of the ball at n = 1, 2, ... */
struct trail {
    struct trail_point {
        double re, im, reach;
        uint32_t next; /* next point of the cell; 0: none */
    } * points;        /* the first point is unused */
    uint32_t count, room;
    uint32_t heads[HEADS]; /* first points of the cells' lists; 0: none */
    uint32_t wide;         /* first of the points with a reach of the size of a cell */
    uint32_t found[TRIES_OF_B], found_count;
};

struct search {
    struct sight sight;
    const struct family *family;
    struct locate_watch *watch;
    uint32_t limit;
    long bits;
    struct trail *trail;
};

static uint32_t *head_of(struct trail *trail, double x, double y) {
    const int64_t column = (int64_t)floor(x / CELL), row = (int64_t)floor(y / CELL);
    const uint64_t mixed =
        ((uint64_t)column * 0x9e3779b97f4a7c15u) ^ ((uint64_t)row * 0xc2b2ae3d27d4eb4fu);
    return &trail->heads[(mixed >> 40) % HEADS];
}

static bool trail_add(struct trail *trail, double re, double im, double reach) {
    if (trail->count + 1 >= trail->room) {
        const uint32_t room = trail->room ? trail->room * 2 : 1024;
        struct trail_point *points = realloc(trail->points, room * sizeof *points);
        if (!points)
            return false;
        trail->points = points;
        trail->room = room;
    }
    const uint32_t at = ++trail->count;
    uint32_t *head = reach < CELL / 4 ? head_of(trail, re, im) : &trail->wide;
    trail->points[at] = (struct trail_point){re, im, reach, *head};
    *head = at;
    return true;
}

/* Adds a to the found points if its ball and the given one may contain opposite points. */
static void compare(struct trail *trail, uint32_t a, double re, double im, double reach) {
    const struct trail_point *point = &trail->points[a];
    if (trail->found_count == TRIES_OF_B ||
        !(hypot(point->re + re, point->im + im) <= point->reach + reach + ROUNDED))
        return;
    for (uint32_t i = 0; i < trail->found_count; i++)
        if (trail->found[i] == a)
            return; /* two cells may share a list */
    trail->found[trail->found_count++] = a;
}

/* Finds the earlier points that may be opposite to the given point. */
static void trail_look_up(struct trail *trail, double re, double im, double reach) {
    trail->found_count = 0;
    if (reach >= CELL / 4) {
        for (uint32_t a = 1; a <= trail->count; a++)
            compare(trail, a, re, im, reach);
        return;
    }
    for (uint32_t a = trail->wide; a > 0; a = trail->points[a].next)
        compare(trail, a, re, im, reach);
    for (int i = 0; i < 9; i++) {
        const uint32_t *head = head_of(trail, -re + (i % 3 - 1) * CELL, -im + (i / 3 - 1) * CELL);
        for (uint32_t a = *head; a > 0; a = trail->points[a].next)
            compare(trail, a, re, im, reach);
    }
}

/* Properties of the orbit of a root of Z_a + Z_b. */
struct check {
    uint32_t period; /* least period; 0: there is none, or Z_a is 0 */
    struct scaled multiplier;
};

/* Returns true if an error of c of 2^-48 half heights of the view explains x. */
static bool is_zero(const struct search *search, struct scaled x, struct scaled derivative) {
    const struct scaled error = scaled_mul(search->sight.half, scaled_power(-48));
    return !scaled_less(scaled_mul(scaled_abs(derivative), error), scaled_abs(x));
}

/* Follows the orbit of a root. Returns false if cancelled. */
static bool check_orbit(const struct search *search, uint32_t a, uint32_t b, const struct big *c,
                        struct check *check) {
    struct big z, first, sum, spare[2];
    struct scaled d = {0}, d_first = {0}, multiplier = scaled_of(1, 0);
    big_init(&z, search->bits);
    big_init(&first, search->bits);
    big_init(&sum, search->bits);
    big_init(&spare[0], search->bits);
    big_init(&spare[1], search->bits);
    bool cancelled = false, done = false;
    check->period = 0;
    for (uint32_t n = 1; n <= b && !done && !cancelled; n++) {
        d = scaled_add(scaled_times(scaled_mul(big_scaled(&z), d), 2), scaled_of(1, 0));
        family_step(search->family, n - 1, c, &z, spare);
        const struct scaled z_n = big_scaled(&z);
        if (n > a)
            multiplier = scaled_times(scaled_mul(multiplier, z_n), 2);
        if (n == a) {
            big_set(&first, &z);
            d_first = d;
            done = is_zero(search, z_n, d);
        } else if (n > a && (b - a) % (n - a) == 0) {
            big_set(&sum, &z);
            big_add(&sum, &first);
            done =
                is_zero(search, big_scaled(&sum), scaled_add(scaled_abs(d), scaled_abs(d_first)));
            check->period = done ? n - a : 0;
        }
        cancelled = atomic_load_explicit(&search->watch->cancel, memory_order_relaxed);
    }
    big_finish(&z);
    big_finish(&first);
    big_finish(&sum);
    big_finish(&spare[0]);
    big_finish(&spare[1]);
    check->multiplier = multiplier;
    return !cancelled;
}

/* Searches for a Misiurewicz point from a near return. Returns LOCATE_NONE if there is none. */
static enum locate_end try_pair(const struct search *search, uint32_t a, uint32_t b,
                                const struct big *from, struct misiurewicz *point) {
    const struct roots roots = {.family = search->family, .a = a, .b = b};
    big_set(&point->c, from);
    const enum newton_end end = newton_approach(&search->sight, search->watch, &roots, &point->c);
    if (end != NEWTON_ROOT)
        return end == NEWTON_CANCELLED ? LOCATE_CANCELLED : LOCATE_NONE;
    double right, up;
    sight_place(&search->sight, &point->c, &right, &up);
    if (fabs(right) > search->sight.aspect || fabs(up) > 1)
        return LOCATE_NONE;
    struct check check;
    if (!check_orbit(search, a, b, &point->c, &check))
        return LOCATE_CANCELLED;
    if (check.period == 0 || scaled_log2(check.multiplier) <= 0)
        return LOCATE_NONE;
    point->preperiod = a + 1;
    point->period = check.period;
    point->multiplier = check.multiplier;
    return LOCATE_FOUND;
}

static enum locate_end search_orbit(struct search *search, struct ball *ball, struct big *z,
                                    const struct big *c, struct big spare[2],
                                    struct misiurewicz *point) {
    const struct scaled c_most = scaled_add(scaled_abs(big_scaled(c)), ball->radius);
    int tries = 0;
    for (uint32_t b = 1; b < search->limit && b < STEPS_MOST; b++) {
        ball_step(ball, search->family, b - 1);
        family_step(search->family, b - 1, c, z, spare);
        ball->z = big_scaled(z);
        const struct scaled far = ball_reach(ball);
        const double reach = scaled_double(far.re, far.exponent);
        const double re = mpfr_get_d(z->re, MPFR_RNDN), im = mpfr_get_d(z->im, MPFR_RNDN);
        if (ball_escaped(ball, c_most) || !(fabs(re) < 1e9 && fabs(im) < 1e9))
            return LOCATE_NONE;
        trail_look_up(search->trail, re, im, reach);
        for (uint32_t i = 0; i < search->trail->found_count; i++) {
            const enum locate_end end = try_pair(search, search->trail->found[i], b, c, point);
            if (end != LOCATE_NONE)
                return end;
            if (++tries == TRIES_MOST)
                return LOCATE_NONE;
        }
        if (!trail_add(search->trail, re, im, reach))
            return LOCATE_NO_MEMORY;
        atomic_store_explicit(&search->watch->reached, b, memory_order_relaxed);
        if (atomic_load_explicit(&search->watch->cancel, memory_order_relaxed))
            return LOCATE_CANCELLED;
    }
    return LOCATE_NONE;
}

/* Searches around the middle of a part of the view that is `side` times as small. */
static enum locate_end search_part(struct search *search, double x, double y, double side,
                                   struct misiurewicz *point) {
    const double size = hypot(search->sight.aspect, 1) / side * BALL_SLACK;
    struct ball ball = ball_begin(search->family,
                                  scaled_mul(scaled_of(size, 0), search->sight.half), search->bits);
    struct big z, c, spare[2];
    big_init(&z, search->bits);
    big_init(&c, search->bits);
    big_init(&spare[0], search->bits);
    big_init(&spare[1], search->bits);
    sight_point(&search->sight, x * search->sight.aspect, y, &c);
    search->trail->count = search->trail->wide = 0;
    memset(search->trail->heads, 0, sizeof search->trail->heads);
    const enum locate_end end = search_orbit(search, &ball, &z, &c, spare, point);
    big_finish(&z);
    big_finish(&c);
    big_finish(&spare[0]);
    big_finish(&spare[1]);
    return end;
}

static enum locate_end find(struct search *search, struct misiurewicz *point) {
    for (int level = 0; level < LEVELS; level++) {
        const int parts = 1 << level;
        for (int i = 0; i < parts * parts; i++) {
            const double x = (2 * (i % parts) + 1.0) / parts - 1;
            const double y = (2 * (i / parts) + 1.0) / parts - 1;
            const enum locate_end end = search_part(search, x, y, parts, point);
            if (end != LOCATE_NONE)
                return end;
        }
    }
    return LOCATE_NONE;
}

static enum locate_end sharpen(const struct search *search, struct misiurewicz *point) {
    const uint32_t a = point->preperiod - 1;
    const struct roots roots = {.family = search->family, .a = a, .b = a + point->period};
    atomic_store(&search->watch->period, point->period);
    point->bits = search->sight.depth_bits + SHARP_BITS;
    return newton_sharpen(&search->sight, search->watch, &roots, point->bits, &point->c);
}

enum locate_end misiurewicz_find(const struct view *view, double aspect, uint32_t limit,
                                 struct locate_watch *watch, struct misiurewicz *point) {
    const struct family family = {.steps = STEP_LIST_SQUARE};
    struct search search = {.family = &family, .watch = watch, .limit = limit};
    sight_init(&search.sight, view, aspect);
    search.bits = search.sight.depth_bits + NEWTON_SPARE_BITS;
    if (search.bits > VIEW_BITS_MAX)
        return LOCATE_TOO_DEEP;
    search.trail = calloc(1, sizeof *search.trail);
    if (!search.trail)
        return LOCATE_NO_MEMORY;
    big_init(&point->c, search.bits);
    enum locate_end end = find(&search, point);
    if (end == LOCATE_FOUND)
        end = sharpen(&search, point);
    if (end != LOCATE_FOUND)
        misiurewicz_finish(point);
    free(search.trail->points);
    free(search.trail);
    return end;
}

void misiurewicz_finish(struct misiurewicz *point) {
    big_finish(&point->c);
}
