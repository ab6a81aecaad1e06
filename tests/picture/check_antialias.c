/* Anti-aliasing at rest, with a real backend and a presenter that keeps pixels: the picture shown
 * with n samples must equal a picture of n samples. It comes in a finite number of steps, whatever
 * happens in between, and keeps the plain samples. */
#include "app/picture/antialias.h"
#include "cpu/cpu.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/palette.h"
#include "tests/shared/check.h"
#include <time.h>

#define WIDTH       301 /* several slices */
#define HEIGHT      300
#define PATIENCE_MS 30000.0 /* [ms] for work of a few milliseconds */
#define PIXELS      ((size_t)WIDTH * HEIGHT)

/* --- a presenter --- */

static uint32_t drawn[PIXELS], shown[PIXELS];
static int rows = HEIGHT; /* rows of the drawn picture */

void presenter_copy(const struct presenter *presenter, uint32_t *rgba) {
    (void)presenter;
    memcpy(rgba, drawn, (size_t)rows * WIDTH * sizeof *rgba);
}

void presenter_replace(struct presenter *presenter, int first, int count, const uint32_t *rgba) {
    (void)presenter;
    CHECK(first >= 0 && count > 0 && first + count <= rows);
    memcpy(shown + (size_t)first * WIDTH, rgba, (size_t)count * WIDTH * sizeof *rgba);
}

/* --- expected pictures --- */

static struct backend *backend, *beside, *judge;

static void set_up(struct frame_req *req, uint64_t generation) {
    const char *why;
    frame_req_init(req, WIDTH, HEIGHT);
    req->limit = 200;
    req->generation = generation;
    CHECK(view_set_centre(&req->view, "-0.7463", "0.1102", 0, &why));
    CHECK(view_set_zoom(&req->view, "40", &why));
}

static struct backend_report draw(struct backend *with, const struct frame_req *req,
                                  uint32_t *rgba) {
    struct backend_report report;
    CHECK(backend_draw(with, req, &(struct target){.rgba = rgba}, NULL, NULL, &report));
    return report;
}

static void draw_samples(const struct frame_req *req, uint32_t samples, uint32_t *mean) {
    static uint32_t rgba[PIXELS];
    SCOPED_COPY(frame_req, one, req);
    one.reuse = false;
    SCOPED_MADE(accumulator, sums, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < samples; i++) {
        accumulate_offset(i, &one.offset_x, &one.offset_y);
        draw(judge, &one, rgba);
        accumulator_add(&sums, i, 0, HEIGHT, rgba, false, false);
    }
    accumulator_set_samples(&sums, samples);
    accumulator_mean(&sums, 0, HEIGHT, mean);
}

/* --- */

/* Steps until the wanted number of samples is shown. */
static void step_until(struct antialias *antialias, const struct frame_req *req, uint32_t wanted,
                       uint32_t samples) {
    bool news = false;
    const double until = clock_ms() + PATIENCE_MS;
    while (!news || antialias->shown != samples) {
        if (clock_ms() > until) {
            printf("%u of %u samples are shown, not %u, after %g s\n", antialias->shown, wanted,
                   samples, PATIENCE_MS / 1000);
            failures++;
            return;
        }
        if (antialias_step(antialias, beside, NULL, req, wanted, &news) != ANTIALIAS_WORKS) {
            CHECK(!"works");
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

static void check_numbers(struct antialias *antialias, const struct frame_req *req,
                          uint32_t wanted) {
    static uint32_t expected[PIXELS];
    bool news;
    for (uint32_t n = 2; n < 2 * wanted; n *= 2) {
        const uint32_t samples = n < wanted ? n : wanted;
        step_until(antialias, req, wanted, samples);
        CHECK(antialias_whole(antialias));
        draw_samples(req, samples, expected);
        CHECK(memcmp(expected, shown, sizeof shown) == 0);
    }
    CHECK(antialias_step(antialias, beside, NULL, req, wanted, &news) == ANTIALIAS_DONE && !news);
}

/* Checks that after anti-aliasing a pan and a recolouring keep all samples. */
static void check_kept(struct antialias *antialias, struct frame_req *req) {
    static uint32_t rgba[PIXELS];
    draw(backend, req, drawn);
    step_until(antialias, req, 64, 4);
    backend_cancel(beside);
    antialias_stop(antialias);
    req->generation++;
    const struct backend_report same = draw(backend, req, rgba);
    CHECK(same.kept == PIXELS && same.iterations == 0);
    CHECK(memcmp(rgba, drawn, sizeof rgba) == 0);
    step_until(antialias, req, 64, 2);
    backend_cancel(beside);
    antialias_stop(antialias);
    req->generation++;
    view_pan(&req->view, 20, 10, HEIGHT);
    CHECK(draw(backend, req, rgba).kept == (size_t)(WIDTH - 20) * (HEIGHT - 10));
    req->reuse = false;
    draw(backend, req, drawn);
    CHECK(memcmp(rgba, drawn, sizeof rgba) == 0);
    req->reuse = true;
}

/* Checks that memory follows a change of either size. */
static void check_height(struct antialias *antialias, const struct frame_req *req) {
    bool news;
    SCOPED_COPY(frame_req, half, req);
    half.generation++;
    half.height_px = rows = HEIGHT / 2;
    CHECK(antialias_step(antialias, beside, NULL, &half, 2, &news) == ANTIALIAS_WORKS);
    CHECK(antialias->width_px == WIDTH && antialias->height_px == HEIGHT / 2);
    backend_cancel(beside);
    antialias_stop(antialias);
    rows = HEIGHT;
}

int main(void) {
    const struct backend_options options = {.cpumask = ~0u};
    struct backend_options lost = options;
    const char *why;
    const char *name = backend_avx2.usable(&options, &why) ? "avx2" : "scalar";
    struct antialias antialias = {0};
    bool news;
    backend = backend_open(backends_all, name, &options);
    beside = backend_another(backend, BACKEND_REST);
    judge = backend_open(backends_all, "scalar", &options);
    if (!beside || !judge)
        return 1;
    SCOPED_BY(set_up, frame_req, req, 1);
    check_kept(&antialias, &req);
    check_numbers(&antialias, &req, 16);
    check_height(&antialias, &req);
    check_numbers(&antialias, &req, 7); /* another number of samples requires another picture */
    req.generation++;
    req.limit = 30;
    draw(backend, &req, drawn);
    check_numbers(&antialias, &req, 2);
    backend_close(backend);
    backend_close(beside);

    lost.lose_after = 2;
    backend = backend_open(backends_all, name, &lost);
    beside = backend_another(backend, BACKEND_REST);
    antialias_stop(&antialias);
    draw(backend, &req, drawn);
    enum antialias_state state = ANTIALIAS_WORKS;
    const double until = clock_ms() + PATIENCE_MS;
    while (state == ANTIALIAS_WORKS && clock_ms() < until)
        state = antialias_step(&antialias, beside, NULL, &req, 64, &news);
    CHECK(state == ANTIALIAS_LOST);
    backend_close(backend);
    backend_close(beside);
    backend_close(judge);
    antialias_finish(&antialias);
    if (failures == 0)
        puts("all passed");
    return failures != 0;
}
