/* Samples shared with the previous picture: pans and zooms by powers of two. A grid map must name
 * exactly the pixels whose points are the same, to the bit. On every backend, a picture drawn with
 * a map must equal a picture drawn afresh, without repeating a step.
 * usage: check_sharing [NAME [SEED]]   (77: NAME cannot run on this machine) */
#include "render/grid/coords.h"
#include "render/grid/sharing.h"
#include "render/palette.h"
#include "tests/shared/formulas.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed; /* from the command line */

/* --- grid maps --- */

/* Returns true if pixel `to` of an axis is pixel `from` of the earlier picture, by definition. */
static bool mapped(int d, int scale_log2, int from, int to) {
    const int64_t in = scale_log2 > 0 ? scale_log2 : 0, out = in - scale_log2;
    return (int64_t)from * (INT64_C(1) << in) == (int64_t)to * (INT64_C(1) << out) + d;
}

/* Returns the exact coordinates of an axis's samples. */
static mpfr_t *exact_axis(const struct frame_req *req, bool column) {
    const int size = column ? req->width_px : req->height_px;
    const int part = column ? req->part_x_px : req->part_y_px;
    int whole[2];
    mpfr_t *axis = malloc((size_t)size * sizeof *axis), step;
    if (!axis)
        abort();
    frame_req_whole(req, &whole[0], &whole[1]);
    mpfr_init2(step, VIEW_ZOOM_BITS);
    view_step(&req->view, whole[1], step);
    for (int i = 0; i < size; i++) {
        const long halves = 2L * (part + i) + 1 - whole[column ? 0 : 1];
        mpfr_init2(axis[i], 4000);
        mpfr_mul_si(axis[i], step, column ? halves : -halves, MPFR_RNDN);
        mpfr_div_2ui(axis[i], axis[i], 1, MPFR_RNDN);
        if (mpfr_add(axis[i], axis[i], column ? req->view.re : req->view.im, MPFR_RNDN) != 0)
            abort();
    }
    mpfr_clear(step);
    return axis;
}

static void free_axis(mpfr_t *axis, int size) {
    for (int i = 0; i < size; i++)
        mpfr_clear(axis[i]);
    free(axis);
}

/* Counts the pixels of an axis that have the same place in both pictures. *wrong counts those for
 * which the map is wrong. */
static int count_same(const struct frame_req *from, const struct frame_req *to, bool column,
                      const struct grid_map *map, int *wrong) {
    const int size = column ? to->width_px : to->height_px, d = column ? map->dx : map->dy;
    mpfr_t *a = exact_axis(from, column), *b = exact_axis(to, column);
    int same_places = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            const bool equal = mpfr_equal_p(a[i], b[j]);
            bool there;
            const int source = grid_map_from(d, map->scale_log2, j, &there);
            same_places += equal;
            *wrong += equal != mapped(d, map->scale_log2, i, j);
            *wrong += equal != (there && source == i);
        }
    free_axis(a, size);
    free_axis(b, size);
    return same_places;
}

/* Stores the value of c at a pixel as kernels receive it. */
static void bits_at(const struct frame_req *req, const struct coords *coords, int x, int y,
                    double bits[4]) {
    const uint32_t width = (uint32_t)req->width_px, column = (uint32_t)x, row = (uint32_t)y;
    float c[2];
    bits[2] = bits[3] = 0;
    if (req->type == TYPE_WIDE) {
        coords_point_wide(coords->wide, coords->layout, width, column, row, &bits[0], &bits[2],
                          &bits[1], &bits[3]);
    } else if (req->type == TYPE_DOUBLE) {
        coords_point_double(coords->f64, coords->layout, width, column, row, &bits[0], &bits[1]);
    } else {
        coords_point_float(coords->f32, coords->layout, width, column, row, &c[0], &c[1]);
        bits[0] = (double)c[0];
        bits[1] = (double)c[1];
    }
}

/* Counts the shared pixels whose values of c differ, as kernels receive them. */
static int count_different(const struct frame_req *from, const struct frame_req *to,
                           const struct grid_map *map) {
    int different = 0;
    SCOPED_MADE(coords, a, from);
    SCOPED_MADE(coords, b, to);
    for (int y = 0; y < to->height_px; y++)
        for (int x = 0; x < to->width_px; x++) {
            bool column, row;
            const int from_x = grid_map_from(map->dx, map->scale_log2, x, &column);
            const int from_y = grid_map_from(map->dy, map->scale_log2, y, &row);
            double p[4], q[4];
            if (!column || !row || from_x < 0 || from_x >= from->width_px || from_y < 0 ||
                from_y >= from->height_px)
                continue;
            bits_at(from, &a, from_x, from_y, p);
            bits_at(to, &b, x, y, q);
            different += memcmp(p, q, sizeof p) != 0;
        }
    return different;
}

