/* Exact counts of points: compared with tables, with doubles where those are certain, and at points
 * that need little or very much arithmetic. They can be cancelled. */
#include "render/base/clock.h"
#include "render/number/exact.h"
#include "render/palette.h"
#include "render/verify/counter.h"
#include "tests/deep/truth.h"
#include <math.h>
#include <pthread.h>

#include "tests/shared/check.h"
#include "tests/shared/judge.h"

/* Checks the first points of a table. */
static void check_table(const char *name, int number, int points) {
    static struct truth truth;
    struct exact_point found[TRUTH_POINTS_MAX] = {0};
    CHECK(truth_load(&truth, name, number));
    if (truth.req.route == ROUTE_PERTURBED)
        truth.req.type = TYPE_WIDE; /* wide numbers place points by the finest step */
    points = points < truth.points ? points : truth.points;
    for (int i = 0; i < points; i++) {
        found[i].x_px = truth.point[i].x_px;
        found[i].y_px = truth.point[i].y_px;
    }
    struct counter *counter = counter_create(&truth.req);
    CHECK(counter && counter_count(counter, found, (size_t)points, 2, false, NULL, NULL));
    counter_destroy(counter);
    for (int i = 0; i < points; i++) {
        const struct truth_point *at = &truth.point[i];
        const bool ok = found[i].count == at->count &&
                        (found[i].state == EXACT_INTERIOR) == (at->count == truth.req.limit);
        if (!ok)
            printf("%s: %d %d has %u, not %u\n", truth.name, at->x_px, at->y_px, found[i].count,
                   at->count);
        failures += !ok;
    }
    frame_req_finish(&truth.req);
}

/* Checks the first points of each place. */
static void check_places(const char *name, int points) {
    for (int number = 0; number < truth_places(name); number++)
        check_table(name, number, points);
}

static void check_tables(void) {
#ifdef TEST_SANITIZED
    const int many = 1, own = 4, hard = 1;
#else
    const int many = 10, own = TRUTH_POINTS_MAX, hard = 3;
#endif
    check_places("own", own);
    check_places("long", hard);
    check_places("border", hard);
    check_places("julia", hard);
    check_places("folds", hard);
    check_places("deepfolds", hard);
    check_places("widefolds", hard);
    check_places("needle", hard);
    check_places("extended", 1);
    check_table("1e14", 0, TRUTH_POINTS_MAX);
    check_table("5e113", 0, 2 * many);
    check_table("1e50", 0, many);
    check_table("glitch_test_1", 0, many);
    check_table("4e533", 0, many / 4 + 1);
    check_table("super_dense", 0, many / 10);
#ifndef TEST_SANITIZED
    check_table("1e1086", 0, 1);
    check_table("5e227", 0, 2);
#endif
}

/* --- comparison with doubles --- */

/* Counts by plain steps. Returns false if rounding may matter: |z| comes nearer than 2^-20 to 2, or
 * the error may be above that. */
static bool plain_count(enum formula formula, double cr, double ci, uint32_t limit,
                        uint32_t *count) {
    double x = 0, y = 0, error = 0;
    for (uint32_t n = 0; n <= limit; n++) {
        const double size = hypot(x, y);
        *count = n;
        if (fabs(size - 2) < 0x1p-20 || error > 0x1p-22)
            return false;
        if (size >= 2)
            return true;
        judge_step_double(formula, &x, &y, cr, ci);
        error = 2 * size * error + error * error + 0x1p-48;
    }
    *count = limit;
    return true;
}

static void check_double(enum formula formula, double angle_degrees) {
    const atomic_bool stop = false;
    const char *why;
    int judged = 0, escaped = 0;
    SCOPED(frame_req, req, 48, 32);
    CHECK(view_set_angle_degrees(&req.view, angle_degrees, &why));
    req.fractal.formula = formula;
    req.limit = 60;
    req.offset_x = 1000;
    req.offset_y = -3000;
    for (int i = 0; i < req.width_px * req.height_px; i++) {
        struct exact_point point = {.x_px = i % req.width_px, .y_px = i / req.width_px};
        const double step = 4 / (1.5 * req.height_px), turn = req.view.angle;
        const double right =
            (point.x_px + 0.5 - req.width_px / 2.0 + 1000.0 / FRAME_OFFSETS) * step;
        const double up = (req.height_px / 2.0 - point.y_px - 0.5 + 3000.0 / FRAME_OFFSETS) * step;
        uint32_t count;
        if (!plain_count(formula, -0.5 + right * cos(turn) - up * sin(turn),
                         right * sin(turn) + up * cos(turn), req.limit, &count))
            continue;
        exact_count(&req, &point, &stop);
        CHECK(point.count == count);
        CHECK((point.state == EXACT_INTERIOR) == (count == req.limit));
        judged++;
        escaped += point.state == EXACT_ESCAPED;
    }
    CHECK(judged > 1200 && escaped > 500);
}

