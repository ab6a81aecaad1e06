/* From missing pixels to lists of points, and from their samples back to pixels. */
#include "cpu/escape/draw.h"
#include "render/base/clock.h"
#include <string.h>

/* --- colours --- */

#define SOME 64 /* pixels at a time */

void draw_colours(struct job *job, const struct colouring *colouring, struct rect r, int stride) {
    const size_t width = (size_t)job->req.width_px;
    uint32_t rgba[SOME];
    for (int y = (r.y0 + stride - 1) / stride * stride; y < r.y1; y += stride)
        for (size_t x = (size_t)r.x0; x < (size_t)r.x1; x += SOME) {
            const size_t at = (size_t)y * width + x, left = (size_t)r.x1 - x;
            const size_t size = left < SOME ? left : SOME;
            job->colour(colouring, job->req.limit, job->planes.count + at,
                        job->planes.fraction + at, size, rgba);
            for (size_t i = 0; i < size; i++)
                atomic_store_explicit(&job->rgba[at + i], rgba[i], memory_order_relaxed);
        }
}

/* --- points --- */

bool draw_has(const struct job *job, int x, int y) {
    return job->planes.count[(size_t)y * (size_t)job->req.width_px + (size_t)x] != SAMPLE_MISSING;
}

/* Adds pixels of a row to the points, for which there is room: `size` of them from x on. */
static void gather(const struct job *job, struct job_scratch *s, int x, int y, size_t size,
                   int stride) {
    const struct coords *coords = &job->coords;
    const uint32_t width = (uint32_t)job->req.width_px, row = (uint32_t)y;
    const size_t first = s->size;
    for (size_t i = 0; i < size; i++)
        s->at[first + i] = row * width + (uint32_t)x + (uint32_t)i * (uint32_t)stride;
    for (size_t i = first; i < first + size; i++) {
        const uint32_t column = s->at[i] - row * width;
        if (job->req.type == TYPE_FLOAT)
            coords_point_float(coords->f32, coords->upright, width, column, row, &s->cr.f32[i],
                               &s->ci.f32[i]);
        else
            coords_point_double(coords->f64, coords->upright, width, column, row, &s->cr.f64[i],
                                &s->ci.f64[i]);
    }
    s->size += size;
}

/* --- through the kernel --- */

/* Steps executed are those counted, but for what was done before and what was skipped. */
static void account(struct job *job, const struct job_scratch *s, uint32_t done,
                    const struct tile_samples *samples) {
    unsigned long long steps = 0;
    for (size_t i = 0; i < s->size; i++)
        steps += (samples->planes.count[i] & SAMPLE_COUNT_MASK) - done;
    atomic_fetch_add_explicit(&job->iterations, steps - samples->skipped, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->skipped, samples->skipped, memory_order_relaxed);
}

/* Keeps the orbits that may go on; all other interior points are known never to escape. */
static void keep_unfinished(const struct job *job, struct job_scratch *s,
                            struct unfinished *unfinished, uint32_t limit,
                            const struct tile_samples *samples) {
    uint32_t *count = samples->planes.count;
    for (size_t i = 0; i < s->size; i++)
        count[i] = count[i] & SAMPLE_INTERIOR ? SAMPLE_NEVER : count[i];
    for (size_t i = 0; i < samples->undecided_size; i++) {
        const size_t id = s->undecided[i];
        const struct unfinished_orbit orbit = {.at = s->at[id], .done = limit};
        const void *state = s->undecided_states + i * unfinished->state_size;
        /* Without its orbit it is as if nothing had been done, unless that was all. */
        count[id] = SAMPLE_INTERIOR | limit;
        if (limit > 0 && !unfinished_add(unfinished, orbit, state) && limit < job->req.limit)
            count[id] = SAMPLE_MISSING;
    }
}

/* Copies samples to where their pixels are, neighbours at once. */
static void scatter(const struct job *job, const struct job_scratch *s) {
    size_t size;
    for (size_t first = 0; first < s->size; first += size) {
        for (size = 1; first + size < s->size && s->at[first + size] == s->at[first] + size;)
            size++;
        for (int p = 0; p < SAMPLE_PLANES; p++)
            if (job->planes.plane[p])
                memcpy((uint32_t *)job->planes.plane[p] + s->at[first], s->plane[p] + first,
                       size * SAMPLE_PLANE_BYTES);
    }
}

static void put_samples(struct job *job, struct job_scratch *s, uint32_t limit,
                        const struct tile_samples *samples) {
    const uint32_t *count = samples->planes.count;
    size_t drawn = 0, proved = 0;
    scatter(job, s);
    for (size_t i = 0; i < s->size; i++) {
        const uint32_t final = SAMPLE_FINAL(count[i], job->req.limit);
        drawn += final;
        proved += final & count[i] >> 31;
    }
    atomic_fetch_add_explicit(&job->samples, drawn, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->skipped, (unsigned long long)proved * (job->req.limit - limit),
                              memory_order_relaxed);
}

/* Draws the gathered points up to a limit. `done`: the steps that all of them have done, to the
 * states of the scratch. `unfinished` may be NULL: nothing will go on with them. */
