/* Not a test: measures the cost of a whole picture besides its kernels, as a ratio to two threads
 * that fill 24 fresh bytes a pixel, in turns; the cost of recolouring compared with a new request;
 * and Julia sets in an inset. By hand on a quiet machine:
 *     build/tests/measure_picture [BACKEND [WIDTH HEIGHT [REPEATS]]]
 * "file": a new backend with new memory, as in `fathom render`. "window": one backend that
 * continues drawing. Times are CPU time of all threads, except for submit, so that other programs
 * matter little. */
#include "render/base/memory.h"
#include "render/palette.h"
#include "tests/shared/pictures.h"
#include <math.h>
#include <pthread.h>

#define FILL_BYTES   24
#define REPEATS_MOST 99

static int width_px = 3000, height_px = 2000, repeats = 7;

static size_t pixels(void) {
    return (size_t)width_px * (size_t)height_px;
}

/* --- times --- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, (size_t)repeats, sizeof *values, ascending);
    return values[repeats / 2];
}

static void *fill_half(void *memory) {
    memset(memory, 0x5a, pixels() * FILL_BYTES / 2);
    return NULL;
}

static double fill_ms(void) {
    const double start = worked_ms();
    char *memory = malloc(pixels() * FILL_BYTES);
    pthread_t other;
    if (!memory || pthread_create(&other, NULL, fill_half, memory) != 0)
        abort();
    fill_half(memory + pixels() * FILL_BYTES / 2);
    pthread_join(other, NULL);
    const double took = worked_ms() - start;
    free(memory);
    return took;
}

struct cost {
    double submit_ms, whole_ms; /* by the clock; CPU time of all threads */
};

static struct cost finish(struct backend *backend, double worked, double submit_ms) {
    struct backend_report report;
    while ((report = backend_poll(backend, 50)).state == BACKEND_BUSY)
        continue;
    if (report.state != BACKEND_DONE)
        abort();
    return (struct cost){submit_ms, worked_ms() - worked};
}

static struct cost draw_once(struct backend *backend, const struct frame_req *req,
                             const struct target *target) {
    const double start = clock_ms(), worked = worked_ms();
    if (!backend_submit(backend, req, target))
        abort();
    return finish(backend, worked, clock_ms() - start);
}

static struct cost file_cost(const char *name, const struct frame_req *req) {
    struct backend *backend = open_ready(name, plain);
    struct frame_req once = *req;
    once.reuse = false;
    const double start = clock_ms(), worked = worked_ms();
    const struct target target = {.rgba = memory_alloc(4 * pixels(), "a measure"), .at_once = true};
    if (!backend || !target.rgba || !backend_submit(backend, &once, &target))
        abort();
    const struct cost cost = finish(backend, worked, clock_ms() - start);
    free(target.rgba);
    backend_close(backend);
    return cost;
}

/* Sets other colours; in a picture with slopes also a moved light, and two layers. */
static void set_colours(struct frame_req *req, int turn) {
    colouring_set(&req->colouring, palette_builtin(turn & 1), 1, 0.01 * (turn % 100));
    if (req->planes & SAMPLE_SLOPE)
        req->colouring.layers = (struct layers){
            {{LAYER_LIGHT, LAYER_OVERLAY, 200}, {LAYER_DISTANCE, LAYER_MULTIPLY, 99}},
            160 * (turn % 100),
            16000,
            30000};
}

static double recolour_ms(struct backend *backend, struct frame_req *req, int turn) {
    const double start = clock_ms(), worked = worked_ms();
    set_colours(req, turn);
    const uint64_t from = req->generation++;
    if (!backend_recolour(backend, from, req->generation,
                          &(struct look){.colouring = req->colouring}))
        abort();
    return finish(backend, worked, clock_ms() - start).whole_ms;
}

static double resubmit_ms(struct backend *backend, struct frame_req *req, int turn,
                          const struct target *target) {
    set_colours(req, turn);
    req->generation++;
    return draw_once(backend, req, target).whole_ms;
}