/* --- single points --- */

/* Returns the count at the centre of a view, from a picture of one pixel. */
static struct exact_point count_at(const char *re, const char *im, const char *zoom, uint32_t limit,
                                   enum formula formula) {
    const atomic_bool stop = false;
    struct exact_point point = {0};
    const char *why;
    SCOPED(frame_req, req, 1, 1);
    CHECK(view_set_centre(&req.view, re, im, 0, &why) && view_set_zoom(&req.view, zoom, &why));
    req.limit = limit;
    req.fractal.formula = formula;
    exact_count(&req, &point, &stop);
    return point;
}

static void check_point(const char *re, const char *im, const char *zoom, uint32_t limit,
                        enum exact_state state, uint32_t count) {
    for (int formula = 0; formula < FORMULA_POWERS; formula++) {
        const struct exact_point point = count_at(re, im, zoom, limit, (enum formula)formula);
        if (point.state != state || point.count != count)
            printf("%s %s at %s: state %d, count %u\n", re, im, zoom, point.state, point.count);
        CHECK(point.state == state && point.count == count);
    }
}

/* Checks points exactly on the circle of radius 2, and points for which no precision is
 * sufficient. */
static void check_edges(void) {
    const uint32_t most = FRAME_LIMIT_MAX;
    check_point("2", "0", "1", 100, EXACT_ESCAPED, 1);
    check_point("-2", "0", "1", 100, EXACT_ESCAPED, 1);
    check_point("1", "0", "1", 100, EXACT_ESCAPED, 2); /* z = 2 */
    check_point("0", "2", "1e300", 100, EXACT_ESCAPED, 1);
    check_point("1e290", "-1e290", "1e-300", 100, EXACT_ESCAPED, 1);
    check_point("1.2", "1.6", "1", 100, EXACT_ESCAPED, 1); /* |c| is 2, except for rounding */
    check_point("0", "0", "1", 0, EXACT_INTERIOR, 0);
    check_point("1", "1", "1", 1, EXACT_INTERIOR, 1);
    check_point("0", "0", "1e100000", most, EXACT_INTERIOR, most);
    check_point("-1.9", "0", "1", most, EXACT_INTERIOR, most); /* chaotic */
    check_point("0.25", "0", "1", most, EXACT_INTERIOR, most);
    check_point("0.2500152587890625", "0", "1", 1000, EXACT_ESCAPED, 802); /* 1/4 + 2^-16 */
    CHECK(count_at("0", "1", "1", 5000, FORMULA_mandelbrot).state == EXACT_INTERIOR); /* i, -1+i */
}

/* --- cancelling --- */

struct patience {
    int calls;
    size_t last;
};

static bool give_up(void *user, size_t done) {
    struct patience *patience = user;
    CHECK(done >= patience->last && done < 4);
    patience->last = done;
    return ++patience->calls < 3;
}

static void *count_for_long(void *user) {
    void **both = user;
    exact_count(both[0], both[1], both[2]);
    return NULL;
}

/* Cancels the count of a real point that never escapes, at a depth at which each step takes
 * long. */
static void check_cancel(void) {
    static atomic_bool stop;
    struct exact_point points[4] = {{0}};
    const char *why;
    SCOPED(frame_req, req, 2, 2);
    CHECK(view_set_centre(&req.view, "-1.7548776662466927600495", "0", 0, &why));
    CHECK(view_set_zoom(&req.view, "1e50000", &why));
    req.limit = FRAME_LIMIT_MAX;
    pthread_t thread;
    void *both[] = {&req, &points[0], &stop};
    CHECK(pthread_create(&thread, NULL, count_for_long, both) == 0);
    const double start = clock_ms();
    while (clock_ms() - start < 100)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    atomic_store(&stop, true);
    const double asked = clock_ms();
    pthread_join(thread, NULL);
    CHECK(points[0].state == EXACT_OPEN);
    CHECK(clock_ms() - asked < 1000); /* 10 ms on an idle machine */
    struct patience patience = {0};
    struct counter *counter = counter_create(&req);
    CHECK(counter && !counter_count(counter, points, 4, 3, false, give_up, &patience));
    counter_destroy(counter);
    CHECK(patience.calls >= 3);
    CHECK(points[3].state == EXACT_OPEN);
}

int main(void) {
    CHECK(palette_ready());
    check_edges();
    check_double(FORMULA_mandelbrot, 0);
    check_double(FORMULA_mandelbrot, 33.3);
    check_double(FORMULA_mandelbrot, -120);
    check_double(FORMULA_tricorn, -120);
    for (int formula = 0; formula < FORMULA_POWERS; formula++)
        check_double((enum formula)formula, 10);
    check_cancel();
    check_tables();
    return failures > 0;
}
