/* Picture job of the CPU backend: its memory, passes, tile order, claims and lifetime. */
#include "cpu/escape/draw.h"
#include "cpu/escape/keep.h"
#include "render/base/log.h"
#include "render/grid/sharing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Increments of `claims`, one for each kind of turn. */
#define PASS_TURN   1u
#define COLOUR_TURN 0x100u

/* Tiles of METHOD_ROWS, with as many pixels as others. Much wider tiles would have longer lists of
 * unfinished orbits, which every differently shaped tile that takes over from them has to read. */
#define ROWS_WIDTH_PX  JOB_TILE_WIDTH_MAX
#define ROWS_HEIGHT_PX 4

/* Tiles of lines in motion: most of their work is copying rows. */
#define MOTION_WIDTH_PX  256
#define MOTION_HEIGHT_PX 16

/* Steps of METHOD_DEEPEN's first pass; growth from pass to pass. */
#define DEEPEN_FIRST  JOB_KEEP_FROM
#define DEEPEN_FACTOR 4

struct rect job_tile_rect(const struct job *job, uint32_t tile) {
    const int tw = job->tile_width_px, th = job->tile_height_px;
    const int x = (int)(tile % (uint32_t)job->tiles_x) * tw;
    const int y = (int)(tile / (uint32_t)job->tiles_x) * th;
    const int w = job->req.width_px, h = job->req.height_px;
    return (struct rect){x, y, x + tw < w ? x + tw : w, y + th < h ? y + th : h};
}

/* Sorts the tiles by distance from the focus, then by number: a radix sort of the distance's
 * bits. */
static bool order_tiles(struct job *job, uint32_t tiles) {
    uint32_t *distance = malloc(2 * tiles * sizeof *distance), *to = job->order;
    uint32_t *from = distance ? distance + tiles : NULL;
    for (uint32_t t = 0; distance && t < tiles; t++) {
        const struct rect r = job_tile_rect(job, t);
        const float dx = (float)(r.x0 + r.x1) / 2 - (float)job->req.focus_x_px;
        const float dy = (float)(r.y0 + r.y1) / 2 - (float)job->req.focus_y_px;
        const float d = job->req.method == METHOD_ROWS ? 0 : dx * dx + dy * dy;
        memcpy(&distance[t], &d, sizeof d);
        to[t] = t;
    }
    for (int shift = 0; distance && shift < 32; shift += 8) {
        uint32_t first[257] = {0};
        memcpy(from, to, tiles * sizeof *from);
        for (uint32_t i = 0; i < tiles; i++)
            first[(distance[i] >> shift & 255) + 1]++;
        for (int digit = 0; digit < 256; digit++)
            first[digit + 1] += first[digit];
        for (uint32_t i = 0; i < tiles; i++)
            to[first[distance[from[i]] >> shift & 255]++] = from[i];
    }
    free(distance);
    return distance != NULL;
}

/* --- passes --- */

/* Plans passes from coarse to fine. A picture that is shown only when it is complete needs no
 * coarse passes. */
static void plan_lattices(struct job *job) {
    for (int stride = job->target.at_once ? 1 : job->req.first_stride; stride >= 1; stride /= 2)
        job->pass_list[job->passes++] = (struct job_pass){stride, job->req.limit};
}

/* Plans passes over all pixels with growing limits. */
static void plan_depths(struct job *job) {
    const uint32_t in_doubles = job->req.doubles_limit; /* the first pass decides these orbits */
    for (uint64_t limit = in_doubles > DEEPEN_FIRST ? in_doubles : DEEPEN_FIRST;
         limit < job->req.limit; limit *= DEEPEN_FACTOR)
        job->pass_list[job->passes++] = (struct job_pass){1, (uint32_t)limit};
    job->pass_list[job->passes++] = (struct job_pass){1, job->req.limit};
}

static void plan_work(struct job *job) {
    const bool rows = job->req.method == METHOD_ROWS;
    const bool in_motion = lines_in_motion(job->req.lines);
    job->tile_width_px = rows ? ROWS_WIDTH_PX : in_motion ? MOTION_WIDTH_PX : JOB_TILE_PX;
    job->tile_height_px = rows ? ROWS_HEIGHT_PX : in_motion ? MOTION_HEIGHT_PX : JOB_TILE_PX;
    job->tiles_x = (job->req.width_px + job->tile_width_px - 1) / job->tile_width_px;
    job->tiles_y = (job->req.height_px + job->tile_height_px - 1) / job->tile_height_px;
    if (job->req.method == METHOD_DEEPEN)
        plan_depths(job);
    else if (job->req.limit > 0)
        plan_lattices(job);
    else
        job->pass_list[job->passes++] = (struct job_pass){1, job->req.limit};
    job->gathers = job->req.reuse && !in_motion;
    job->shown_from = in_motion && job->req.limit > 0 ? 1 : job->req.limit;
    job->passing = job->target.at_once && !job->req.reuse && job->passes == 1;
}

