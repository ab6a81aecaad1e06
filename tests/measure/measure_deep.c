/* Not a test: measures pictures of deep places, first without a reference, then with one: the whole
 * picture, and its kernels' share. By hand:
 *     FATHOM_SOURCE=. build/tests/measure_deep BACKEND WIDTH HEIGHT REPEATS PLACE...
 * PLACE is a name in tests/data/locations; with a colon after it the picture is drawn in doubles,
 * even if they are found to be insufficient. Prints medians of REPEATS runs, each slightly deeper
 * than the one before. */
#include "cpu/cpu.h"
#include "render/backends.h"
#include "render/palette.h"
#include "tests/deep/truth.h"

#define REPEATS_MOST 99
#define DEEPER       1.01

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

static void measure(struct backend *backend, const char *of, int width_px, int height_px,
                    int repeats) {
    double whole[REPEATS_MOST], kernels[REPEATS_MOST];
    struct scene scene;
    struct frame_req req;
    struct backend_report report = {0}, cold;
    struct target target = {.rgba = malloc(4 * (size_t)width_px * (size_t)height_px)};
    const size_t name = strcspn(of, ":");
    char place[64];
    snprintf(place, sizeof place, "%.*s", (int)name, of);
    frame_req_init(&req, 1, 1);
    scene_init(&scene);
    if (!target.rgba || !truth_read_location(&scene, place))
        abort();
    scene.width_px = width_px;
    scene.height_px = height_px;
    still_request(&scene, SHORTCUTS_ALL, &req);
    req.widen = req.widen && of[name] != ':';
    bool ok = backend_draw(backend, &req, &target, NULL, NULL, &cold);
    for (int i = 0; i < repeats && ok; i++) {
        view_zoom_at(&req.view, DEEPER, 0.5 * width_px, 0.5 * height_px, width_px, height_px);
        req.generation++;
        ok = backend_draw(backend, &req, &target, NULL, NULL, &report);
        whole[i] = report.elapsed_ms;
        kernels[i] = report.device_ms;
    }
    if (ok)
        printf("%-16s cold: reference %8.2f ms (%u), picture %7.2f; then %7.3f ms, kernels %7.3f\n",
               of, cold.reference.made_ms, cold.reference.length, cold.elapsed_ms,
               median(whole, repeats), median(kernels, repeats));
    frame_req_finish(&req);
    scene_finish(&scene);
    free(target.rgba);
}

int main(int argc, char **argv) {
    const struct backend_options options = {.cpumask = ~0u, .engine = orbit_fastest(~0u)};
    const int width_px = argc > 5 ? atoi(argv[2]) : 0, height_px = argc > 5 ? atoi(argv[3]) : 0,
              repeats = argc > 5 ? atoi(argv[4]) : 0;
    if (width_px < 1 || height_px < 1 || repeats < 1 || repeats > REPEATS_MOST || !palette_ready())
        return 2;
    for (int i = 5; i < argc; i++) {
        struct backend *backend = backend_open(backends_all, argv[1], &options);
        if (!backend)
            return 1;
        measure(backend, argv[i], width_px, height_px, repeats);
        backend_close(backend);
    }
    return 0;
}
