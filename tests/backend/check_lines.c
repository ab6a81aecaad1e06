/* Pictures of lines, in chains as a moving view makes them: each sample must belong to its line's
 * coordinates, exactly the samples of kept lines are taken over, and a picture at rest afterwards
 * equals a picture drawn afresh.
 * usage: check_lines [NAME [SEED [TURNS]]]   (77: NAME cannot run here; TURNS: chain length) */
#define _GNU_SOURCE /* SCHED_IDLE */
#include "render/grid/coords.h"
#include "render/grid/sharing.h"
#include "tests/shared/formulas.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_BITS 4000
#define SIZE_MOST  160 /* [px] largest width and height */
#define LIMIT_MOST 400

static uint64_t seed, turns; /* from the command line */

/* --- requests --- */

static struct lines *new_lines(int columns, int rows) {
    struct lines *lines = lines_create(columns, rows);
    if (!lines)
        abort();
    return lines;
}

static struct grid_line *axis_of(struct lines *lines, bool column, int *count) {
    *count = column ? lines->columns : lines->rows;
    return lines->line + (column ? 0 : lines->columns);
}

static double grid_at(int i, int size) {
    return i + 0.5 - size / 2.0;
}

/* Computes the position of an earlier view's line in another view. Returns false if inexact. */
static bool carried(const struct frame_req *from, const struct frame_req *to, bool column,
                    double at, double *there) {
    int width, height;
    mpfr_t x, unit;
    if (view_equal(&from->view, &to->view)) {
        *there = at;
        return true;
    }
    if (from->view.angle != 0 || to->view.angle != 0 || at != ldexp(rint(ldexp(at, 32)), -32))
        return false;
    frame_req_whole(from, &width, &height);
    mpfr_init2(unit, VIEW_ZOOM_BITS);
    mpfr_init2(x, EXACT_BITS);
    view_step(&from->view, height, unit);
    mpfr_set_d(x, column ? at : -at, MPFR_RNDN);
    mpfr_mul(x, x, unit, MPFR_RNDN);
    mpfr_add(x, x, column ? from->view.re : from->view.im, MPFR_RNDN);
    mpfr_sub(x, x, column ? to->view.re : to->view.im, MPFR_RNDN);
    view_step(&to->view, height, unit);
    mpfr_div(x, x, unit, MPFR_RNDN);
    *there = (column ? 1 : -1) * mpfr_get_d(x, MPFR_RNDN);
    const bool exact = mpfr_cmp_d(x, column ? *there : -*there) == 0 &&
                       *there == ldexp(rint(ldexp(*there, 32)), -32);
    mpfr_clears(x, unit, (mpfr_ptr)NULL);
    return exact && fabs(*there) < 1000;
}

static int by_place(const void *a, const void *b) {
    const struct grid_line *p = a, *q = b;
    return p->at != q->at ? (p->at > q->at) - (p->at < q->at) : p->from - q->from;
}

static double random_at(int whole) {
    static const double parts[] = {1, 2, 1048576, 4294967296.0};
    const double at = random_below(2) ? grid_at(random_below(whole), whole)
                                      : ((double)random_below(1000) / 1000 - 0.5) * whole +
                                            1e-11 * random_below(99);
    const double part = parts[random_below(4)];
    return random_below(9) ? rint(at * 2 * part) / (2 * part) : at;
}

/* Fills an axis with most of the earlier lines that have a position, and with new lines. */
static void fill_axis(const struct frame_req *from, const struct frame_req *to, bool column) {
    int count, before = 0, used = 0, whole[2];
    struct grid_line *line = axis_of(to->lines, column, &count);
    const struct grid_line *old = from->lines ? axis_of(from->lines, column, &before) : NULL;
    const int keep = random_below(8);
    frame_req_whole(to, &whole[0], &whole[1]);
    for (int i = 0; i < before && used < count; i++)
        if (random_below(8) < keep && carried(from, to, column, old[i].at, &line[used].at))
            line[used++].from = i;
    for (int i = used; i < count; i++)
        line[i] = (struct grid_line){.at = random_at(whole[column ? 0 : 1]), .from = -1};
    qsort(line, (size_t)count, sizeof *line, by_place);
    /* Lines at the same position may have changed their order. */
    for (int i = 0, last = -1; i < count; i++) {
        line[i].from = line[i].from > last ? line[i].from : -1;
        last = line[i].from >= 0 ? line[i].from : last;
    }
}

