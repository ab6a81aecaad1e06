/* Verification: the choice of points, the comparison, and the statistics. */
#include "render/verify/verify.h"
#include "render/base/memory.h"
#include "render/number/splitmix.h"
#include <math.h>
#include <stdlib.h>

#define DOUBT       0.05 /* of each bound */
#define DOUBT_WRONG 0.01 /* of a verdict before the last point */
#define BITS_MOST   1000000
#define SURELY_BITS 8 /* log2 of a distance that surely changes a count */

/* A pixel, its place in the order of comparison, and its count as struct sample_planes has it. */
struct pixel {
    uint64_t at; /* in reading order */
    size_t number;
    uint32_t drawn;
};

struct verify {
    struct frame_req req;
    struct counter *counter;
    size_t count;
    bool whole;                 /* the points are all pixels of the picture */
    bool fixed;                 /* the caller has chosen the number of points */
    struct pixel *pixels;       /* in reading order */
    struct exact_point *points; /* in the order of comparison */
    struct exact_point *moved;  /* of the points at hand: those that are not surely fragile */
    bool *fragile;              /* in the order of comparison */
    uint32_t *drawn;            /* in that order */
    size_t taken;               /* pixels read so far */
    uint64_t rows;              /* rows read so far */
    struct verify_result result;
    size_t at_hand; /* points since the last look */
    bool moving;    /* the moved points are being counted */
    bool (*step)(void *user, const struct verify_result *so_far, size_t done);
    void *user;
    bool (*fetch)(void *user, const struct exact_point *points, size_t count, uint32_t *drawn);
    void *fetch_user;
};

/* --- choice of points --- */

static int by_place(const void *a, const void *b) {
    const struct pixel *left = a, *right = b;
    return (left->at > right->at) - (left->at < right->at);
}

/* Chooses all pixels in random order, or random ones. */
static void choose_points(struct verify *verify, uint64_t pixels, uint64_t seed) {
    for (size_t i = 0; i < verify->count; i++) {
        struct pixel *pixel = &verify->pixels[i];
        *pixel = (struct pixel){.at = verify->whole ? i : splitmix_next(&seed) % pixels};
        pixel->number = i;
        if (verify->whole) { /* a shuffle */
            struct pixel *other = &verify->pixels[splitmix_next(&seed) % (i + 1)];
            pixel->number = other->number;
            other->number = i;
        }
    }
    qsort(verify->pixels, verify->count, sizeof *verify->pixels, by_place);
    const uint64_t width = (uint64_t)verify->req.width_px;
    for (size_t i = 0; i < verify->count; i++) {
        const struct pixel *pixel = &verify->pixels[i];
        verify->points[pixel->number] = (struct exact_point){.x_px = (int)(pixel->at % width),
                                                             .y_px = (int)(pixel->at / width)};
    }
}

struct verify *verify_create(const struct frame_req *req, size_t points, uint64_t seed) {
    const uint64_t pixels = (uint64_t)req->width_px * (uint64_t)req->height_px;
    struct verify *verify = memory_alloc(sizeof *verify, "the points");
    if (!verify)
        return NULL;
    *verify = (struct verify){.fixed = points > 0};
    const size_t most = points > 0 ? points : VERIFY_POINTS_MOST;
    verify->whole = pixels <= most;
    verify->count = verify->whole ? (size_t)pixels : most;
    frame_req_init_copy(&verify->req, req);
    verify->pixels = memory_alloc(verify->count * sizeof *verify->pixels, "the points");
    verify->points = memory_alloc(verify->count * sizeof *verify->points, "the points");
    verify->moved = memory_alloc(verify->count * sizeof *verify->moved, "the points");
    verify->fragile = memory_alloc(verify->count * sizeof *verify->fragile, "the points");
    verify->drawn = memory_alloc(verify->count * sizeof *verify->drawn, "the points");
    verify->counter = counter_create(req);
    if (verify->pixels && verify->points && verify->moved && verify->fragile && verify->drawn &&
        verify->counter) {
        choose_points(verify, pixels, seed);
        return verify;
    }
    verify_destroy(verify);
    return NULL;
}