static bool draw_points(struct job *job, struct job_scratch *s, uint32_t done, uint32_t limit,
                        struct unfinished *unfinished) {
    const struct tile_points points = {
        .cr = &s->cr,
        .ci = &s->ci,
        .size = s->size,
        .arithmetic = job->req.arithmetic,
        .shortcuts = job->req.shortcuts,
        .limit = limit,
        .done = done,
        .states = done > 0 ? s->states : NULL,
        .stop = &job->base.stop,
        .scratch = &s->tile,
    };
    struct tile_samples samples = {.undecided = unfinished ? s->undecided : NULL,
                                   .states = s->undecided_states};
    for (int p = 0; p < SAMPLE_PLANES; p++)
        samples.planes.plane[p] = job->planes.plane[p] ? s->plane[p] : NULL;
    if (s->size == 0)
        return !atomic_load_explicit(&job->base.stop, memory_order_relaxed);
    const double start = clock_ms();
    const bool complete = job->tile(&points, &samples);
    atomic_fetch_add_explicit(&job->kernel_ns, (uint64_t)((clock_ms() - start) * 1e6),
                              memory_order_relaxed);
    if (complete) {
        account(job, s, done, &samples);
        if (unfinished)
            keep_unfinished(job, s, unfinished, limit, &samples);
        put_samples(job, s, limit, &samples);
    }
    s->size = 0;
    return complete;
}

/* --- passes --- */

static int round_up(int x, int stride) {
    return (x + stride - 1) / stride * stride;
}

/* How many pixels from x on, up to x1, have no sample, or else how many have one. */
static size_t run_length(const struct job *job, int x, int x1, int y, int stride, bool *missing) {
    const uint32_t *row = job->planes.count + (size_t)y * (size_t)job->req.width_px;
    size_t size = 0;
    *missing = row[x] == SAMPLE_MISSING;
    for (; x < x1 && (row[x] == SAMPLE_MISSING) == *missing; x += stride)
        size++;
    return size;
}

static bool draw_missing(struct job *job, struct job_scratch *s, struct rect r,
                         const struct job_pass *pass, struct unfinished *unfinished) {
    const int stride = pass->stride;
    for (int y = round_up(r.y0, stride); y < r.y1; y += stride)
        for (int x = round_up(r.x0, stride); x < r.x1;) {
            bool missing;
            size_t size = run_length(job, x, r.x1, y, stride, &missing);
            const size_t room = TILE_POINTS_MAX - s->size;
            size = missing && size > room ? room : size;
            if (missing)
                gather(job, s, x, y, size, stride);
            x += (int)size * stride;
            if (s->size == TILE_POINTS_MAX && !draw_points(job, s, 0, pass->limit, unfinished))
                return false;
        }
    return draw_points(job, s, 0, pass->limit, unfinished);
}

/* Goes on with orbits that have done `done` steps, taken from `source`; stopped, they are put back.
 * Those that stay undecided go to `unfinished`, if it is not NULL. */
static bool draw_taken(struct job *job, struct job_scratch *s, size_t size, uint32_t done,
                       uint32_t limit, struct unfinished *source, struct unfinished *unfinished) {
    for (size_t i = 0; i < size; i++) {
        const uint32_t width = (uint32_t)job->req.width_px, at = s->taken[i];
        gather(job, s, (int)(at % width), (int)(at / width), 1, 1);
    }
    if (draw_points(job, s, done, limit, unfinished))
        return true;
    for (size_t i = 0; i < size; i++) {
        const struct unfinished_orbit orbit = {.at = s->taken[i], .done = done};
        if (!unfinished_add(source, orbit, s->states + i * source->state_size))
            job->planes.count[orbit.at] = SAMPLE_MISSING;
    }
    return false;
}

static bool draw_unfinished(struct job *job, struct job_scratch *s, uint32_t limit,
                            struct unfinished *source, struct unfinished *unfinished) {
    uint32_t done;
    while ((done = unfinished_least(source, limit)) < limit) {
        const size_t size = unfinished_take(source, done, s->taken, s->states, TILE_POINTS_MAX);
        if (!draw_taken(job, s, size, done, limit, source, unfinished))
            return false;
    }
    return true;
}

bool draw_pass(struct job *job, struct job_scratch *s, uint32_t tile, const struct job_pass *pass) {
    const bool keeps = job->req.reuse || pass->limit < job->req.limit;
    struct unfinished *source = &job->unfinished[tile], *unfinished = keeps ? source : NULL;
    return draw_unfinished(job, s, pass->limit, source, unfinished) &&
           draw_missing(job, s, job_tile_rect(job, tile), pass, unfinished);
}

/* --- for methods that guess --- */

bool draw_add(struct job *job, struct job_scratch *s, int x, int y) {
    uint64_t *queued = &s->queued[y % JOB_TILE_PX];
    const uint64_t bit = UINT64_C(1) << (x % JOB_TILE_PX);
    if (draw_has(job, x, y) || *queued & bit)
        return true;
    *queued |= bit;
    gather(job, s, x, y, 1, 1);
    return s->size < TILE_POINTS_MAX || draw_flush(job, s);
}

bool draw_flush(struct job *job, struct job_scratch *s) {
    return draw_points(job, s, 0, job->req.limit, NULL);
}

void draw_fill(struct job *job, int x, int y) {
    const size_t at = (size_t)y * (size_t)job->req.width_px + (size_t)x;
    if (draw_has(job, x, y))
        return;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (job->planes.plane[p])
            ((uint32_t *)job->planes.plane[p])[at] = 0;
    job->planes.count[at] = SAMPLE_INTERIOR | job->req.limit;
    atomic_fetch_add_explicit(&job->samples, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->skipped, job->req.limit, memory_order_relaxed);
}