/* Sets the lines of the view's grid, with the earlier picture's lines that lie exactly on it. */
static void fill_even(const struct frame_req *from, const struct frame_req *to, bool column) {
    int count, before, at = 0;
    struct grid_line *line = axis_of(to->lines, column, &count);
    const struct grid_line *old = axis_of(from->lines, column, &before);
    for (int i = 0; i < count; i++) {
        double there = -INFINITY;
        line[i] = (struct grid_line){.at = grid_at(i, count), .from = -1};
        for (; at < before; at++)
            if (carried(from, to, column, old[at].at, &there) && there >= line[i].at)
                break;
        if (at < before && there == line[i].at)
            line[i].from = at++;
    }
}

static void name_source(struct lines *lines, const struct frame_req *from) {
    if (!from->lines)
        return;
    lines->source = from->generation;
    lines->source_columns = from->width_px;
    lines->source_rows = from->height_px;
}

static void replace_lines(struct frame_req *req, struct lines *lines) {
    lines_unref(req->lines);
    req->lines = lines;
    req->width_px = lines->columns;
    req->height_px = lines->rows;
}

/* --- expectations --- */

struct chain {
    struct backend *backend, *fresh;
    bool keeps;
    struct frame_req before, req;
    struct picture got, want;
    uint32_t *drawn, *drawn_before; /* limit up to which each sample was iterated */
    uint64_t kept;                  /* samples taken over in all pictures */
};

static void size_pictures(struct chain *c) {
    c->got.pixels = c->want.pixels = (size_t)c->req.width_px * (size_t)c->req.height_px;
}

/* Returns true if an earlier sample is accepted for the request. GPUs do not store how far an
 * interior sample of lines in motion was iterated. */
static bool in_serving(const struct chain *c, uint32_t count, uint32_t drawn) {
    const struct frame_req *req = &c->req;
    const bool inside = count & SAMPLE_INTERIOR || count > drawn;
    const bool known = !on_gpu() || !lines_in_motion(c->before.lines);
    return req->lines->in_motion || (inside ? known && drawn >= req->limit : count <= req->limit);
}

/* Computes the expected numbers of kept samples and of steps, from the counts for LIMIT_MOST. */
static void expect(struct chain *c, uint64_t *kept, uint64_t *steps) {
    const struct frame_req *req = &c->req;
    const struct lines *lines = req->lines;
    const bool keeps = c->keeps && sharing_by_lines(&c->before, req);
    *kept = *steps = 0;
    for (int y = 0; y < req->height_px; y++)
        for (int x = 0; x < req->width_px; x++) {
            const int from_x = lines->line[x].from, from_y = lines->line[req->width_px + y].from;
            const int i = y * req->width_px + x;
            const uint32_t count = c->want.target.planes.count[i];
            c->drawn[i] = req->limit;
            if (keeps && from_x >= 0 && from_y >= 0) {
                const uint32_t drawn = c->drawn_before[from_y * c->before.width_px + from_x];
                if (in_serving(c, count, drawn)) {
                    c->drawn[i] = drawn;
                    ++*kept;
                    continue;
                }
            }
            const uint32_t own = count & SAMPLE_COUNT_MASK;
            *steps += own < req->limit ? own : req->limit;
        }
}

static bool check_samples(const struct chain *c, const char *what) {
    const struct sample_planes *got = &c->got.target.planes, *want = &c->want.target.planes;
    size_t wrong = 0, pixels = 0;
    for (size_t i = 0; i < c->got.pixels; i++) {
        const bool inside = want->count[i] & SAMPLE_INTERIOR || want->count[i] > c->drawn[i];
        const uint32_t count = inside ? SAMPLE_INTERIOR | c->req.limit : want->count[i];
        const float fraction = inside ? 0 : want->fraction[i];
        wrong += got->count[i] != count ||
                 (!inside && memcmp(&got->fraction[i], &fraction, sizeof fraction) != 0) ||
                 (!inside && got->norm2[i] != want->norm2[i]);
        pixels += c->got.target.rgba[i] !=
                  colour_of(&c->req.colouring, c->req.colouring.table, count, got->fraction[i]);
    }
    if (wrong + pixels == 0)
        return true;
    printf("%s: %s: of %zu samples of %dx%d lines %zu are wrong, and %zu pixels\n", subject, what,
           c->got.pixels, c->req.width_px, c->req.height_px, wrong, pixels);
    return false;
}