void verify_destroy(struct verify *verify) {
    if (!verify)
        return;
    counter_destroy(verify->counter);
    frame_req_finish(&verify->req);
    free(verify->pixels);
    free(verify->points);
    free(verify->moved);
    free(verify->fragile);
    free(verify->drawn);
    free(verify);
}

void verify_take_rows(struct verify *verify, const uint32_t *counts, int rows) {
    const uint64_t width = (uint64_t)verify->req.width_px, first = verify->rows * width;
    verify->rows += (uint64_t)rows;
    for (; verify->taken < verify->count; verify->taken++) {
        const struct pixel *pixel = &verify->pixels[verify->taken];
        if (pixel->at >= verify->rows * width)
            break;
        verify->drawn[pixel->number] = counts[pixel->at - first];
    }
    if (verify->rows == (uint64_t)verify->req.height_px)
        verify->rows = verify->taken = 0;
}

void verify_set_source(struct verify *verify,
                       bool (*fetch)(void *user, const struct exact_point *points, size_t count,
                                     uint32_t *drawn),
                       void *user) {
    verify->fetch = fetch;
    verify->fetch_user = user;
}

/* --- statistics --- */

/* Returns the probability of at most k wrong points of n, if the wrong share is p. */
static double at_most(size_t k, size_t n, double p) {
    if (p <= 0 || k >= n)
        return 1;
    double sum = 0;
    for (size_t i = 0; i <= k; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
                   (double)i * log(p) + (double)(n - i) * log1p(-p));
    return fmin(sum, 1);
}

/* Returns the share p at which at_most falls to `level`. */
static double share_where(size_t k, size_t n, double level) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (at_most(k, n, middle) > level)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Returns the least number of bits with which at most VERIFY_WRONG_MOST of the escaping points of
 * `count` are expected to be wrong: an orbit that has enlarged roundings of N bits to e is wrong
 * with a probability of 2 e. Roundings of n steps add up to the root of n of them, and a bound is
 * larger; around a reference they are relative to the distance, and all steps count. The 6 is
 * measured: with it, the expected shares in doubles are those that are found. */
static int bits_for(const struct verify *verify, size_t count) {
    const bool perturbed = verify->req.route == ROUTE_PERTURBED;
    if (fractal_is_map(&verify->req.fractal))
        return 0;
    int width, height;
    frame_req_whole(&verify->req, &width, &height);
    const double radius =
        view_step_log2(&verify->req.view, height) + log2(hypot(width, height) / 2);
    const double root = perturbed ? 0.5 : -0.5, more = 1 - 6 + (perturbed ? radius : 0);
    int low = 0, high = BITS_MOST;
    while (low < high) {
        const int bits = (low + high) / 2;
        double wrong = 0, escaped = 0;
        for (size_t i = 0; i < count; i++) {
            const struct exact_point *point = &verify->points[i];
            if (point->state != EXACT_ESCAPED)
                continue;
            wrong +=
                fmin(1, exp2(point->growth_log2 + root * log2(point->count + 1.0) + more - bits));
            escaped++;
        }
        if (wrong <= VERIFY_WRONG_MOST * escaped)
            high = bits;
        else
            low = bits + 1;
    }
    return low;
}

static void compare(struct verify_result *result, const struct exact_point *point, bool fragile,
                    uint32_t drawn) {
    const bool interior = drawn & SAMPLE_INTERIOR, truly = point->state == EXACT_INTERIOR;
    const uint32_t count = drawn & SAMPLE_COUNT_MASK;
    const uint32_t difference = count > point->count ? count - point->count : point->count - count;
    const bool wrong = interior != truly || difference > 0;
    result->points++;
    result->wrong += wrong;
    result->fragile += fragile;
    result->fragile_wrong += wrong && fragile;
    result->interior_drawn += interior && !truly;
    result->interior_exact += truly && !interior;
    result->largest = difference > result->largest ? difference : result->largest;
    result->most_bits = point->bits > result->most_bits ? point->bits : result->most_bits;
}

