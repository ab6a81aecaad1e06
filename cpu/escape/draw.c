/* Drawing of a claimed tile: turns missing pixels into lists of points, and their samples into
 * pixels. */
#include "cpu/escape/draw.h"
#include "cpu/stream.h"
#include "render/base/clock.h"
#include <string.h>

static int round_up(int x, int stride) {
    return (x + stride - 1) / stride * stride;
}

/* Returns the scratch planes that the request has. */
static struct sample_planes scratch_planes(const struct job *job, struct job_scratch *s) {
    struct sample_planes planes;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        planes.plane[p] = job->req.planes >> p & 1 ? s->plane[p] : NULL;
    return planes;
}

/* --- colours --- */

#define SOME 64 /* pixels coloured at a time */
#define FEW  16 /* pixels tested at a time when few are missing */

#define LINE_SAMPLES 16 /* samples of a plane in a cache line */

/* Colours a row of pixels into the pairs that the owner copies from. */
static void colour_pairs(const struct job *job, const struct colouring *colouring,
                         const struct sample_planes *planes, size_t size, _Atomic uint64_t *pairs) {
    uint32_t rgba[SOME] = {0};
    uint64_t pair;
    for (size_t x = 0; x < size; x += SOME) {
        const size_t some = size - x < SOME ? size - x : SOME;
        const struct sample_planes from = x == 0 ? *planes : sample_planes_from(planes, x);
        job->colour(colouring, job->shown_from, &from, some, rgba);
        for (size_t i = 0; i < some; i += 2) {
            memcpy(&pair, rgba + i, sizeof pair);
            atomic_store_explicit(&pairs[(x + i) / 2], pair, memory_order_relaxed);
        }
    }
}

/* Colours all pixels of a tile. No other thread reads them before `ready` changes, so plain stores
 * are enough. */
static void colour_whole(const struct job *job, struct job_scratch *s,
                         const struct colouring *colouring, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    const struct sample_planes planes = scratch_planes(job, s);
    const size_t width = (size_t)job->req.width_px, size = (size_t)(r.x1 - r.x0);
    const size_t rows = (size_t)(r.y1 - r.y0);
    size_t stride;
    uint32_t *to = (uint32_t *)job_tile_pairs(job, tile, &stride);
    stride = to ? 2 * stride : width;
    to = to ? to : job->target.rgba + (size_t)r.y0 * width + (size_t)r.x0;
    job->colour(colouring, job->shown_from, &planes, size * rows, s->rgba);
    for (size_t y = 0; y < rows; y++)
        stream_copy(to + y * stride, s->rgba + y * size, size);
}

/* Prefetches a row of samples: rows of tiles are too short for the hardware prefetcher. */
static void fetch(const struct sample_planes *planes, size_t at, size_t size) {
    for (int p = 0; p < SAMPLE_PLANES; p++)
        for (size_t x = 0; planes->plane[p] && x < size; x += LINE_SAMPLES)
            __builtin_prefetch((const uint32_t *)planes->plane[p] + at + x);
}

void draw_colours(struct job *job, struct job_scratch *s, const struct colouring *colouring,
                  uint32_t tile, int stride) {
    const struct rect r = job_tile_rect(job, tile);
    const size_t width = (size_t)job->req.width_px, size = (size_t)(r.x1 - r.x0);
    size_t pair_row;
    _Atomic uint64_t *pairs = job_tile_pairs(job, tile, &pair_row);
    if (s->whole)
        colour_whole(job, s, colouring, tile);
    for (int y = round_up(r.y0, stride); !s->whole && y < r.y1; y += stride) {
        const size_t at = (size_t)y * width + (size_t)r.x0;
        const struct sample_planes planes = sample_planes_from(&job->planes, at);
        if (y + 2 * stride < r.y1)
            fetch(&planes, 2 * (size_t)stride * width, size);
        if (pairs)
            colour_pairs(job, colouring, &planes, size, pairs + (size_t)(y - r.y0) * pair_row);
        else
            job->colour(colouring, job->shown_from, &planes, size, job->target.rgba + at);
    }
    stream_end();
}

/* --- points --- */