/* --- memory --- */

static size_t tile_pairs(const struct job *job) {
    return (size_t)job->tile_width_px * (size_t)job->tile_height_px / 2;
}

_Atomic uint64_t *job_tile_pairs(const struct job *job, uint32_t tile, size_t *stride) {
    *stride = (size_t)job->tile_width_px / 2;
    return job->pairs ? job->pairs + tile * tile_pairs(job) : NULL;
}

/* Allocates planes and pixels in one block; each begins on a cache line. */
static bool allocate_planes(struct job *job) {
    const size_t pixels = (size_t)job->req.width_px * (size_t)job->req.height_px;
    const size_t plane = (pixels * SAMPLE_PLANE_BYTES + 63) / 64 * 64;
    const size_t own =
        job->target.at_once ? 0 : job_tiles(job) * tile_pairs(job) * sizeof *job->pairs;
    char what[80];
    if (job->passing) {
        job->planes = job->target.planes;
        return true;
    }
    snprintf(what, sizeof what, "a picture of %dx%d; try a smaller --size", job->req.width_px,
             job->req.height_px);
    const size_t bytes = plane * (size_t)__builtin_popcount(job->req.planes) + own;
    /* Pictures in motion vary by a few lines, so spare room makes their blocks reusable. */
    job->bytes = lines_in_motion(job->req.lines) ? bytes + bytes / 8 : bytes;
    job->memory = spare_memory_take(job->spare, bytes, &job->bytes, what);
    char *next = job->memory;
    for (int p = 0; next && p < SAMPLE_PLANES; p++)
        if (job->req.planes >> p & 1) {
            job->planes.plane[p] = next;
            next += plane;
        }
    job->pairs = own ? (_Atomic uint64_t *)next : NULL;
    return next;
}

static bool init_perturbed(struct job *job) {
    struct perturbation *const around[] = {job->req.perturbation, job->req.screen};
    struct perturbed_view *const views[] = {&job->perturbed, &job->screen};
    for (int i = 0; i < 2 && around[i]; i++) {
        const struct perturbed_place place = frame_req_place(&job->req, around[i]);
        const bool walks = job->req.planes & SAMPLE_TRACE && (i == 1 || !around[1]);
        if (!perturbed_view_init(views[i], around[i], &place, job->req.limit) ||
            (walks &&
             !perturbed_traces(around[i], &views[i]->tables, job->req.limit, &job->traces)))
            return false;
    }
    return true;
}

static bool init_double_coords(struct job *job) {
    struct frame_req doubles = job->req; /* borrows all members */
    doubles.type = TYPE_DOUBLE;
    return job->req.doubles_limit == 0 || coords_init(&job->double_coords, &doubles);
}

static bool allocate(struct job *job) {
    const size_t tiles = job_tiles(job);
    job->order = malloc(tiles * sizeof *job->order);
    job->claims = calloc(tiles, sizeof *job->claims);
    job->passes_done = calloc(tiles, sizeof *job->passes_done);
    job->coloured = calloc(tiles, sizeof *job->coloured);
    job->ready = calloc(tiles, sizeof *job->ready);
    job->taken = calloc(tiles, sizeof *job->taken);
    job->unfinished = calloc(tiles, sizeof *job->unfinished);
    for (size_t t = 0; job->unfinished && t < tiles; t++)
        job->unfinished[t].state_size = frame_req_state_size(&job->req);
    atomic_init(&job->next_colour, tiles);
    if (job->order && job->claims && job->passes_done && job->coloured && job->ready &&
        job->taken && job->unfinished && order_tiles(job, (uint32_t)tiles) &&
        coords_init(&job->coords, &job->req) && init_double_coords(job) && init_perturbed(job))
        return allocate_planes(job);
    log_error("not enough memory for a picture of %dx%d; try a smaller --size", job->req.width_px,
              job->req.height_px);
    return false;
}

/* --- steps of workers --- */

