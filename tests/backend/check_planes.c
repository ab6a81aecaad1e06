/* Optional sample planes, on every backend. Values of norm2 are compared with a plain loop by
 * definition, while samples are kept, moved and continued. The plane is made only on request.
 * usage: check_planes [NAME]   (77: NAME cannot run on this machine) */
#include "render/grid/coords.h"
#include "tests/shared/judge.h"
#include "tests/shared/pictures.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  83
#define HEIGHT 61

/* --- reference computation --- */

#define NORM2(real)                                                                                \
    static float norm2_##real(real cr, real ci, uint32_t limit) {                                  \
        real zr = 0, zi = 0, n2 = 0;                                                               \
        uint32_t n = 0;                                                                            \
        do {                                                                                       \
            if (n++ == limit)                                                                      \
                return 0;                                                                          \
            judge_step_##real(FORMULA_mandelbrot, &zr, &zi, cr, ci);                               \
            n2 = judge_norm2_##real(zr, zi);                                                       \
        } while (n2 < 4);                                                                          \
        for (int i = 0; i < 32 && n2 < 65536; i++) {                                               \
            judge_step_##real(FORMULA_mandelbrot, &zr, &zi, cr, ci);                               \
            n2 = judge_norm2_##real(zr, zi);                                                       \
        }                                                                                          \
        return (float)n2 >= 65536 && isfinite((float)n2) ? (float)n2 : 0;                          \
    }
NORM2(float)
NORM2(double)

static bool judged(const struct frame_req *req, const struct picture *picture, const char *what) {
    size_t wrong = 0, there = 0;
    SCOPED_MADE(coords, coords, req);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const float got = picture->target.planes.norm2[y * WIDTH + x];
            float want, cr32, ci32;
            double cr, ci;
            if (req->type == TYPE_FLOAT) {
                coords_point_float(coords.f32, coords.layout, WIDTH, x, y, &cr32, &ci32);
                want = norm2_float(cr32, ci32, req->limit);
            } else {
                coords_point_double(coords.f64, coords.layout, WIDTH, x, y, &cr, &ci);
                want = norm2_double(cr, ci, req->limit);
            }
            there += want > 0;
            wrong += memcmp(&want, &got, sizeof want) != 0;
        }
    if (wrong > 0)
        printf("%s: %s: %zu of %d values of norm2 are wrong, %zu are not 0\n", subject, what, wrong,
               WIDTH * HEIGHT, there);
    return wrong == 0;
}

/* --- pictures --- */

static bool check_drawn(struct backend *backend, struct frame_req *req, struct picture *picture,
                        const char *what) {
    memset(picture->target.planes.norm2, 0xff, picture->pixels * sizeof(float));
    req->generation++;
    return draw(backend, req, picture) && judged(req, picture, what);
}

static bool check_values(struct backend *backend, struct frame_req *req, struct picture *picture) {
    static const struct place places[] = {
        {"-0.5", "0", "1.5", 0, 60}, {"-0.743643887037151", "0.131825904205330", "1e5", 20, 300},
        {"-2", "0", "1e8", 0, 90},   {"0", "0", "1e-6", 0, 17},
        {"0.3", "0.5", "2", 0, 0},
    };
    for (int i = 0; i < 20; i++) {
        set_place(req, &places[i % 5]);
        req->type = i & 1 ? TYPE_FLOAT : TYPE_DOUBLE;
        req->method = (enum method)(i % METHOD_COUNT);
        req->first_stride = 1 << i % 4;
        if (!check_drawn(backend, req, picture, "drawn"))
            return false;
    }
    req->method = METHOD_TILES;
    return true;
}

/* Checks pans and raised limits, which continue the same samples. */
static bool check_kept(struct backend *backend, struct frame_req *req, struct picture *picture) {
    set_place(req, &(struct place){"-0.743643887037151", "0.131825904205330", "1e4", 0, 100});
    for (int i = 0; i < 6; i++) {
        if (i & 1)
            view_pan(&req->view, 7 * i, 11 - 5 * i, HEIGHT);
        else
            req->limit += 60;
        if (!check_drawn(backend, req, picture, "gone on with"))
            return false;
        CHECK(i == 0 || picture->report.kept > 0);
    }
    return true;
}

/* Checks that samples without the plane do not serve a request for it; samples with it serve any
 * request. */
static bool check_asked(struct backend *backend, struct frame_req *req, struct picture *picture) {
    float *norm2 = picture->target.planes.norm2;
    req->planes = SAMPLE_BASIC;
    picture->target.planes.norm2 = NULL;
    req->generation++;
    CHECK(draw(backend, req, picture) && picture->report.iterations == 0);
    req->limit += 50; /* the new samples lack the plane */
    CHECK(draw(backend, req, picture) && picture->report.kept > 0);
    req->planes |= SAMPLE_PLANE_BIT(norm2);
    picture->target.planes.norm2 = norm2;
    CHECK(check_drawn(backend, req, picture, "asked for later"));
    CHECK(picture->report.kept == 0);
    return true;
}

/* Draws a request into a visible target, and then into a target that is read only when complete. */
static bool check_unseen(struct backend *backend, struct frame_req *req, struct picture *picture,
                         struct picture *unseen) {
    const struct target all = unseen->target;
    CHECK(check_drawn(backend, req, picture, "in sight"));
    CHECK(draw(backend, req, unseen) && same(picture, unseen, "not looked at"));
    CHECK(unseen->report.iterations + unseen->report.skipped ==
          picture->report.iterations + picture->report.skipped);
    unseen->target.planes = (struct sample_planes){0};
    CHECK(draw(backend, req, unseen));
    CHECK(memcmp(unseen->target.rgba, picture->target.rgba, 4 * unseen->pixels) == 0);
    CHECK(backend_submit(backend, req, &unseen->target));
    backend_cancel(backend);
    mark(unseen);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK(untouched(unseen, "cancelled"));
    unseen->target = all;
    return true;
}

/* Checks pictures that appear only when complete and are not continued, so that their samples need
 * not be kept. */
static bool check_at_once(struct backend *backend, struct frame_req *req, struct picture *picture) {
    static const uint32_t limits[] = {300, 1, 50, 0};
    SCOPED(picture, unseen, WIDTH, HEIGHT);
    unseen.target.at_once = true;
    bool ok = true;
    for (int i = 0; ok && i < 12; i++) {
        set_place(req, &(struct place){"-0.7", "0.3", "2", i & 1 ? 30 : 0, limits[i % 4]});
        req->type = i & 2 ? TYPE_FLOAT : TYPE_DOUBLE;
        req->method = i < 4 ? METHOD_TILES : i < 8 ? METHOD_ROWS : METHOD_DEEPEN;
        req->first_stride = 1 << i % 3;
        req->reuse = false;
        ok = check_unseen(backend, req, picture, &unseen);
        req->reuse = true;
        ok = ok && check_drawn(backend, req, picture, "after them");
    }
    return ok;
}

static bool check_backend(const char *name) {
    struct backend *backend = open_ready(name, plain);
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED(picture, picture, WIDTH, HEIGHT);
    sample_planes_finish(&picture.target.planes);
    req.planes |= SAMPLE_PLANE_BIT(norm2);
    const bool ok =
        backend &&
        sample_planes_init(&picture.target.planes, req.planes, picture.pixels, "a test") &&
        check_values(backend, &req, &picture) && check_kept(backend, &req, &picture) &&
        check_asked(backend, &req, &picture) && check_at_once(backend, &req, &picture);
    backend_close(backend);
    return ok;
}

int main(int argc, char **argv) {
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "make the planes asked for");
}