/* Computes c of the points from number `first` on, which all lie in one row. */
static void place(const struct job *job, struct job_scratch *s, uint32_t row, size_t first) {
    const struct coords *coords = &job->coords;
    const uint32_t width = (uint32_t)job->req.width_px;
    for (size_t i = first; i < s->size; i++) {
        const uint32_t column = s->at[i] - row * width;
        if (job->req.type == TYPE_FLOAT)
            coords_point_float(coords->f32, coords->layout, width, column, row, &s->cr.f32[i],
                               &s->ci.f32[i]);
        else if (job->req.type == TYPE_DOUBLE)
            coords_point_double(coords->f64, coords->layout, width, column, row, &s->cr.f64[i],
                                &s->ci.f64[i]);
        else
            coords_point_wide(coords->wide, coords->layout, width, column, row, &s->cr.wide[0][i],
                              &s->cr.wide[1][i], &s->ci.wide[0][i], &s->ci.wide[1][i]);
        if (job->req.doubles_limit > 0)
            coords_point_double(job->double_coords.f64, job->double_coords.layout, width, column,
                                row, &s->screening.double_cr.f64[i],
                                &s->screening.double_ci.f64[i]);
    }
}

/* Adds `size` pixels of row y from column x on to the points, which must have room for them. */
static void gather(const struct job *job, struct job_scratch *s, int x, int y, size_t size) {
    const size_t first = s->size;
    const uint32_t at = (uint32_t)y * (uint32_t)job->req.width_px + (uint32_t)x;
    for (size_t i = 0; i < size; i++)
        s->at[first + i] = at + (uint32_t)i;
    s->size += size;
    place(job, s, (uint32_t)y, first);
}

/* Makes all pixels of a rectangle the points. In an upright picture all rows have the same columns,
 * so they are copied. Wide numbers look up each point: that is cheap compared to their orbits. */
static void gather_rect(const struct job *job, struct job_scratch *s, struct rect r) {
    const size_t width = (size_t)(r.x1 - r.x0);
    const bool doubles = job->req.type == TYPE_DOUBLE;
    const bool alike = job->coords.layout == COORDS_UPRIGHT && job->req.type != TYPE_WIDE;
    const size_t bytes = doubles ? sizeof(double) : sizeof(float);
    s->size = 0;
    for (int y = r.y0; y < r.y1; y++) {
        if (!alike || y == r.y0) {
            gather(job, s, r.x0, y, width);
            continue;
        }
        gather(job, s, r.x0, y, 1);
        const size_t first = s->size - 1, end = first + width;
        const uint32_t at = s->at[first] - (uint32_t)first;
        const double ci64 = s->ci.f64[first];
        const float ci32 = s->ci.f32[first];
        memcpy((char *)&s->cr + first * bytes, &s->cr, width * bytes);
#pragma omp simd
        for (size_t i = first; i < end; i++)
            s->at[i] = at + (uint32_t)i;
        if (doubles)
#pragma omp simd
            for (size_t i = first; i < end; i++)
                s->ci.f64[i] = ci64;
        else
#pragma omp simd
            for (size_t i = first; i < end; i++)
                s->ci.f32[i] = ci32;
        s->size = end;
    }
}

/* --- running the kernel --- */

/* Adds the work of a kernel call to the job's totals. Executed steps are the counted steps without
 * the steps done before and the skipped steps. If the job keeps orbits, interior points whose
 * orbits are not kept are proved for every limit. Their steps up to the request's limit count as
 * skipped. */
static void account(struct job *job, const struct job_scratch *s, uint32_t done, uint32_t limit,
                    const struct tile_samples *samples) {
    const uint64_t inside = s->size - samples->escaped, undecided = samples->undecided_size;
    const uint64_t steps = samples->steps + inside * limit - (uint64_t)s->size * done;
    const uint64_t left = job->req.limit - limit; /* 0 if no orbits are kept */
    const uint64_t skipped = samples->skipped + (inside - undecided) * left;
    atomic_fetch_add_explicit(&job->iterations, steps - samples->skipped, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->skipped, skipped, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->samples, s->size - (left > 0 ? undecided : 0),
                              memory_order_relaxed);
}

