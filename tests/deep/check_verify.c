/* Verification: counts in pairs of doubles are those of exact arithmetic, in views of all kinds;
 * interior points are proved; and pictures with known counts get their verdicts. */
#include "render/number/splitmix.h"
#include "render/palette.h"
#include "render/verify/verify.h"
#include "tests/deep/truth.h"

#include "tests/shared/check.h"

#define PAIR_BITS 106

struct place {
    const char *re, *im, *zoom;
    uint32_t limit;
    const char *julia_re, *julia_im; /* NULL: a set over c */
    int points, pairs;               /* number of points, and the least number that pairs count */
};

static const struct place places[] = {
    {"-0.5", "0", "1", 2000, NULL, NULL, 300, 300},
    {"-0.743643887037151", "0.131825904205330", "5e5", 20000, NULL, NULL, 100, 95},
    {"-1.401155189093314712", "0.0000001", "1e6", 30000, NULL, NULL, 60, 50},
    {"-1.7548776662466927600495", "0.0001", "3e3", 5000, NULL, NULL, 100, 95},
    {"-1.7548776662466927600495", "1e-14", "1e13", 3000, NULL, NULL, 60, 50},
    {"-1.999999999138270118", "0", "1e9", 5000, NULL, NULL, 60, 40},
    {"0.25000001", "0.00000001", "1e7", 60000, NULL, NULL, 40, 35},
    {"0.1", "0.2", "1.5", 3000, "-0.8", "0.156", 200, 190},
    {"0.123", "0.0456", "1e5", 20000, "-0.7436", "0.1318", 60, 50},
    {"0.1000001", "0.2000001", "1e15", 20000, "-0.8", "0.156", 60, 50},
    {"0", "0", "1e20", 20000, "-0.7436438870371587", "0.13182590420531197", 60, 50},
};

/* Compares points, every third of them moved, by both methods. */
static void check_request(const struct frame_req *req, int count, int pairs_least,
                          const char *name) {
    const atomic_bool stop = false;
    struct exact_point points[300] = {{0}};
    uint64_t state = 5;
    int pairs = 0;
    for (int i = 0; i < count; i++) {
        points[i].x_px = (int)(splitmix_next(&state) % (uint64_t)req->width_px);
        points[i].y_px = (int)(splitmix_next(&state) % (uint64_t)req->height_px);
        points[i].moved = i % 3 == 0;
    }
    struct counter *counter = counter_create(req);
    CHECK(counter && counter_count(counter, points, (size_t)count, 2, false, NULL, NULL));
    counter_destroy(counter);
    for (int i = 0; i < count; i++) {
        struct exact_point exact = points[i];
        exact_count(req, &exact, &stop);
        pairs += points[i].bits == PAIR_BITS || points[i].bits == 0; /* 0: known at once */
        if (exact.state != points[i].state || exact.count != points[i].count)
            printf("%s: point %d %d has %d %u, not %d %u\n", name, exact.x_px, exact.y_px,
                   points[i].state, points[i].count, exact.state, exact.count);
        CHECK(exact.state == points[i].state && exact.count == points[i].count);
    }
    if (pairs < pairs_least)
        printf("%s: pairs count %d of %d points\n", name, pairs, count);
    CHECK(pairs >= pairs_least);
}

static void request(struct frame_req *req, const struct place *place) {
    const char *why;
    frame_req_init(req, 160, 120);
    CHECK(view_set_zoom(&req->view, place->zoom, &why));
    CHECK(view_set_centre(&req->view, place->re, place->im, 0, &why));
    CHECK(view_set_angle_degrees(&req->view, 20, &why));
    req->limit = place->limit;
    req->fractal.julia = place->julia_re != NULL;
    if (place->julia_re) {
        mpfr_set_str(req->fractal.re, place->julia_re, 10, MPFR_RNDN);
        mpfr_set_str(req->fractal.im, place->julia_im, 10, MPFR_RNDN);
    }
}

static void check_pairs(void) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct frame_req req;
        char name[80];
        request(&req, &places[i]);
        snprintf(name, sizeof name, "place %zu at %s", i, places[i].zoom);
        check_request(&req, places[i].points, places[i].pairs, name);
        frame_req_finish(&req);
    }
}