/* Adds the counts of a complete tile to the statistics. */
static void add_statistics(struct job *job, const struct job_scratch *s, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    const size_t width = (size_t)job->req.width_px;
    const size_t columns = (size_t)(r.x1 - r.x0), rows = (size_t)(r.y1 - r.y0);
    struct statistics part;
    statistics_init(&part);
    if (s->whole)
        statistics_add(&part, s->plane[SAMPLE_PLANE_count], columns * rows, 1, 0);
    else
        statistics_add(&part, job->planes.count + (size_t)r.y0 * width + (size_t)r.x0, columns,
                       rows, width);
    shared_statistics_add(&job->statistics, &part);
}

static uint32_t look(struct job *job, struct colouring *colouring) {
    pthread_mutex_lock(&job->look_lock);
    *colouring = job->look;
    const uint32_t number = job->looks;
    pthread_mutex_unlock(&job->look_lock);
    return number;
}

/* Does one pass over a claimed tile. Returns false if it was stopped; drawn samples stay. */
static bool work_pass(struct job *job, struct job *previous, struct job_scratch *s, uint32_t tile) {
    const struct job_pass *pass = &job->pass_list[job->passes_done[tile]];
    const bool first = pass == job->pass_list;
    struct overlap overlap;
    const bool keeps = first && keep_find(job, previous, tile, &overlap);
    const bool whole = first && pass->stride == 1 && !keeps;
    if (first && !whole)
        keep_tile(job, previous, tile, keeps ? &overlap : NULL);
    if (keeps && job->new_planes && !draw_walks(job, s, tile, job->new_planes)) {
        keep_nothing(job, tile);
        return false;
    }
    if (first)
        atomic_fetch_add_explicit(&job->opened, 1, memory_order_relaxed);
    job->passes_done[tile]++;
    s->size = 0;
    const bool drawn =
        whole ? draw_whole(job, s, tile, pass->limit) : draw_pass(job, s, tile, pass);
    if (!drawn && whole && !job->passing)
        keep_nothing(job, tile);
    if (drawn && job->passes_done[tile] == job->passes && job->gathers)
        add_statistics(job, s, tile);
    return drawn;
}

/* Does a tile's next pass, or recolours it if its colouring is out of date. Returns false if it was
 * stopped. */
static bool work_tile(struct job *job, struct job *previous, struct job_scratch *s, uint32_t tile,
                      bool recolour) {
    struct colouring colouring;
    uint32_t number = look(job, &colouring);
    s->whole = false;
    const int pass = job->passes_done[tile];
    if (recolour && (pass == 0 || job->coloured[tile] == number))
        return true;
    if (!recolour && !work_pass(job, previous, s, tile))
        return false;
    number = look(job, &colouring);
    /* After a recolouring or after taking over samples, all rows are new. */
    const bool all = job->coloured[tile] != number;
    const int stride = all ? 1 : job->pass_list[pass].stride;
    atomic_fetch_add(&job->writers, 1);
    const bool write = !job->target.at_once || !atomic_load(&job->base.stop);
    if (write && job->passing)
        draw_put(job, s, tile);
    if (write)
        draw_colours(job, s, &colouring, tile, stride);
    atomic_fetch_sub(&job->writers, 1);
    if (!write)
        return false;
    job->coloured[tile] = number;
    atomic_store(&job->ready[tile], number << 8 | job->passes_done[tile]);
    atomic_fetch_add(&job->news, 1);
    return true;
}

/* Takes the next turn, for a tile to recolour if there is any, else for a tile's next pass. Returns
 * 0 if no turn is left. */
static unsigned next_turn(struct job *job, uint32_t *tile) {
    const size_t tiles = job_tiles(job);
    size_t turn = tiles;
    if (atomic_load_explicit(&job->next_colour, memory_order_relaxed) < tiles)
        turn = atomic_fetch_add(&job->next_colour, 1);
    const bool recolour = turn < tiles;
    if (!recolour)
        turn = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    *tile = job->order[turn % tiles];
    return recolour ? COLOUR_TURN : turn < tiles * (size_t)job->passes ? PASS_TURN : 0;
}

