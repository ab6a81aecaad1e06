/* From missing pixels to lists of points, and from their samples back to pixels. */
#include "cpu/escape/draw.h"
#include "render/base/clock.h"
#include <math.h>

/* In the count plane, where there is no sample; else 0. */
#define UNFINISHED 1u /* an orbit is in the tile's list */
#define QUEUED     2u /* among the points to be drawn next, for a method that guesses */

static inline void put(struct job *job, size_t at, uint32_t count, float fraction) {
    const struct colouring *colouring = &job->req.colouring;
    job->count[at] = count;
    job->fraction[at] = fraction;
    atomic_store_explicit(&job->rgba[at], colour_of(colouring, colouring->table, count, fraction),
                          memory_order_relaxed);
}

void draw_put(struct job *job, size_t at, uint32_t count, float fraction) {
    put(job, at, count, fraction);
}

void draw_unput(struct job *job, size_t at, bool unfinished) {
    job->count[at] = unfinished ? UNFINISHED : 0;
    job->fraction[at] = NAN;
    atomic_store_explicit(&job->rgba[at], 0, memory_order_relaxed);
}

bool draw_has(const struct job *job, int x, int y) {
    return !isnan(job->fraction[(size_t)y * (size_t)job->req.width_px + (size_t)x]);
}

static inline void gather(const struct job *job, struct job_scratch *s, int x, int y) {
    const struct coords *coords = &job->coords;
    const uint32_t width = (uint32_t)job->req.width_px, column = (uint32_t)x, row = (uint32_t)y;
    const size_t i = s->size++;
    s->at[i] = row * width + column;
    if (job->req.type == TYPE_FLOAT)
        coords_place_float(coords->f32, coords->upright, width, column, row, &s->cr.f32[i],
                           &s->ci.f32[i]);
    else
        coords_place_double(coords->f64, coords->upright, width, column, row, &s->cr.f64[i],
                            &s->ci.f64[i]);
}

/* --- through the kernel --- */

/* Steps executed are those counted, but for what was done before and what was skipped. */
static void account(struct job *job, const struct job_scratch *s, uint32_t done,
                    const struct tile_samples *samples) {
    unsigned long long steps = 0;
    for (size_t i = 0; i < s->size; i++)
        steps += (s->count[i] & SAMPLE_COUNT_MASK) - done;
    atomic_fetch_add_explicit(&job->iterations, steps - samples->skipped, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->skipped, samples->skipped, memory_order_relaxed);
}

/* Keeps the orbits that may go on. Where there is more to do in this request, their pixels have no
 * sample yet: their count becomes 0 in the scratch. */
static void keep_unfinished(struct job *job, struct job_scratch *s, struct unfinished *unfinished,
                            uint32_t limit, const struct tile_samples *samples) {
    const bool narrow = job->req.type == TYPE_FLOAT, last = limit == job->req.limit;
    for (size_t i = 0; i < samples->undecided_size; i++) {
        const size_t id = s->undecided[i];
        const struct unfinished_orbit orbit = {
            .at = s->at[id],
            .done = limit,
            .zr = narrow ? (double)s->undecided_zr.f32[i] : s->undecided_zr.f64[i],
            .zi = narrow ? (double)s->undecided_zi.f32[i] : s->undecided_zi.f64[i]};
        const bool kept = unfinished_add(unfinished, orbit);
        if (last)
            continue;
        s->count[id] = 0;
        job->count[orbit.at] = kept ? UNFINISHED : 0;
    }
}

static void put_samples(struct job *job, struct job_scratch *s, uint32_t limit) {
    const uint32_t interior = job->req.limit | SAMPLE_INTERIOR;
    unsigned long long drawn = 0, proved = 0;
    for (size_t i = 0; i < s->size; i++) {
        if (s->count[i] == 0 && job->req.limit > 0)
            continue;
        const bool inside = s->count[i] & SAMPLE_INTERIOR;
        put(job, s->at[i], inside ? interior : s->count[i], s->fraction[i]);
        proved += inside;
        drawn++;
    }
    atomic_fetch_add_explicit(&job->samples, drawn, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->skipped, proved * (job->req.limit - limit),
                              memory_order_relaxed);
}

/* Draws the gathered points up to a limit. `done`: the steps that all of them have done, in s->zr and
 * s->zi. `unfinished` may be NULL: nobody will go on with them. */