/* Keeps the orbits that may be resumed. */
static void keep_unfinished(const struct job *job, struct job_scratch *s,
                            struct unfinished *unfinished, uint32_t limit,
                            const struct tile_samples *samples) {
    uint32_t *count = samples->planes.count;
    for (size_t i = 0; i < samples->undecided_size; i++) {
        const size_t id = s->undecided[i];
        const struct unfinished_orbit orbit = {.at = s->at[id], .done = limit};
        const void *state = s->undecided_states + i * unfinished->state_size;
        /* Without memory for the orbit the sample is missing, unless the limit was the final
         * one. */
        count[id] = SAMPLE_INTERIOR | limit;
        if (limit > 0 && !unfinished_add(unfinished, orbit, state) && limit < job->req.limit)
            count[id] = SAMPLE_MISSING;
    }
}

/* Copies samples to their pixels' places in the planes. */
static void scatter(const struct job *job, const struct job_scratch *s) {
    for (int p = 0; p < SAMPLE_PLANES; p++) {
        uint32_t *to = job->planes.plane[p];
        for (size_t i = 0; to && i < s->size; i++)
            to[s->at[i]] = s->plane[p][i];
    }
}

void draw_put(const struct job *job, const struct job_scratch *s, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    const size_t size = (size_t)(r.x1 - r.x0), width = (size_t)job->req.width_px;
    for (int p = 0; p < SAMPLE_PLANES; p++) {
        uint32_t *to = job->planes.plane[p];
        const uint32_t *from = s->plane[p];
        for (int y = r.y0; to && y < r.y1; y++, from += size)
            stream_copy(to + (size_t)y * width + (size_t)r.x0, from, size);
    }
}

static void walk(const struct job *job, const struct slope_walks *walks,
                 const struct tile_points *points, const struct sample_planes *planes) {
    if (walks->slope)
        walks->slope(points, job->unit, planes);
    if (walks->trace)
        walks->trace(points, planes);
}

/* Walks in doubles along the orbits that escaped in doubles, and in wide numbers along the others,
 * whose counts are above the limit for doubles. */
static void walk_screened(const struct job *job, const struct tile_points *points,
                          struct tile_screening *m, const struct sample_planes *planes) {
    const struct tile_points doubles = tile_screen_doubles(points);
    const uint32_t *count = planes->count;
    struct sample_planes part = *planes;
    uint32_t masked[TILE_POINTS_MAX];
    for (size_t i = 0; i < points->size; i++)
        masked[i] = count[i] <= job->req.doubles_limit ? count[i] : SAMPLE_NEVER;
    part.count = masked;
    walk(job, &job->walks_in_doubles, &doubles, &part);
    for (size_t i = 0; i < points->size; i++)
        masked[i] = count[i] > job->req.doubles_limit ? count[i] : SAMPLE_NEVER;
    for (int p = SAMPLE_PLANE_distance; p < SAMPLE_PLANES; p++)
        part.plane[p] = planes->plane[p] ? m->plane[p] : NULL;
    walk(job, &job->walks, points, &part);
    for (size_t i = 0; i < points->size; i++)
        for (int p = SAMPLE_PLANE_distance; !(masked[i] & SAMPLE_INTERIOR) && p < SAMPLE_PLANES;
             p++)
            if (part.plane[p])
                ((uint32_t *)planes->plane[p])[i] = m->plane[p][i];
}

static void find_slopes(const struct job *job, const struct tile_points *points,
                        const struct sample_planes *planes) {
    if (job->req.doubles_limit > 0)
        walk_screened(job, points, points->screening, planes);
    else
        walk(job, &job->walks, points, planes);
    for (size_t i = 0; !job->walks.slope && i < points->size; i++) {
        planes->distance[i] = 0;
        planes->normal[i] = planes->angle[i] = 0;
    }
}