/* Works on the next tile that can be claimed. */
static enum task_step step(struct task *base, struct task *source, int worker, void *scratch) {
    struct job *job = (struct job *)base, *previous = (struct job *)source;
    uint32_t tile;
    (void)worker;
    unsigned turn =
        atomic_load_explicit(&base->stop, memory_order_relaxed) ? 0 : next_turn(job, &tile);
    if (turn == 0)
        return TASK_NONE;
    if (atomic_fetch_add_explicit(&job->claims[tile], turn, memory_order_acquire) != 0)
        return TASK_SOME;
    bool running = true;
    for (unsigned left = turn; left > 0;) {
        turn = left >= COLOUR_TURN ? COLOUR_TURN : PASS_TURN;
        running = running && work_tile(job, previous, scratch, tile, turn == COLOUR_TURN);
        left = atomic_fetch_sub_explicit(&job->claims[tile], turn, memory_order_acq_rel) - turn;
    }
    return running ? TASK_SOME : TASK_NONE;
}

/* --- creation and destruction --- */

static void destroy(struct task *base) {
    struct job *job = (struct job *)base;
    for (size_t t = 0; job->unfinished && t < job_tiles(job); t++)
        unfinished_finish(&job->unfinished[t]);
    void *const members[] = {job->order,         job->claims, job->passes_done, job->coloured,
                             (void *)job->ready, job->taken,  job->unfinished};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        free(members[i]);
    spare_memory_give(job->spare, job->memory, job->bytes);
    pthread_mutex_destroy(&job->look_lock);
    frame_req_finish(&job->req);
    coords_finish(&job->coords);
    coords_finish(&job->double_coords);
    perturbed_view_finish(&job->perturbed);
    perturbed_view_finish(&job->screen);
    free(job);
}

static const struct task_kind task_kind = {step, destroy};

/* Returns the walks whose planes the request has. */
static struct slope_walks wanted_walks(struct slope_walks walks, const struct frame_req *req) {
    if (!(req->planes & SAMPLE_TRACE))
        walks.trace = NULL;
    if (!(req->planes & SAMPLE_INSIDE))
        walks.inside = NULL;
    return walks;
}

struct job *job_create(const struct frame_req *req, const struct target *target,
                       const struct job_kind *kind, struct job *previous) {
    struct job *job = calloc(1, sizeof *job);
    if (!job) {
        log_error("not enough memory for a picture");
        return NULL;
    }
    task_init(&job->base, &task_kind);
    shared_statistics_init(&job->statistics);
    pthread_mutex_init(&job->look_lock, NULL);
    frame_req_init_copy(&job->req, req);
    job->recipe = *kind->recipe;
    job->tile = req->screen || req->doubles_limit > 0 ? tile_screened : kind->tile;
    job->screened = (struct tile_screen){.tables = &job->screen.tables,
                                         .doubles = kind->doubles,
                                         .wide = kind->tile,
                                         .limit = req->doubles_limit,
                                         .state_size = frame_req_state_size(req)};
    if (req->doubles_limit > 0)
        fractal_recipe(&req->fractal, TYPE_DOUBLE, &job->screened.recipe);
    job->colour = kind->colour;
    job->walks = wanted_walks(kind->walks, req);
    job->walks_in_doubles = wanted_walks(kind->walks_in_doubles, req);
    job->unit = frame_req_step(req);
    job->spare = kind->spare;
    job->target = *target;
    job->base.eager = lines_in_motion(req->lines);
    job->look = req->colouring;
    job->looks = 1;
    plan_work(job);
    if (!allocate(job)) {
        task_unref(&job->base);
        return NULL;
    }
    if (!previous || previous->passing || !req->reuse)
        return job;
    job->keeps_lines = sharing_by_lines(&previous->req, req);
    if (job->keeps_lines || sharing_by_map(&previous->req, req, &job->map))
        job->base.source = task_ref(&previous->base);
    job->from_unit = job->keeps_lines ? sharing_unit(&previous->req, req) : 1;
    if (job->base.source)
        job->new_planes = sharing_new_planes(&previous->req, req);
    return job;
}

size_t job_tiles(const struct job *job) {
    return (size_t)job->tiles_x * (size_t)job->tiles_y;
}

uint32_t job_ready(const struct job *job) {
    return job->looks << 8 | (uint32_t)job->passes;
}

void job_recolour(struct job *job, const struct colouring *colouring) {
    pthread_mutex_lock(&job->look_lock);
    job->look = *colouring;
    job->looks++;
    pthread_mutex_unlock(&job->look_lock);
    job->complete = job->settled = 0;
    if (job->done) { /* reports count the work of the recolouring only */
        atomic_store(&job->iterations, 0);
        atomic_store(&job->skipped, 0);
        atomic_store(&job->kernel_ns, 0);
        atomic_store(&job->kept, atomic_load(&job->samples));
    }
    atomic_store(&job->base.stop, false);
    atomic_store(&job->next_colour, 0);
}
