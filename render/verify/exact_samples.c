/* Exact samples: the doubtful points of a picture, their iteration in batches, and the corrections.
 */
#include "render/verify/exact_samples.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/deep/perturbation.h"
#include "render/light/light.h"
#include "render/number/doubt.h"
#include "render/number/splitmix.h"
#include "render/verify/counter.h"
#include <math.h>
#include <stdlib.h>

#define LOOKED_AT   128  /* pixels that are estimated between two steps */
#define FIRST       4    /* points of the first batch for each thread, whose time is measured */
#define BATCH       4096 /* points of the other batches */
#define SHARE_FOUND 0.1  /* of a part's progress, when its doubtful points are known */
#define LONG_MS     10000.0
#define PAIR_BITS   106 /* of points that are counted in pairs of doubles */
#define MORE_BITS   112 /* beyond the bits that an orbit loses: what is left, and some of chance */
#define NEAR        0x1p-8f /* difference of fractions that an estimate would let pass */

struct exact_samples {
    struct frame_req req;
    struct counter *counter;
    const struct orbit_engine *engine;
    struct references *references;
    struct perturbation *around; /* reference of the estimates; NULL: none yet, or never */
    struct doubtful *doubtful;   /* NULL: all points are doubtful */
    bool prepared;
    uint32_t pixel_samples;
    int threads;
    bool idle;
    long bits; /* with which points begin */
    struct exact_samples_result result;

    /* The part at hand: */
    struct exact_point *points;
    size_t count, done;
    exact_samples_step *step;
    void *user;
};

void exact_samples_place(struct frame_req *req) {
    req->route = ROUTE_PERTURBED;
    req->type = TYPE_WIDE;
}

struct exact_samples *exact_samples_create(const struct frame_req *req, uint32_t pixel_samples,
                                           const struct orbit_engine *engine, int threads,
                                           bool idle) {
    if (fractal_is_map(&req->fractal)) {
        log_error("exact arithmetic draws powers of z, not %s: leave 'exact' out",
                  formula_names[req->fractal.formula]);
        return NULL;
    }
    struct exact_samples *samples = memory_alloc(sizeof *samples, "exact samples");
    if (!samples)
        return NULL;
    *samples = (struct exact_samples){
        .pixel_samples = pixel_samples, .engine = engine, .threads = threads, .idle = idle};
    frame_req_init_copy(&samples->req, req);
    exact_samples_place(&samples->req);
    samples->counter = counter_create(&samples->req);
    samples->req.route = req->route;
    samples->req.type = req->type;
    samples->references = references_create((unsigned)threads);
    if (samples->counter && samples->references)
        return samples;
    exact_samples_destroy(samples);
    return NULL;
}

void exact_samples_destroy(struct exact_samples *samples) {
    if (!samples)
        return;
    doubtful_destroy(samples->doubtful);
    perturbation_unref(samples->around);
    references_destroy(samples->references);
    counter_destroy(samples->counter);
    frame_req_finish(&samples->req);
    free(samples);
}

const struct exact_samples_result *exact_samples_result(const struct exact_samples *samples) {
    return &samples->result;
}

static bool go_on(const struct exact_samples *samples, double done) {
    return !samples->step || samples->step(samples->user, done);
}

/* --- doubtful points --- */

/* Finds the reference of the estimates and prepares them, if the formula has some. Pictures in
 * doubles have the errors of their own route, others those of doubles that round the least. */
static bool prepare(struct exact_samples *samples) {
    struct frame_req *req = &samples->req;
    enum references_state state = REFERENCES_MAKING;
    double progress;
    if (req->type == TYPE_FLOAT || !fractal_has_perturbed(&req->fractal))
        return true;
    perturbation_unref(req->screen); /* doubles need no screen */
    req->screen = NULL;
    if (req->type == TYPE_WIDE) {
        req->route = ROUTE_PERTURBED;
        req->type = TYPE_DOUBLE;
        req->tailless = true;
    }
    if (frame_req_problem(req))
        return true;
    while (state == REFERENCES_MAKING && go_on(samples, 0))
        state = references_get(samples->references, req, samples->engine, 50, &samples->around,
                               &progress);
    if (state != REFERENCES_READY)
        return false;
    samples->doubtful = doubtful_create(samples->around, req);
    return true;
}

static void add_point(struct exact_samples *samples, const struct frame_req *part, size_t at,
                      uint32_t drawn) {
    const size_t width = (size_t)part->width_px;
    if (drawn & SAMPLE_INTERIOR && part->limit > EXACT_INTERIOR_LIMIT)
        return;
    samples->points[samples->count++] = (struct exact_point){
        .x_px = part->part_x_px + (int)(at % width), .y_px = part->part_y_px + (int)(at / width)};
}

/* Lists the doubtful points of a part. Returns false if stopped. */
static bool find_points(struct exact_samples *samples, const struct frame_req *part,
                        const uint32_t *counts, size_t pixels) {
    bool found[LOOKED_AT];
    atomic_bool stop = false;
    bool on = true;
    interrupt_set_flag(samples->idle ? NULL : &stop);
    for (size_t first = 0; on && first < pixels; first += LOOKED_AT) {
        const size_t count = pixels - first < LOOKED_AT ? pixels - first : LOOKED_AT;
        if (samples->doubtful)
            doubtful_find(samples->doubtful, part, counts, first, count, found, &stop);
        for (size_t i = 0; i < count; i++)
            if (!samples->doubtful || found[i])
                add_point(samples, part, first + i, counts[first + i]);
        on = go_on(samples, SHARE_FOUND * (double)(first + count) / (double)pixels);
    }
    interrupt_set_flag(NULL);
    return on && !atomic_load(&stop);
}