/* Lists the interior points, except those that a later pass of the request resumes. */
static void decided_interior(const struct job *job, const struct job_scratch *s, uint32_t limit,
                             const struct tile_samples *samples, struct walk_order *order) {
    bool goes_on[TILE_POINTS_MAX] = {false};
    order->size = 0;
    for (size_t i = 0; limit < job->req.limit && i < samples->undecided_size; i++)
        goes_on[s->undecided[i]] = true;
    for (uint32_t i = 0; i < s->size; i++) {
        order->at[order->size] = i;
        order->size += samples->planes.count[i] & SAMPLE_INTERIOR && !goes_on[i] &&
                       (samples->planes.count[i] & SAMPLE_COUNT_MASK) >= limit;
    }
    for (uint32_t i = 0; order->size > 0 && i < WALK_TOGETHER_MAX; i++)
        order->at[order->size + i] = order->at[order->size - 1];
}

static void find_inside(const struct job *job, const struct job_scratch *s,
                        const struct tile_points *points, const struct tile_samples *samples) {
    struct walk_order order;
    for (int p = SAMPLE_PLANE_period; p <= SAMPLE_PLANE_atom; p++)
        memset(samples->planes.plane[p], 0, points->size * SAMPLE_PLANE_BYTES);
    if (!job->walks.inside)
        return;
    decided_interior(job, s, points->limit, samples, &order);
    if (job->req.doubles_limit > 0) {
        const struct tile_points doubles = tile_screen_doubles(points);
        job->walks_in_doubles.inside(&doubles, &order, job->unit, &samples->planes);
    } else {
        job->walks.inside(points, &order, job->unit, &samples->planes);
    }
}

/* Describes the gathered points for the kernel. */
static struct tile_points points_of(struct job *job, struct job_scratch *s, uint32_t done,
                                    uint32_t limit) {
    return (struct tile_points){
        .cr = &s->cr,
        .ci = &s->ci,
        .size = s->size,
        .recipe = &job->recipe,
        .shortcuts = job->req.shortcuts,
        .limit = limit,
        .done = done,
        .states = done > 0 ? s->states : NULL,
        .perturbed = &job->perturbed.tables,
        .traces = &job->traces,
        .stop = &job->base.stop,
        .scratch = &s->tile,
        .screen = &job->screened,
        .screening = &s->screening,
    };
}

/* Runs the kernel on the gathered points and leaves the samples in the scratch. `done`: steps that
 * all points have done, to the states in the scratch. `unfinished` may be NULL: no orbit is
 * kept. */
static bool run_points(struct job *job, struct job_scratch *s, uint32_t done, uint32_t limit,
                       struct unfinished *unfinished) {
    const struct tile_points points = points_of(job, s, done, limit);
    struct tile_samples samples = {.planes = scratch_planes(job, s),
                                   .undecided = unfinished ? s->undecided : NULL,
                                   .states = s->undecided_states,
                                   .never = unfinished};
    const double start = clock_ms();
    bool complete = job->tile(&points, &samples);
    if (complete && samples.planes.distance)
        find_slopes(job, &points, &samples.planes);
    if (complete && samples.planes.last)
        find_inside(job, s, &points, &samples);
    if ((samples.planes.distance && job->walks.slope) || job->walks.inside)
        complete = complete && !atomic_load_explicit(&job->base.stop, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->kernel_ns, (uint64_t)((clock_ms() - start) * 1e6),
                              memory_order_relaxed);
    if (complete)
        account(job, s, done, limit, &samples);
    if (complete && unfinished)
        keep_unfinished(job, s, unfinished, limit, &samples);
    return complete;
}

/* Draws the gathered points up to a limit; see run_points. */
static bool draw_points(struct job *job, struct job_scratch *s, uint32_t done, uint32_t limit,
                        struct unfinished *unfinished) {
    if (s->size == 0)
        return !atomic_load_explicit(&job->base.stop, memory_order_relaxed);
    const bool complete = run_points(job, s, done, limit, unfinished);
    if (complete)
        scatter(job, s);
    s->size = 0;
    return complete;
}