static bool draw_points(struct job *job, struct job_scratch *s, uint32_t done, uint32_t limit,
                        struct unfinished *unfinished) {
    const struct tile_points points = {
        .cr = &s->cr,
        .ci = &s->ci,
        .size = s->size,
        .formula = job->req.formula,
        .arithmetic = job->req.arithmetic,
        .shortcuts = job->req.shortcuts,
        .limit = limit,
        .done = done,
        .zr = done > 0 ? &s->zr : NULL,
        .zi = done > 0 ? &s->zi : NULL,
        .stop = &job->base.stop,
        .scratch = &s->tile,
    };
    struct tile_samples samples = {.count = s->count,
                                   .fraction = s->fraction,
                                   .undecided = unfinished ? s->undecided : NULL,
                                   .zr = &s->undecided_zr,
                                   .zi = &s->undecided_zi};
    if (s->size == 0)
        return !atomic_load_explicit(&job->base.stop, memory_order_relaxed);
    const double start = clock_ms();
    const bool complete = job->tile(&points, &samples);
    atomic_fetch_add_explicit(&job->kernel_ns, (uint64_t)((clock_ms() - start) * 1e6),
                              memory_order_relaxed);
    if (!complete) {
        s->size = 0;
        return false;
    }
    account(job, s, done, &samples);
    if (unfinished)
        keep_unfinished(job, s, unfinished, limit, &samples);
    put_samples(job, s, limit);
    s->size = 0;
    return true;
}

/* --- passes --- */

static int round_up(int x, int stride) {
    return (x + stride - 1) / stride * stride;
}

static bool draw_missing(struct job *job, struct job_scratch *s, struct rect r,
                         const struct job_pass *pass, struct unfinished *unfinished) {
    const size_t width = (size_t)job->req.width_px;
    for (int y = round_up(r.y0, pass->stride); y < r.y1; y += pass->stride)
        for (int x = round_up(r.x0, pass->stride); x < r.x1; x += pass->stride) {
            const size_t at = (size_t)y * width + (size_t)x;
            if (!isnan(job->fraction[at]) || job->count[at] == UNFINISHED)
                continue;
            gather(job, s, x, y);
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
        const uint32_t width = (uint32_t)job->req.width_px, at = s->taken[i].at;
        gather(job, s, (int)(at % width), (int)(at / width));
        if (job->req.type == TYPE_FLOAT) {
            s->zr.f32[i] = (float)s->taken[i].zr;
            s->zi.f32[i] = (float)s->taken[i].zi;
        } else {
            s->zr.f64[i] = s->taken[i].zr;
            s->zi.f64[i] = s->taken[i].zi;
        }
    }
    if (draw_points(job, s, done, limit, unfinished))
        return true;
    for (size_t i = 0; i < size; i++)
        if (!unfinished_add(source, s->taken[i]))
            job->count[s->taken[i].at] = 0;
    return false;
}

static bool draw_unfinished(struct job *job, struct job_scratch *s, uint32_t limit,
                            struct unfinished *source, struct unfinished *unfinished) {
    uint32_t done;
    while ((done = unfinished_least(source, limit)) < limit) {
        const size_t size = unfinished_take(source, done, s->taken, TILE_POINTS_MAX);
        if (!draw_taken(job, s, size, done, limit, source, unfinished))
            return false;
    }
    return true;
}

bool draw_pass(struct job *job, struct job_scratch *s, uint32_t tile, const struct job_pass *pass) {
    const bool keeps = job->req.reuse || pass->limit < job->req.limit;
    struct unfinished *source = &job->unfinished[tile], *unfinished = keeps ? source : NULL;
    source->incomplete = source->incomplete || !keeps;
    return draw_unfinished(job, s, pass->limit, source, unfinished) &&
           draw_missing(job, s, job_tile_rect(job, tile), pass, unfinished);
}

/* --- for methods that guess --- */

bool draw_add(struct job *job, struct job_scratch *s, int x, int y) {
    const size_t at = (size_t)y * (size_t)job->req.width_px + (size_t)x;
    if (!isnan(job->fraction[at]) || job->count[at] == QUEUED)
        return true;
    job->count[at] = QUEUED;
    gather(job, s, x, y);
    return s->size < TILE_POINTS_MAX || draw_flush(job, s);
}

bool draw_flush(struct job *job, struct job_scratch *s) {
    return draw_points(job, s, 0, job->req.limit, NULL);
}

void draw_fill(struct job *job, int x, int y) {
    if (draw_has(job, x, y))
        return;
    draw_put(job, (size_t)y * (size_t)job->req.width_px + (size_t)x,
             job->req.limit | SAMPLE_INTERIOR, 0);
    atomic_fetch_add_explicit(&job->samples, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->skipped, job->req.limit, memory_order_relaxed);
}