/* Checks deep places: pairs count nearly all points there, too. */
static void check_deep(void) {
    static const struct {
        const char *name;
        int points, pairs;
    } deep[] = {
        {"1e14", 40, 40}, {"5e113", 10, 10}, {"1e50", 4, 4}, {"4e533", 2, 2}, {"1e1086", 2, 2}};
    static struct truth truth;
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        CHECK(truth_load(&truth, deep[i].name, 0));
        check_request(&truth.req, deep[i].points, deep[i].pairs, deep[i].name);
        frame_req_finish(&truth.req);
    }
}

/* Checks points near the nucleus of period 3, up to a limit that no method could reach by
 * iterating: a disc proves that they never escape. */
static void check_interior(void) {
    static const struct place inside[] = {
        {"-1.7548776662466927600495", "0.00001", "2e3", FRAME_LIMIT_MAX, NULL, NULL, 0, 0},
        {"-1.7548776662466927600495", "1e-14", "1e13", FRAME_LIMIT_MAX, NULL, NULL, 0, 0},
        {"0.1", "0.01", "4", FRAME_LIMIT_MAX, "-0.12", "0.74", 0, 0},
    };
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        struct exact_point points[20] = {{0}};
        struct frame_req req;
        request(&req, &inside[i]);
        for (int k = 0; k < 20; k++)
            points[k] = (struct exact_point){.x_px = 60 + 2 * k, .y_px = 50 + k};
        struct counter *counter = counter_create(&req);
        CHECK(counter && counter_count(counter, points, 20, 2, false, NULL, NULL));
        counter_destroy(counter);
        for (int k = 0; k < 20; k++)
            CHECK(points[k].state == EXACT_INTERIOR && points[k].count == FRAME_LIMIT_MAX);
        frame_req_finish(&req);
    }
}

/* Verifies a picture of exact counts, of which every n-th is changed. */
static enum verify_verdict verdict_on(int n, size_t points, struct verify_result *result) {
    const atomic_bool stop = false;
    static uint32_t counts[160 * 120];
    struct frame_req req;
    request(&req, &(struct place){"-0.74", "0.13", "50", 200, NULL, NULL, 0, 0});
    for (int i = 0; i < 160 * 120; i++) {
        struct exact_point point = {.x_px = i % 160, .y_px = i / 160};
        exact_count(&req, &point, &stop);
        counts[i] = point.count | (point.state == EXACT_INTERIOR ? SAMPLE_INTERIOR : 0);
        counts[i] += n > 0 && i % n == 0;
    }
    struct verify *verify = verify_create(&req, points, 3);
    CHECK(verify != NULL);
    for (int y = 0; y < 120; y += 30) /* in parts, twice */
        verify_take_rows(verify, counts + 160 * y, 30);
    for (int y = 0; y < 120; y += 60)
        verify_take_rows(verify, counts + 160 * y, 60);
    CHECK(verify_run(verify, 2, false, NULL, NULL));
    *result = *verify_result(verify);
    verify_destroy(verify);
    frame_req_finish(&req);
    return result->verdict;
}

static void check_verdicts(void) {
    struct verify_result result;
    CHECK(verdict_on(0, 0, &result) == VERIFY_RIGHT);
    CHECK(result.points == VERIFY_POINTS && result.wrong == 0 && result.low == 0);
    CHECK(result.high < VERIFY_WRONG_MOST && result.high > 0.0049);
    CHECK(verdict_on(20, 0, &result) == VERIFY_IS_WRONG); /* 5 % */
    CHECK(result.points <= VERIFY_POINTS && result.low > VERIFY_WRONG_MOST && result.high < 0.5);
    CHECK(verdict_on(2, 0, &result) == VERIFY_IS_WRONG);
    CHECK(result.points == 20 && result.wrong > 5 && result.largest == 1);
    CHECK(verdict_on(1000, 0, &result) == VERIFY_RIGHT); /* 0.1 % */
    CHECK(verdict_on(0, 50, &result) == VERIFY_RIGHT && result.points == 50);
    CHECK(verdict_on(100, 160 * 120, &result) == VERIFY_IS_WRONG); /* all points */
    CHECK(result.points == 160 * 120 && result.wrong == 192 && result.low == result.high);
}

int main(void) {
    CHECK(palette_ready());
    check_pairs();
    check_deep();
    check_interior();
    check_verdicts();
    return failures > 0;
}