static void random_size(struct frame_req *req) {
    req->width_px = 1 + random_below(40);
    req->height_px = 1 + random_below(40);
    req->whole_width_px = req->whole_height_px = req->part_x_px = req->part_y_px = 0;
    if (random_below(2))
        return;
    req->whole_width_px = req->width_px + random_below(100);
    req->whole_height_px = req->height_px + random_below(100);
    req->part_x_px = random_below(req->whole_width_px - req->width_px + 1);
    req->part_y_px = random_below(req->whole_height_px - req->height_px + 1);
}

/* Sets a random view, from the whole set to zooms at which doubles no longer separate pixels, and
 * beyond. */
static void random_view(struct view *view) {
    const char *why;
    char re[64], im[64], zoom[64];
    const int digits = 1 + random_below(40);
    snprintf(re, sizeof re, "-0.74364388703715870475219150611%.*s", digits % 10, "4774012345");
    snprintf(im, sizeof im, "%.*s", 2 + digits, "0.131825904205311970493132056385139012345678901");
    snprintf(zoom, sizeof zoom, "%d.%de%d", 1 + random_below(9), random_below(1000),
             random_below(4) ? random_below(18) - 2 : 60);
    if (!view_set_centre(view, random_below(5) ? re : "0", random_below(5) ? im : "0", 0, &why) ||
        !view_set_zoom(view, zoom, &why))
        abort();
}

/* Moves the view, most often by a zoom about a pixel. Returns the zoom's power of two. */
static int random_move(struct frame_req *req) {
    static const double factors[] = {0.0625, 0.25, 0.5, 0.5, 1, 2, 2, 4, 32};
    const int choice = random_below(sizeof factors / sizeof *factors);
    const double half = random_below(6) ? 0.5 : 0;
    int width, height;
    frame_req_whole(req, &width, &height);
    view_zoom_at(&req->view, factors[choice], req->part_x_px + random_below(req->width_px) + half,
                 req->part_y_px + random_below(req->height_px) + (random_below(9) ? half : 0),
                 width, height);
    if (random_below(2))
        view_pan(&req->view, random_below(21) - 10,
                 (random_below(21) - 10) / (random_below(9) ? 1.0 : 2.0), height);
    return ilogb(factors[choice]);
}

static bool check_map(const struct frame_req *from, const struct frame_req *to, int scale_log2,
                      int *shared) {
    struct grid_map map;
    int wrong = 0, columns, rows;
    const bool shares = sharing_by_map(from, to, &map);
    if (shares) {
        columns = count_same(from, to, true, &map, &wrong);
        rows = count_same(from, to, false, &map, &wrong);
        wrong += count_different(from, to, &map);
        *shared += scale_log2 != 0;
    } else {
        int unused = 0;
        columns = count_same(from, to, true, &map, &unused);
        rows = count_same(from, to, false, &map, &unused);
    }
    if (wrong == 0 && shares == (columns > 0 && rows > 0) &&
        (!shares || map.scale_log2 == scale_log2))
        return true;
    printf("%dx%d, zoom %g, 2^%d: a map %s; %d columns and %d rows are the same, %d are wrong\n",
           to->width_px, to->height_px, mpfr_get_d(from->view.zoom, MPFR_RNDN), scale_log2,
           shares ? "is given" : "is missing", columns, rows, wrong);
    return false;
}

static bool check_maps(void) {
    struct frame_req to;
    int shared = 0;
    bool ok = true;
    SCOPED(frame_req, from, 1, 1);
    for (int i = 0; ok && i < 1500; i++) {
        random_size(&from);
        random_view(&from.view);
        from.type = (enum number_type)random_below(TYPE_COUNT);
        frame_req_init_copy(&to, &from);
        const int scale_log2 = random_move(&to);
        ok = check_map(&from, &to, scale_log2, &shared);
        struct grid_map map;
        to.offset_x = from.offset_x = 100;
        ok = ok && (scale_log2 == 0 || !sharing_by_map(&from, &to, &map));
        to.offset_x = from.offset_x = 0;
        view_rotate(&to.view, 0.5);
        ok = ok && !sharing_by_map(&from, &to, &map);
        frame_req_finish(&to);
    }
    printf("%d of 1500 moves were zooms that share samples\n", shared);
    return ok && shared > 300;
}