/* --- exact points --- */

static bool step_count(void *user, size_t done) {
    const struct exact_samples *samples = user;
    const double share = (double)(samples->done + done) / (double)samples->count;
    return go_on(samples, SHARE_FOUND + (1 - SHARE_FOUND) * share);
}

/* Puts the points in random order, so that each batch takes about as long per point. */
static void shuffle(struct exact_samples *samples) {
    uint64_t state = 0;
    for (size_t i = samples->count; i > 1; i--) {
        const size_t other = splitmix_next(&state) % i;
        const struct exact_point point = samples->points[i - 1];
        samples->points[i - 1] = samples->points[other];
        samples->points[other] = point;
    }
}

/* Learns from a batch: the bits that its points need on average, and its time. */
static void learn(struct exact_samples *samples, size_t batch, double ms, double parts) {
    struct exact_samples_result *result = &samples->result;
    double sum = 0, counted = 1e-9;
    for (size_t i = samples->done - batch; i < samples->done; i++) {
        const struct exact_point *point = &samples->points[i];
        result->bits = point->bits > result->bits ? point->bits : result->bits;
        if (point->bits <= PAIR_BITS) /* these took no time */
            continue;
        sum += fmin(point->growth_log2 + MORE_BITS, (double)point->bits);
        counted++;
    }
    samples->bits = (long)(sum / counted);
    const double points = (double)samples->count * parts, rest_ms = ms / (double)batch * points;
    if (result->rest_ms == 0 && rest_ms > LONG_MS) {
        result->rest_ms = rest_ms;
        if (!samples->idle)
            log_warn("about %.0f points need exact arithmetic with up to %ld bits and more, which "
                     "takes about %.0f s",
                     points, result->bits, rest_ms / 1000);
    }
}

/* Counts the points of one of so many parts of the picture. */
static bool count_points(struct exact_samples *samples, double parts) {
    shuffle(samples);
    samples->bits = 0;
    for (samples->done = 0; samples->done < samples->count;) {
        const size_t left = samples->count - samples->done;
        const size_t most = samples->done == 0 ? (size_t)(FIRST * samples->threads) : BATCH;
        const size_t batch = left < most ? left : most;
        const double start = clock_ms();
        struct exact_point *points = samples->points + samples->done;
        for (size_t i = 0; i < batch; i++)
            points[i].least_bits = samples->bits;
        if (!counter_count(samples->counter, points, batch, samples->threads, samples->idle,
                           step_count, samples))
            return false;
        samples->done += batch;
        learn(samples, batch, clock_ms() - start, parts);
    }
    return true;
}

/* --- corrections --- */

/* Corrects sample i if it is wrong. Returns true if it was. */
static bool correct(const struct frame_req *part, const struct exact_point *point,
                    const struct target *target, size_t i) {
    const struct sample_planes *planes = &target->planes;
    const bool interior = point->state == EXACT_INTERIOR;
    const uint32_t count = interior ? part->limit | SAMPLE_INTERIOR : point->count;
    const bool same = planes->count[i] == count;
    const float apart = planes->fraction[i] - point->fraction;
    if (same && (interior || point->bits == 0 || (apart <= NEAR && -apart <= NEAR)))
        return false;
    for (int p = 0; p < SAMPLE_PLANES && !same; p++)
        if (planes->plane[p])
            ((uint32_t *)planes->plane[p])[i] = 0;
    planes->count[i] = count;
    planes->fraction[i] = interior ? 0 : point->fraction;
    if (planes->norm2)
        planes->norm2[i] = interior ? 0 : point->norm2;
    target->rgba[i] =
        light_sample(&part->colouring, part->colouring.table, target->planes.plane, i);
    return true;
}

bool exact_samples_correct(struct exact_samples *samples, const struct frame_req *part,
                           const struct target *target, exact_samples_step *step, void *user) {
    const size_t width = (size_t)part->width_px, pixels = width * (size_t)part->height_px;
    const double start = clock_ms();
    const double whole = (double)samples->req.width_px * samples->req.height_px;
    samples->step = step;
    samples->user = user;
    samples->count = samples->done = 0;
    samples->points = memory_alloc(pixels * sizeof *samples->points, "exact samples");
    samples->prepared = samples->prepared || (samples->points && prepare(samples));
    counter_set_offset(samples->counter, part->offset_x, part->offset_y);
    const bool ok = samples->points && samples->prepared &&
                    find_points(samples, part, target->planes.count, pixels) &&
                    count_points(samples, whole * samples->pixel_samples / (double)pixels);
    for (size_t i = 0; ok && i < samples->count; i++) {
        const struct exact_point *point = &samples->points[i];
        const size_t row = (size_t)(point->y_px - part->part_y_px);
        const size_t at = row * width + (size_t)(point->x_px - part->part_x_px);
        samples->result.changed += correct(part, point, target, at);
    }
    samples->result.points += ok ? samples->count : 0;
    samples->result.ms += clock_ms() - start;
    free(samples->points);
    return ok;
}