/* Draws the request afresh, with the highest limit of any sample. */
static bool draw_want(struct chain *c) {
    struct frame_req straight = c->req;
    straight.reuse = false;
    straight.limit = LIMIT_MOST;
    return draw(c->fresh, &straight, &c->want);
}

static bool check_drawn(struct chain *c, const char *what) {
    uint64_t kept, steps;
    size_pictures(c);
    c->got.target.at_once = random_below(2);
    CHECK(draw_want(c) && draw(c->backend, &c->req, &c->got));
    expect(c, &kept, &steps);
    c->kept += kept;
    if (!check_samples(c, what))
        return false;
    const struct backend_report *r = &c->got.report;
    if (r->kept == kept && r->iterations + r->skipped == steps)
        return true;
    printf("%s: %s: %" PRIu64 " samples kept, not %" PRIu64 "; %" PRIu64 " steps, not %" PRIu64
           "\n",
           subject, what, r->kept, kept, r->iterations + r->skipped, steps);
    return false;
}

/* --- chains --- */

static void chain_init(struct chain *c, const char *name, bool single, double angle) {
    struct picture *const pictures[] = {&c->got, &c->want};
    random_seed(seed); /* a storm consumes a varying number of random numbers */
    *c = (struct chain){.backend = open_ready(name, plain), .fresh = open_ready(name, plain)};
    c->keeps = c->backend && backend_info(c->backend).caps & BACKEND_CAP_LINES;
    frame_req_init(&c->req, 97, 61);
    set_place(&c->req, &(struct place){"-0.7436438870371", "0.1318259042053", "3e3", angle, 150});
    c->req.type = single ? TYPE_FLOAT : TYPE_DOUBLE;
    c->req.planes = SAMPLE_ALL;
    c->req.shortcuts = SHORTCUTS_NONE;
    c->req.whole_width_px = 97;
    c->req.whole_height_px = 61;
    c->req.generation = 1;
    frame_req_init_copy(&c->before, &c->req);
    for (int i = 0; i < 2; i++) {
        picture_init(pictures[i], SIZE_MOST, SIZE_MOST);
        sample_planes_finish(&pictures[i]->target.planes);
        if (!sample_planes_init(&pictures[i]->target.planes, SAMPLE_ALL, SIZE_MOST * SIZE_MOST,
                                "a test"))
            abort();
    }
    c->drawn = calloc(SIZE_MOST * SIZE_MOST, sizeof *c->drawn);
    c->drawn_before = calloc(SIZE_MOST * SIZE_MOST, sizeof *c->drawn_before);
}

static void chain_finish(struct chain *c) {
    backend_close(c->backend);
    backend_close(c->fresh);
    picture_finish(&c->got);
    picture_finish(&c->want);
    frame_req_finish(&c->before);
    frame_req_finish(&c->req);
    free(c->drawn);
    free(c->drawn_before);
}

/* Makes the last request the previous one, whose samples are known. */
static void go_on(struct chain *c) {
    uint32_t *drawn = c->drawn;
    c->drawn = c->drawn_before;
    c->drawn_before = drawn;
    frame_req_finish(&c->before);
    frame_req_init_copy(&c->before, &c->req);
    c->req.generation++;
}

static void move_view(struct frame_req *req) {
    static const double factors[] = {1, 1, 0.5, 2, 2, 4, 1.05};
    if (req->view.angle != 0 || random_below(3) == 0)
        return;
    view_zoom_at(&req->view, factors[random_below(7)], random_below(97) + 0.5,
                 random_below(61) + 0.5, 97, 61);
    view_pan(&req->view, random_below(21) - 10, (random_below(21) - 10) / 2.0, 61);
}

/* Creates the next request. `sized`: the sizes of pictures are similar, because GPUs drop samples
 * if a picture needs much more or much less memory. */