/* --- pictures --- */

struct pair {
    struct backend *backend, *fresh;
    struct picture got, want;
};

/* Returns the number of steps that the earlier picture had already taken for shared samples.
 * *shared counts these samples, *final those that need no further steps. */
static uint64_t steps_shared(const struct frame_req *from, const struct frame_req *to,
                             const uint32_t *count, uint64_t *shared, uint64_t *final) {
    struct grid_map map;
    uint64_t steps = 0;
    *shared = *final = 0;
    if (!sharing_by_map(from, to, &map))
        return 0;
    for (int y = 0; y < to->height_px; y++)
        for (int x = 0; x < to->width_px; x++) {
            const uint32_t n = count[y * to->width_px + x];
            bool column, row;
            const int from_x = grid_map_from(map.dx, map.scale_log2, x, &column);
            const int from_y = grid_map_from(map.dy, map.scale_log2, y, &row);
            if (!column || !row || from_x < 0 || from_x >= to->width_px || from_y < 0 ||
                from_y >= to->height_px)
                continue;
            const uint32_t own = n & SAMPLE_COUNT_MASK;
            steps += own < from->limit ? own : from->limit;
            *shared += 1;
            *final += own < from->limit || to->limit == from->limit ||
                      (own == from->limit && !(n & SAMPLE_INTERIOR));
        }
    return steps;
}

static bool same_planes(const struct frame_req *req, const struct pair *p, const char *what) {
    const size_t size = p->got.pixels * sizeof(float);
    if (!same(&p->want, &p->got, what))
        return false;
    if (!(req->planes & SAMPLE_PLANE_BIT(norm2)) ||
        memcmp(p->want.target.planes.norm2, p->got.target.planes.norm2, size) == 0)
        return true;
    printf("%s: %s: values of norm2 differ\n", subject, what);
    return false;
}

/* Draws a request after another request, with all shared samples, and afresh. */
static bool check_drawn(struct pair *p, const struct frame_req *from, const struct frame_req *to,
                        uint64_t *shared) {
    struct frame_req straight = *to;
    char what[100];
    uint64_t final;
    straight.reuse = false;
    CHECK(draw(p->fresh, &straight, &p->want) && draw(p->backend, to, &p->got));
    const uint64_t steps = steps_shared(from, to, p->want.target.planes.count, shared, &final);
    snprintf(what, sizeof what, "%dx%d, method %d, a zoom to %g", to->width_px, to->height_px,
             (int)to->method, mpfr_get_d(to->view.zoom, MPFR_RNDN));
    if (!same_planes(to, p, what))
        return false;
    if (p->got.report.kept == final && p->got.report.iterations + p->got.report.skipped + steps ==
                                           p->want.report.iterations + p->want.report.skipped)
        return true;
    printf("%s: %s: %" PRIu64 " samples kept, not %" PRIu64 "; %" PRIu64 " steps, not %" PRIu64
           " less %" PRIu64 "\n",
           subject, what, p->got.report.kept, final, p->got.report.iterations,
           p->want.report.iterations, steps);
    return false;
}

static void pair_init(struct pair *p, const char *name, const struct frame_req *req) {
    struct picture *const pictures[] = {&p->got, &p->want};
    p->backend = open_ready(name, plain);
    p->fresh = open_ready(name, plain);
    for (int i = 0; i < 2; i++) {
        picture_init(pictures[i], req->width_px, req->height_px);
        sample_planes_finish(&pictures[i]->target.planes);
        if (!sample_planes_init(&pictures[i]->target.planes, req->planes, pictures[i]->pixels,
                                "a test"))
            abort();
    }
}

static void pair_finish(struct pair *p) {
    backend_close(p->backend);
    backend_close(p->fresh);
    picture_finish(&p->got);
    picture_finish(&p->want);
}

