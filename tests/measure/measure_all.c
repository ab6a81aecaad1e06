/* Not a test: how long whole pictures take on each device alone and on all of them together, in turns;
 * and what splitting costs by itself ("twice": the processor as two devices, which draw no faster). By hand on a
 * quiet machine:
 *     build/tests/measure_all [WIDTH HEIGHT [REPEATS [NAME ...]]]
 * Median ms by the clock, from submit to done, and of processor time, into host memory: "file" as `fathom render` does, "window" as
 * a window that uploads from there does. */
#include "render/all/backend_all.h"
#include "render/backends.h"
#include "render/base/memory.h"
#include "tests/shared/pictures.h"

#define NAMES_MOST   8
#define REPEATS_MOST 99
#define WARM_UP      2 /* pictures of each that are not measured; speeds are, in these */

static const struct backend_impl *const *const processor_twice[] = {backends_cpu, backends_cpu,
                                                                    NULL};
BACKEND_ALL(backend_twice, "twice", processor_twice, 0);

static int width_px = 3840, height_px = 2160, repeats = 7;

static const struct {
    const char *what;
    struct place place; /* the zoom of a picture of 16:9 */
    double width;       /* of it, in the plane */
} views[] = {
    {"whole set, 1000", {"-0.5", "0", "", 0, 1000}, 3},
    {"whole set, 1000, no interior tests", {"-0.5", "0", "", 0, 1000}, 3},
    {"interior, 10,000, no interior tests", {"-0.1", "0", "", 0, 10000}, 0.0384},
    {"seahorse, 5000", {"-0.743643887037151", "0.131825904205330", "", 0, 5000}, 1e-6},
};

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void set_request(struct frame_req *req, int view, bool file) {
    char zoom[40];
    struct place place = views[view].place;
    snprintf(zoom, sizeof zoom, "%.17g", 4 * width_px / (views[view].width * height_px));
    place.zoom = zoom;
    frame_req_init(req, width_px, height_px);
    set_place(req, &place);
    req->shortcuts = strstr(views[view].what, "no interior") ? SHORTCUTS_NONE : SHORTCUTS_ALL;
    req->reuse = !file;
}

/* Each picture is another one: nothing is kept. */
static void draw_once(struct backend *backend, struct frame_req *req, const struct target *target,
                      double *ms, double *processor_ms) {
    struct backend_report report;
    req->generation++;
    view_pan(&req->view, 0.37, 0, height_px);
    const double start = clock_ms(), worked = worked_ms();
    if (!backend_draw(backend, req, target, NULL, NULL, &report))
        abort();
    *ms = clock_ms() - start;
    *processor_ms = worked_ms() - worked;
}

static double median(double *values) {
    qsort(values, (size_t)repeats, sizeof *values, ascending);
    return values[repeats / 2];
}

static void measure(int view, bool file, struct backend *const *backends, int count,
                    const struct target *target) {
    static double ms[NAMES_MOST][REPEATS_MOST], processor_ms[NAMES_MOST][REPEATS_MOST];
    struct target lent = *target;
    struct frame_req req;
    set_request(&req, view, file);
    lent.at_once = file;
    for (int i = -WARM_UP; i < repeats; i++)
        for (int b = 0; b < count; b++)
            draw_once(backends[b], &req, &lent, &ms[b][i < 0 ? 0 : i],
                      &processor_ms[b][i < 0 ? 0 : i]);
    printf("%-36s %-6s", views[view].what, file ? "file" : "window");
    for (int b = 0; b < count; b++)
        printf(" %9.2f (%9.2f)", median(ms[b]), median(processor_ms[b]));
    putchar('\n');
    fflush(stdout);
    frame_req_finish(&req);
}

/* NULL: it cannot run here. */
static struct backend *open_one(const struct backend_impl *impl) {
    const struct backend_impl *const list[] = {impl, NULL};
    const char *why = "";
    struct backend *backend =
        impl->usable(&plain, &why) ? backend_open(list, impl->name, &plain) : NULL;
    while (backend && !backend_info(backend).ready)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (backend)
        printf("%s: %s\n", impl->name, backend_info(backend).device);
    return backend;
}

/* All that can run here, of the processor's the best, or those of these names. */
static int open_backends(char **names, int name_count, struct backend **backends) {
    int count = 0;
    bool processor = false;
    for (int i = 0; i == 0 || backends_all[i - 1]; i++) {
        const struct backend_impl *impl = backends_all[i] ? backends_all[i] : &backend_twice;
        bool cpu = false, wanted = false;
        for (int c = 0; backends_cpu[c]; c++)
            cpu = cpu || backends_cpu[c] == impl;
        for (int n = 0; n < name_count; n++)
            wanted = wanted || strcmp(names[n], impl->name) == 0;
        if (name_count == 0)
            wanted = impl != &backend_null && !(cpu && processor);
        backends[count] = wanted && count < NAMES_MOST ? open_one(impl) : NULL;
        processor = processor || (cpu && backends[count]);
        count += backends[count] != NULL;
    }
    return count;
}

int main(int argc, char **argv) {
    struct backend *backends[NAMES_MOST + 1];
    width_px = argc > 2 ? atoi(argv[1]) : width_px;
    height_px = argc > 2 ? atoi(argv[2]) : height_px;
    repeats = argc > 3 ? atoi(argv[3]) : repeats;
    if (width_px < 1 || height_px < 1 || repeats < 1 || repeats > REPEATS_MOST)
        return 2;
    const int count = open_backends(argv + 4, argc > 4 ? argc - 4 : 0, backends);
    const struct target target = {
        .rgba = memory_alloc((size_t)width_px * (size_t)height_px * 4, "a measure")};
    if (!target.rgba || count == 0)
        return 1;
    printf("%dx%d, double, median of %d\n%-43s", width_px, height_px, repeats, "");
    for (int b = 0; b < count; b++)
        printf(" %21s", backend_info(backends[b]).name);
    putchar('\n');
    for (int view = 0; view < (int)(sizeof views / sizeof *views); view++)
        for (int file = 1; file >= 0; file--)
            measure(view, file, backends, count, &target);
    for (int b = 0; b < count; b++)
        backend_close(backends[b]);
    free(target.rgba);
    return 0;
}