/* --- tables --- */

static void measure(const char *name, struct backend *window, struct frame_req *req,
                    const struct target *target) {
    double fill[REPEATS_MOST], file[REPEATS_MOST], shown[REPEATS_MOST], submit[REPEATS_MOST],
        colours[REPEATS_MOST], again[REPEATS_MOST];
    for (int i = 0; i < repeats; i++) {
        fill[i] = fill_ms();
        const struct cost in_file = file_cost(name, req);
        file[i] = in_file.whole_ms / fill[i];
        view_pan(&req->view, 3.0 * width_px, 0, height_px); /* shares no samples, ... */
        req->generation++;
        draw_once(window, req, target);
        view_pan(&req->view, -3.0 * width_px, 0, height_px); /* so this picture reuses none */
        req->generation++;
        const struct cost seen = draw_once(window, req, target);
        shown[i] = seen.whole_ms / fill[i];
        submit[i] = seen.submit_ms;
        colours[i] = recolour_ms(window, req, i);
        again[i] = resubmit_ms(window, req, i + 1, target);
    }
    const double unit = median(fill);
    printf("%5u its%s: fill %.1f ms; file %.2f, window %.2f of that; submit %.2f ms; recolour %.2f "
           "ms, "
           "submitted again %.2f ms\n",
           req->limit, req->planes & SAMPLE_SLOPE ? ", layers" : "", unit, median(file),
           median(shown), median(submit), median(colours), median(again));
}

/* Measures Julia sets in an inset, as a window of 1080 rows requests them, along a line around the
 * set, by the clock. */
static void measure_inset(struct backend *window) {
    enum { WIDTH = 405, HEIGHT = 324, MOVES = 60 };
    static uint32_t rgba[WIDTH * HEIGHT];
    const struct target target = {.rgba = rgba};
    double took[MOVES];
    struct frame_req req;
    frame_req_init(&req, WIDTH, HEIGHT);
    set_place(&req, &(struct place){"0", "0", "1", 0, 1000});
    req.fractal.julia = true;
    req.reuse = false;
    for (int i = 0; i < MOVES; i++) {
        const double turn = 6.283185307179586 * i / MOVES;
        mpfr_set_d(req.fractal.re, cos(turn) * 0.51 - cos(2 * turn) * 0.26, MPFR_RNDN);
        mpfr_set_d(req.fractal.im, sin(turn) * 0.51 - sin(2 * turn) * 0.26, MPFR_RNDN);
        req.generation++;
        const double start = clock_ms();
        draw_once(window, &req, &target);
        took[i] = clock_ms() - start;
    }
    frame_req_finish(&req);
    qsort(took, MOVES, sizeof *took, ascending);
    printf("insets with Julia sets: %.2f ms by the clock, the slowest %.2f\n", took[MOVES / 2],
           took[MOVES - 1]);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "avx2";
    width_px = argc > 3 ? atoi(argv[2]) : width_px;
    height_px = argc > 3 ? atoi(argv[3]) : height_px;
    repeats = argc > 4 ? atoi(argv[4]) : repeats;
    if (width_px < 1 || height_px < 1 || repeats < 1 || repeats > REPEATS_MOST)
        return 2;
    struct backend_options options = plain;
    options.low_priority = true;
    struct backend *window = open_ready(name, options);
    struct frame_req req;
    frame_req_init(&req, width_px, height_px);
    const struct target target = {.rgba = memory_alloc(4 * pixels(), "a measure")};
    if (!window || !target.rgba)
        return 1;
    set_place(&req, &(struct place){"-0.5", "0", "1.3333333333333333", 0, 1});
    static const uint32_t limits[] = {1, 1000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        req.limit = limits[i];
        measure(name, window, &req, &target);
    }
    req.planes |= SAMPLE_SLOPE;
    measure(name, window, &req, &target);
    measure_inset(window);
    backend_close(window);
    frame_req_finish(&req);
    free(target.rgba);
    return 0;
}