static void next_request(struct chain *c, bool sized) {
    static const enum method methods[] = {METHOD_TILES, METHOD_TILES, METHOD_DEEPEN, METHOD_ROWS};
    move_view(&c->req);
    c->req.first_stride = 1 << random_below(5);
    c->req.method = methods[random_below(4)];
    struct lines *lines =
        sized ? new_lines(c->req.lines ? 80 + random_below(60) : SIZE_MOST, 60 + random_below(20))
              : new_lines(random_below(4) ? 97 : 1 + random_below(SIZE_MOST),
                          random_below(4) ? 61 : 1 + random_below(SIZE_MOST));
    replace_lines(&c->req, lines);
    fill_axis(&c->before, &c->req, true);
    fill_axis(&c->before, &c->req, false);
    name_source(lines, &c->before);
    lines->source += random_below(12) == 0;      /* sometimes not the previous picture */
    lines->source_rows += random_below(12) == 0; /* sometimes a wrong size */
    lines->in_motion = random_below(3) != 0;
}

/* Checks that a picture at rest equals a fresh one. `known`: the previous picture was completed. */
static bool check_rest(struct chain *c, bool known) {
    struct lines *lines = new_lines(97, 61);
    uint64_t kept, steps;
    replace_lines(&c->req, lines);
    c->req.limit = random_below(2) ? c->before.limit : 1 + (uint32_t)random_below(LIMIT_MOST);
    lines->even = true;
    fill_even(&c->before, &c->req, true);
    fill_even(&c->before, &c->req, false);
    if (random_below(3))
        name_source(lines, &c->before);
    else
        for (int i = 0; i < lines->columns + lines->rows; i++)
            lines->line[i].from = -1;
    CHECK(!frame_req_problem(&c->req));
    size_pictures(c);
    CHECK(draw_want(c) && draw(c->backend, &c->req, &c->got));
    expect(c, &kept, &steps);
    struct frame_req straight = c->req;
    straight.lines = NULL;
    straight.reuse = false;
    CHECK(draw(c->fresh, &straight, &c->want) && same(&c->want, &c->got, "at rest after lines"));
    if (!known || !sharing_by_lines(&c->before, &c->req))
        return true; /* a grid map may share more samples */
    CHECK(c->got.report.kept == kept && c->got.report.iterations + c->got.report.skipped == steps);
    c->kept += kept;
    return true;
}

static bool check_chain(const char *name, bool single, double angle) {
    SCOPED(chain, c, name, single, angle);
    bool ok = c.backend && c.fresh;
    for (uint64_t i = 0; ok && i < turns; i++) {
        next_request(&c, on_gpu());
        c.req.limit = random_below(3) ? c.req.limit : 30 + (uint32_t)random_below(LIMIT_MOST - 30);
        ok = check_drawn(&c, "a picture of lines");
        go_on(&c);
        if (ok && i % 5 == 4) {
            ok = check_rest(&c, true);
            go_on(&c);
        }
    }
    return ok && (!c.keeps || c.kept > 10000);
}

/* Checks pictures that are mostly replaced before they are complete; their samples are used. */
static bool check_storm(const char *name, double angle) {
    SCOPED(chain, c, name, false, angle);
    bool ok = c.backend && c.fresh;
    for (uint64_t i = 0; ok && i < 3 * turns / 2; i++) {
        next_request(&c, false);
        c.req.first_stride = 1 + random_below(2);
        c.got.target.at_once = random_below(2);
        size_pictures(&c);
        ok = backend_submit(c.backend, &c.req, &c.got.target);
        c.got.report.state = BACKEND_BUSY;
        for (int polls = random_below(8) ? random_below(4) : 1000000; ok && polls > 0; polls--)
            if ((c.got.report = backend_poll(c.backend, random_below(3))).state != BACKEND_BUSY)
                break;
        for (size_t j = 0; j < c.got.pixels; j++)
            c.drawn[j] = c.req.limit;
        if (ok && c.got.report.state == BACKEND_DONE)
            ok = draw_want(&c) && check_samples(&c, "after a storm of lines");
        go_on(&c);
    }
    return ok && check_rest(&c, false);
}