bool draw_walks(struct job *job, struct job_scratch *s, uint32_t tile, unsigned planes) {
    gather_rect(job, s, job_tile_rect(job, tile));
    const struct tile_points points = points_of(job, s, 0, job->req.limit);
    const struct tile_samples samples = {.planes = scratch_planes(job, s)};
    for (int p = 0; p < SAMPLE_PLANES; p++)
        for (size_t i = 0; samples.planes.plane[p] && !(SAMPLE_WALKED >> p & 1) && i < s->size; i++)
            s->plane[p][i] = ((const uint32_t *)job->planes.plane[p])[s->at[i]];
    if (samples.planes.distance)
        find_slopes(job, &points, &samples.planes);
    if (samples.planes.last)
        find_inside(job, s, &points, &samples);
    const bool complete = !atomic_load_explicit(&job->base.stop, memory_order_relaxed);
    for (int p = 0; complete && p < SAMPLE_PLANES; p++)
        for (size_t i = 0; planes >> p & 1 && i < s->size; i++)
            ((uint32_t *)job->planes.plane[p])[s->at[i]] = s->plane[p][i];
    s->size = 0;
    return complete;
}

/* --- passes --- */

/* Adds every stride-th pixel of [at, end) in the planes whose sample is missing. */
static void find_missing(const struct job *job, struct job_scratch *s, size_t at, size_t end,
                         size_t stride) {
    for (; at < end; at += stride) {
        s->at[s->size] = (uint32_t)at;
        s->size += job->planes.count[at] == SAMPLE_MISSING;
    }
}

/* Adds all pixels of [at, end) whose sample is missing, fast if there are few. */
static void find_few(const struct job *job, struct job_scratch *s, size_t at, size_t end) {
    for (size_t next; at < end; at = next) {
        uint32_t any = 0;
        next = end - at < FEW ? end : at + FEW;
#pragma omp simd reduction(| : any)
        for (size_t i = at; i < next; i++)
            any |= job->planes.count[i] == SAMPLE_MISSING;
        if (any)
            find_missing(job, s, at, next, 1);
    }
}

/* Draws the missing samples of a pass. A tile never has more pixels than a list has room for. */
static bool draw_missing(struct job *job, struct job_scratch *s, struct rect r,
                         const struct job_pass *pass, struct unfinished *unfinished) {
    const int stride = pass->stride;
    for (int y = round_up(r.y0, stride); y < r.y1; y += stride) {
        const size_t row = (size_t)y * (size_t)job->req.width_px, first = s->size;
        const size_t at = row + (size_t)round_up(r.x0, stride), end = row + (size_t)r.x1;
        if (stride == 1)
            find_few(job, s, at, end);
        else
            find_missing(job, s, at, end, (size_t)stride);
        place(job, s, (uint32_t)y, first);
    }
    return draw_points(job, s, 0, pass->limit, unfinished);
}

/* Resumes orbits that were taken from `source` after `done` steps. If stopped, returns the orbits
 * to `source`. Orbits that stay undecided go to `unfinished`, unless `unfinished` is NULL. */
static bool draw_taken(struct job *job, struct job_scratch *s, size_t size, uint32_t done,
                       uint32_t limit, struct unfinished *source, struct unfinished *unfinished) {
    for (size_t i = 0; i < size; i++) {
        const uint32_t width = (uint32_t)job->req.width_px, at = s->taken[i];
        gather(job, s, (int)(at % width), (int)(at / width), 1);
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

/* Returns the tile's list for orbits that reach this limit, or NULL if they are not kept. */
static struct unfinished *kept_orbits(struct job *job, uint32_t tile, uint32_t limit) {
    const bool keeps = job->gathers || limit < job->req.limit;
    return keeps && limit >= JOB_KEEP_FROM ? &job->unfinished[tile] : NULL;
}

bool draw_pass(struct job *job, struct job_scratch *s, uint32_t tile, const struct job_pass *pass) {
    struct unfinished *unfinished = kept_orbits(job, tile, pass->limit);
    return draw_unfinished(job, s, pass->limit, &job->unfinished[tile], unfinished) &&
           draw_missing(job, s, job_tile_rect(job, tile), pass, unfinished);
}

bool draw_whole(struct job *job, struct job_scratch *s, uint32_t tile, uint32_t limit) {
    const struct rect r = job_tile_rect(job, tile);
    gather_rect(job, s, r);
    s->whole = run_points(job, s, 0, limit, kept_orbits(job, tile, limit));
    if (s->whole && !job->passing)
        draw_put(job, s, tile);
    return s->whole;
}
