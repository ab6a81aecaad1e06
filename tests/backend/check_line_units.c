/* Distances in pictures of lines: samples that are kept have distances in pixels of the picture
 * that shows them. A picture at rest afterwards has the distances of a picture drawn afresh.
 * usage: check_line_units [NAME]   (77: NAME cannot run on this machine) */
#include "render/grid/sharing.h"
#include "tests/shared/pictures.h"
#include <math.h>

#define WIDTH  97
#define HEIGHT 65
#define PLANES (SAMPLE_BASIC | SAMPLE_SLOPE | SAMPLE_INSIDE)
#define MOVES  5

static size_t depths; /* number of depths that were compared */

static void make_picture(struct picture *picture) {
    picture_init(picture, WIDTH, HEIGHT);
    sample_planes_finish(&picture->target.planes);
    if (!sample_planes_init(&picture->target.planes, PLANES, picture->pixels, "a test"))
        abort();
}

/* Creates the lines of the view's grid. A line is taken from the previous picture if one of its
 * lines is exactly `factor` times nearer to the middle. */
static struct lines *make_lines(double factor, bool even) {
    static const int size[] = {WIDTH, HEIGHT};
    struct lines *lines = lines_create(WIDTH, HEIGHT);
    struct grid_line *line = lines ? lines->line : NULL;
    for (int axis = 0; line && axis < 2; axis++)
        for (int i = 0; i < size[axis]; i++, line++) {
            line->at = i + 0.5 - size[axis] / 2.0;
            const double from = line->at / factor + size[axis] / 2.0 - 0.5;
            if (from == rint(from) && from >= 0 && from < size[axis])
                line->from = (int)from;
        }
    if (!lines)
        abort();
    lines->even = even;
    lines->in_motion = !even;
    return lines;
}

static void follow(struct frame_req *req, const struct frame_req *before, double factor,
                   bool even) {
    lines_unref(req->lines);
    req->lines = make_lines(factor, even);
    req->generation++;
    sharing_follow(req->lines, req, before);
}

static bool is_right(float got, float want, bool exact) {
    return exact ? got == want : fabsf(got - want) <= 1e-5f * fabsf(want);
}

static bool same_planes(const struct picture *got, const struct picture *want, bool exact,
                        const char *what) {
    const struct sample_planes *g = &got->target.planes, *w = &want->target.planes;
    size_t wrong = 0, distances = 0;
    for (size_t i = 0; i < got->pixels; i++) {
        const bool inside = w->count[i] & SAMPLE_INTERIOR;
        wrong += !is_right(g->distance[i], w->distance[i], exact) ||
                 (inside && !is_right(g->depth[i], w->depth[i], exact));
        distances += w->distance[i] > 0;
        depths += inside && w->depth[i] > 0;
    }
    if (wrong == 0 && distances > 0)
        return same(want, got, what);
    printf("%s: %s: %zu samples are wrong, of %zu distances\n", subject, what, wrong, distances);
    return false;
}

/* Checks a camera that zooms in or out while some lines are kept, and then a picture at rest. */
static bool check_moves(const char *name, const char *zoom, double factor) {
    struct backend *backend = open_ready(name, plain), *fresh = open_ready(name, plain);
    struct frame_req before;
    uint64_t kept = 0;
    SCOPED_BY(make_picture, picture, got);
    SCOPED_BY(make_picture, picture, want);
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_place(&req, &(struct place){"-0.7436438870371", "0.1318259042053", zoom, 0, 300});
    req.planes = PLANES;
    req.generation = 1;
    req.reuse = true;
    req.whole_width_px = WIDTH;
    req.whole_height_px = HEIGHT;
    bool ok = backend && fresh && draw(backend, &req, &got);
    for (int i = 0; ok && i <= MOVES; i++) {
        const bool even = i == MOVES;
        frame_req_init_copy(&before, &req);
        if (!even)
            view_zoom_at(&req.view, factor, WIDTH / 2.0, HEIGHT / 2.0, WIDTH, HEIGHT);
        follow(&req, &before, even ? 1 : factor, even);
        struct frame_req alone = req;
        alone.reuse = false;
        ok = draw(backend, &req, &got) && draw(fresh, &alone, &want) &&
             same_planes(&got, &want, even, even ? "at rest" : "moving");
        kept += got.report.kept;
        frame_req_finish(&before);
    }
    const bool keeps = backend && backend_info(backend).caps & BACKEND_CAP_LINES;
    backend_close(backend);
    backend_close(fresh);
    if (ok && keeps && kept == 0)
        printf("%s: nothing was kept\n", subject);
    return ok && (!keeps || kept > 0);
}

static bool check_backend(const char *name) {
    depths = 0;
    return check_moves(name, "1.5", 2) && check_moves(name, "3e3", 3) &&
           check_moves(name, "1e5", 1.0 / 3) && depths > 0;
}

int main(int argc, char **argv) {
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "keep distances in pixels by lines");
}