/* Computes the numbers of the first `count` points, and the verdict if there can be one. */
static void judge(struct verify *verify, size_t count) {
    struct verify_result *result = &verify->result;
    *result = (struct verify_result){.bits = bits_for(verify, count)};
    for (size_t i = 0; i < count; i++)
        compare(result, &verify->points[i], verify->fragile[i], verify->drawn[i]);
    const size_t k = result->wrong;
    const bool all = verify->whole && count == verify->count;
    const double share = (double)k / (double)count;
    result->low = all ? share : k > 0 ? share_where(k - 1, count, 1 - DOUBT) : 0;
    result->high = all ? share : share_where(k, count, DOUBT);
    if (count == verify->count)
        result->verdict = share > VERIFY_WRONG_MOST ? VERIFY_IS_WRONG : VERIFY_RIGHT;
    else if (count >= VERIFY_POINTS && at_most(k, count, VERIFY_WRONG_MOST) <= DOUBT)
        result->verdict = VERIFY_RIGHT;
    else if (k > 0 && 1 - at_most(k - 1, count, VERIFY_WRONG_MOST) < DOUBT_WRONG)
        result->verdict = VERIFY_IS_WRONG;
}

/* --- comparison --- */

/* Numbers of points at which the numbers are looked at; then they double. */
static const size_t looks[] = {20, 100, VERIFY_POINTS};
#define LOOKS (sizeof looks / sizeof *looks)

static bool step(void *user, size_t done) {
    struct verify *verify = user;
    /* The moved points are done as the points are, and count as the second half of each. */
    const size_t points = verify->moving ? verify->at_hand : 0;
    return !verify->step ||
           verify->step(verify->user, &verify->result, verify->result.points + (points + done) / 2);
}

/* Returns true if the orbit has enlarged the move of a point far beyond the escape radius. */
static bool surely_fragile(const struct verify *verify, const struct exact_point *point) {
    int width, height;
    frame_req_whole(&verify->req, &width, &height);
    return point->growth_log2 + view_step_log2(&verify->req.view, height) >
           EXACT_MOVED_BITS + SURELY_BITS;
}

/* Counts the points from `done` to `until`, and finds out which are fragile. */
static bool count_points(struct verify *verify, size_t done, size_t until, int threads, bool idle) {
    size_t moved = 0;
    verify->at_hand = until - done;
    verify->moving = false;
    if (!counter_count(verify->counter, verify->points + done, until - done, threads, idle, step,
                       verify))
        return false;
    for (size_t i = done; i < until; i++) {
        verify->fragile[i] = surely_fragile(verify, &verify->points[i]);
        verify->moved[moved] = verify->points[i];
        verify->moved[moved].moved = true;
        moved += !verify->fragile[i];
    }
    verify->moving = true;
    if (!counter_count(verify->counter, verify->moved, moved, threads, idle, step, verify))
        return false;
    moved = 0;
    for (size_t i = done; i < until; i++) {
        const struct exact_point *to = &verify->moved[moved], *from = &verify->points[i];
        if (verify->fragile[i])
            continue;
        verify->fragile[i] = to->state != from->state || to->count != from->count;
        moved++;
    }
    return true;
}

bool verify_run(struct verify *verify, int threads, bool idle,
                bool (*on_step)(void *user, const struct verify_result *so_far, size_t done),
                void *user) {
    verify->step = on_step;
    verify->user = user;
    verify->result = (struct verify_result){.verdict = VERIFY_OPEN};
    for (size_t done = 0; verify->result.verdict == VERIFY_OPEN;) {
        size_t look = 0, until = 2 * done;
        while (look < LOOKS && looks[look] <= done)
            look++;
        until = verify->fixed ? verify->count : look < LOOKS ? looks[look] : until;
        until = until < verify->count ? until : verify->count;
        if ((verify->fetch && !verify->fetch(verify->fetch_user, verify->points + done,
                                             until - done, verify->drawn + done)) ||
            !count_points(verify, done, until, threads, idle))
            return false;
        done = until;
        judge(verify, done);
    }
    return true;
}

const struct verify_result *verify_result(const struct verify *verify) {
    return &verify->result;
}