/* Checks that a recoloured picture is found by the generation that recolouring gave to it. */
static bool check_recoloured(const char *name) {
    SCOPED(chain, c, name, false, 0);
    bool ok = c.backend && c.fresh;
    for (uint64_t i = 0; ok && i < 3 * turns / 4; i++) {
        next_request(&c, true);
        c.req.lines->source = c.before.generation;
        ok = check_drawn(&c, "after one in other colours");
        const uint64_t from = c.req.generation;
        const struct look look = {.colouring = c.req.colouring};
        c.req.generation += (uint64_t)random_below(3);
        ok = ok && backend_recolour(c.backend, from, c.req.generation, &look);
        while (ok && backend_poll(c.backend, 50).state == BACKEND_BUSY)
            continue;
        go_on(&c);
    }
    return ok && (!c.keeps || c.kept > 0);
}

/* --- threads that draw --- */

static int count_threads(int policy) {
    int count = 0;
    DIR *const tasks = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(tasks));)
        count += atoi(entry->d_name) > 0 && sched_getscheduler(atoi(entry->d_name)) == policy;
    closedir(tasks);
    return count;
}

/* Waits until `count` threads have the policy. Other OpenMP libraries than GCC's keep threads for
 * the next region, so clang builds do not check this. */
static bool become(int policy, int count) {
#ifdef __clang__
    return policy + count >= 0;
#endif
    for (int i = 0; i < 5000 && count_threads(policy) != count; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK(count_threads(policy) == count);
    return true;
}

/* Checks that pictures in motion get threads of normal priority, which start with the first one. */
static bool check_eager(const char *name) {
    struct backend_options options = plain;
    SCOPED(chain, c, name, false, 0);
    backend_close(c.backend);
    backend_close(c.fresh);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* until ending threads are gone */
    const int others = count_threads(SCHED_OTHER);             /* threads of open devices */
    options.threads = 1;
    c.fresh = open_ready(name, options);
    options.low_priority = true;
    options.threads = 3;
    c.backend = open_ready(name, options);
    bool ok = c.backend && c.fresh && become(SCHED_IDLE, 3) && become(SCHED_OTHER, others + 1);
    for (int i = 0; ok && i < 6; i++) {
        next_request(&c, false);
        c.req.lines->in_motion = i & 1;
        ok = check_drawn(&c, "with workers that give way") &&
             become(SCHED_OTHER, others + (i == 0 ? 1 : 4));
        go_on(&c);
    }
    return ok;
}

/* --- coordinates --- */

/* Checks that each entry is the exact position of its line, rounded once. */
static bool check_table(const struct frame_req *req) {
    struct coords coords;
    bool ok = coords_init(&coords, req);
    mpfr_t step, x;
    mpfr_init2(step, VIEW_ZOOM_BITS);
    mpfr_init2(x, EXACT_BITS);
    view_step(&req->view, 61, step);
    for (int i = 0; ok && i < req->width_px + req->height_px; i++) {
        const bool column = i < req->width_px;
        mpfr_set_d(x, rint(ldexp(req->lines->line[i].at, 32)), MPFR_RNDN);
        mpfr_mul(x, x, step, MPFR_RNDN);
        mpfr_mul_2si(x, x, -32, MPFR_RNDN);
        mpfr_mul_si(x, x, column ? 1 : -1, MPFR_RNDN);
        mpfr_add(x, x, column ? req->view.re : req->view.im, MPFR_RNDN);
        const double got = req->type == TYPE_FLOAT
                               ? (double)(column ? coords.f32[i].re : coords.f32[i].im)
                               : (column ? coords.f64[i].re : coords.f64[i].im);
        ok = got == (req->type == TYPE_FLOAT ? (double)mpfr_get_flt(x, MPFR_RNDN)
                                             : mpfr_get_d(x, MPFR_RNDN));
    }
    mpfr_clears(x, step, (mpfr_ptr)NULL);
    coords_finish(&coords);
    return ok;
}

static bool check_tables(void) {
    static const char *const zooms[] = {"0.01", "1.5", "3e3", "7.3e11", "1e16", "1e60"};
    bool ok = true;
    for (int i = 0; ok && i < 60; i++) {
        SCOPED(frame_req, req, 97, 61);
        SCOPED(frame_req, nothing, 97, 61);
        set_place(&req,
                  &(struct place){"-0.74364388703715", "0.131825904205312", zooms[i % 6], 0, 100});
        req.whole_width_px = 97;
        req.whole_height_px = 61;
        req.type = i & 1 ? TYPE_FLOAT : TYPE_DOUBLE;
        replace_lines(&req, new_lines(1 + random_below(150), 1 + random_below(150)));
        fill_axis(&nothing, &req, true);
        fill_axis(&nothing, &req, false);
        ok = !frame_req_problem(&req) && check_table(&req);
    }
    if (!ok)
        printf("coordinates of lines are wrong\n");
    return ok;
}

/* Checks that lines on the grid give the picture of the grid, also turned. */
static bool check_on_grid(const char *name, double angle) {
    SCOPED(chain, c, name, false, angle);
    replace_lines(&c.req, new_lines(97, 61));
    for (int i = 0; i < 97 + 61; i++)
        c.req.lines->line[i].at = i < 97 ? grid_at(i, 97) : grid_at(i - 97, 61);
    struct frame_req plain_req = c.req;
    plain_req.lines = NULL;
    size_pictures(&c);
    return c.backend && c.fresh && draw(c.backend, &c.req, &c.got) &&
           draw(c.fresh, &plain_req, &c.want) && same(&c.want, &c.got, "lines on the grid");
}

/* --- refused requests --- */

static bool refused(const struct frame_req *req, const char *what) {
    if (frame_req_problem(req))
        return true;
    printf("not refused: %s\n", what);
    return false;
}

static void good_request(struct frame_req *req) {
    struct lines *lines = new_lines(10, 8);
    frame_req_init(req, 10, 8);
    replace_lines(req, lines);
    for (int i = 0; i < 18; i++)
        lines->line[i] =
            (struct grid_line){.at = i < 10 ? grid_at(i, 10) : grid_at(i - 10, 8), .from = i % 10};
    lines->source = 7;
    lines->source_columns = lines->source_rows = 10;
}

static bool check_refused(void) {
    static const double ats[] = {NAN, INFINITY, -INFINITY, 1e300, -2e6, 100};
    static const int froms[] = {10, INT32_MAX, 2, 0};
    bool ok = true;
    SCOPED_BY(good_request, frame_req, req);
    struct grid_line *line = req.lines->line;
    const struct grid_line third = line[3];
    for (size_t i = 0; i < sizeof ats / sizeof *ats; i++) {
        line[3].at = ats[i];
        ok = refused(&req, "a place") && ok;
        line[3] = third;
    }
    for (size_t i = 0; i < sizeof froms / sizeof *froms; i++) {
        line[3].from = froms[i];
        ok = refused(&req, "a source") && ok;
        line[3] = third;
    }
    ok = ok && !frame_req_problem(&req);
    req.lines->even = true;
    ok = ok && !frame_req_problem(&req);
    line[3].at += 0.25;
    ok = refused(&req, "even lines that are not") && ok;
    line[3] = third;
    req.lines->even = false;
    req.width_px++;
    ok = refused(&req, "a column too many") && ok;
    req.width_px--;
    req.offset_x = 1;
    ok = refused(&req, "an offset") && ok;
    req.offset_x = 0;
    return ok;
}

static bool check_backend(const char *name) {
    const bool ok = check_on_grid(name, 0) && check_on_grid(name, 33) &&
                    check_chain(name, false, 0) && check_chain(name, true, 0) &&
                    check_chain(name, false, 21) && check_storm(name, 0) && check_storm(name, 45) &&
                    check_recoloured(name) && (on_gpu() || check_eager(name));
    if (!ok)
        printf("%s failed with seed %" PRIu64 "\n", name, seed);
    return ok;
}

int main(int argc, char **argv) {
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    turns = argc > 3 ? strtoull(argv[3], NULL, 0) : 40;
    random_seed(seed);
    if (!check_refused() || !check_tables()) {
        printf("failed with seed %" PRIu64 "\n", seed);
        return 1;
    }
    mpfr_free_cache();
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "draw pictures of lines, and keep samples by them");
}