/* Checks pans, zooms and raised limits in a row; each picture uses all samples found so far. */
static bool check_walk(const char *name, int width_px, int height_px, enum number_type type) {
    const bool part = type != TYPE_DOUBLE;
    static const enum method methods[] = {METHOD_TILES, METHOD_TILES, METHOD_DEEPEN, METHOD_ROWS};
    struct frame_req before;
    uint64_t shared, zoomed = 0;
    SCOPED(frame_req, req, width_px, height_px);
    set_place(&req, &(struct place){"-0.7436438870371", "0.1318259042053", "300", 0, 100});
    if (part) {
        req.whole_width_px = 2 * width_px;
        req.whole_height_px = height_px + 9;
        req.part_x_px = width_px - 1;
        req.part_y_px = 9;
    }
    req.planes |= part ? 0 : SAMPLE_PLANE_BIT(norm2);
    req.type = type;
    req.shortcuts = SHORTCUTS_NONE;
    set_formula(&req, (uint64_t)part);
    SCOPED(pair, p, name, &req);
    frame_req_init_copy(&before, &req);
    bool ok = p.backend && p.fresh && draw(p.backend, &req, &p.got);
    for (int i = 0; ok && i < 20; i++) {
        frame_req_finish(&before);
        frame_req_init_copy(&before, &req);
        const int scale_log2 = random_move(&req);
        req.limit += random_below(3) ? 0 : 1 + (uint32_t)random_below(300);
        req.first_stride = 1 << random_below(5);
        req.method = methods[random_below(4)];
        req.generation++;
        ok = check_drawn(&p, &before, &req, &shared);
        zoomed += scale_log2 != 0 ? shared : 0;
    }
    ok = ok && zoomed > 0;
    frame_req_finish(&before);
    return ok;
}

/* Checks zooms by 2: in, about a pixel, a quarter of the samples is known; out, the middle
 * quarter. */
static bool check_quarter(const char *name) {
    struct frame_req before;
    uint64_t shared;
    SCOPED(frame_req, req, 200, 120);
    set_place(&req, &(struct place){"-0.7436438870371", "0.1318259042053", "1e4", 0, 500});
    SCOPED(pair, p, name, &req);
    frame_req_init_copy(&before, &req);
    req.shortcuts = before.shortcuts = SHORTCUTS_NONE;
    bool ok = p.backend && p.fresh && draw(p.backend, &req, &p.got);
    for (int i = 0; ok && i < 4; i++) {
        frame_req_finish(&before);
        frame_req_init_copy(&before, &req);
        view_zoom_at(&req.view, i & 1 ? 0.5 : 2, 100.5, i < 2 ? 60.5 : 0.5, 200, 120);
        req.generation++;
        ok = check_drawn(&p, &before, &req, &shared) && p.got.report.kept == 100 * 60;
    }
    if (!ok)
        printf("%s: a zoom by 2 kept %" PRIu64 " samples\n", subject, p.got.report.kept);
    frame_req_finish(&before);
    return ok;
}

/* Checks many pans, zooms and palettes, most of them replaced before they are complete. */
static bool check_storm(const char *name) {
    SCOPED(frame_req, req, 300, 200);
    set_place(&req, &(struct place){"-0.7436438870371", "0.1318259042053", "1e4", 0, 900});
    SCOPED(pair, p, name, &req);
    bool ok = p.backend && p.fresh;
    for (int i = 0; ok && i < 100; i++) {
        random_move(&req);
        req.limit += random_below(4) ? 0 : 50;
        req.generation++;
        req.first_stride = 1 << random_below(5);
        colouring_set(&req.colouring, palette_builtin((size_t)random_below(3)), 1, 0);
        ok = backend_submit(p.backend, &req, &p.got.target);
        for (int polls = random_below(4); ok && polls > 0; polls--)
            ok = backend_poll(p.backend, random_below(3)).generation == req.generation;
    }
    while (ok && (p.got.report = backend_poll(p.backend, 50)).state == BACKEND_BUSY)
        continue;
    req.reuse = false;
    return ok && p.got.report.state == BACKEND_DONE && draw(p.fresh, &req, &p.want) &&
           same(&p.want, &p.got, "after a storm");
}

static bool check_backend(const char *name) {
    random_seed(seed);
    const bool ok = check_quarter(name) && check_walk(name, 200, 130, TYPE_DOUBLE) &&
                    check_walk(name, 131, 67, TYPE_DOUBLE) &&
                    check_walk(name, 90, 71, TYPE_FLOAT) && check_walk(name, 3, 150, TYPE_FLOAT) &&
                    check_walk(name, 80, 61, TYPE_WIDE) && check_storm(name);
    if (!ok)
        printf("%s failed with seed %" PRIu64 "\n", name, seed);
    return ok;
}

int main(int argc, char **argv) {
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    random_seed(seed);
    if (!check_maps()) {
        printf("maps are wrong, with seed %" PRIu64 "\n", seed);
        return 1;
    }
    mpfr_free_cache();
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "share the samples of coinciding grids");
}
