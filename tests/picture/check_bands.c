/* Pictures in bands: the same files as without bands, for every method, number of samples and
 * angle; and no file remains of a picture that fails. */
#include "app/still/bands.h"
#include "render/backends.h"
#include "render/base/atomic_file.h"
#include "render/palette.h"
#include "tests/shared/mutate.h"

#define WIDTH  150
#define HEIGHT 333

static struct backend *backend;

static void set_up(struct frame_req *req, enum method method, double degrees) {
    const char *why;
    frame_req_init(req, WIDTH, HEIGHT);
    req->method = method;
    req->limit = 300;
    req->reuse = false;
    CHECK(view_set_centre(&req->view, "-0.7463", "0.1102", 0, &why));
    CHECK(view_set_zoom(&req->view, "70", &why));
    CHECK(view_set_angle_degrees(&req->view, degrees, &why));
}

/* Draws into files of that name. Returns false as bands_draw does. */
static bool draw(const struct frame_req *req, uint32_t samples, uint64_t memory_bytes,
                 const char *name, int *count, uint64_t *steps) {
    char picture[40], data[40], smooth[40];
    snprintf(picture, sizeof picture, "%s.ppm", name);
    snprintf(data, sizeof data, "%s-data.npy", name);
    snprintf(smooth, sizeof smooth, "%s-smooth.npy", name);
    const struct options options = {.output = picture, .data = data, .smooth = smooth};
    struct outputs outputs;
    CHECK(outputs_open(&outputs, &options, req, "a picture"));
    struct bands bands = {.backend = backend,
                          .req = req,
                          .outputs = &outputs,
                          .memory_bytes = memory_bytes,
                          .samples = samples};
    const bool ok = bands_draw(&bands);
    *count = bands.count;
    *steps = bands.iterations + bands.skipped;
    return ok && outputs_commit(&outputs);
}

static void check_same(const char *ending) {
    char a[40], b[40];
    size_t length_a = 0, length_b = 0;
    snprintf(a, sizeof a, "once%s", ending);
    snprintf(b, sizeof b, "bands%s", ending);
    char *once = file_read(a, 1 << 24, &length_a), *bands = file_read(b, 1 << 24, &length_b);
    CHECK(once && bands && length_a == length_b && memcmp(once, bands, length_a) == 0);
    free(once);
    free(bands);
}

/* Returns the sum of the counts in a .npy file of <u4. */
static uint64_t sum_of(const char *path) {
    size_t length = 0;
    char *data = file_read(path, 1 << 24, &length);
    uint64_t sum = 0;
    CHECK(data && length > 4 * WIDTH * HEIGHT);
    for (size_t i = 0; data && i < WIDTH * HEIGHT; i++) {
        uint32_t count;
        memcpy(&count, data + length - 4 * WIDTH * HEIGHT + 4 * i, sizeof count);
        sum += count;
    }
    free(data);
    return sum;
}

static void check_bands(enum method method, double degrees, uint32_t samples) {
    int once, several;
    uint64_t steps_once, steps_several;
    SCOPED_BY(set_up, frame_req, req, method, degrees);
    CHECK(draw(&req, samples, BANDS_MEMORY_BYTES, "once", &once, &steps_once) && once == 1);
    CHECK(draw(&req, samples, 1000000, "bands", &several, &steps_several) && several > 2);
    /* Every step is counted once; with several samples there are more steps than in the written
     * counts. */
    const uint64_t sum = sum_of("once-data.npy");
    CHECK(samples == 1 ? steps_once == sum && steps_several == sum
                       : steps_once > sum && steps_several >= steps_once);
    check_same(".ppm");
    check_same("-data.npy");
    check_same("-smooth.npy");
}

static void check_full_disk(void) {
    SCOPED_BY(set_up, frame_req, req, METHOD_TILES, 0);
    file_put("kept.npy", "old", 3);
    const struct options options = {.output = "/dev/full", .data = "kept.npy"};
    struct outputs outputs;
    CHECK(outputs_open(&outputs, &options, &req, NULL));
    struct bands bands = {.backend = backend,
                          .req = &req,
                          .outputs = &outputs,
                          .memory_bytes = 1000000,
                          .samples = 1};
    CHECK_REFUSED(bands_draw(&bands), "'/dev/full': No space left");
    outputs_abandon(&outputs);
    size_t length;
    char *kept = file_read("kept.npy", 10, &length);
    CHECK(kept && strcmp(kept, "old") == 0);
    CHECK(names_with(".tmp") == 0);
    free(kept);
}

int main(void) {
    const struct backend_options options = {.cpumask = ~0u};
    backend = backend_open(backends_all, NULL, &options);
    CHECK(backend);
    if (!backend)
        return 1;
    check_bands(METHOD_TILES, 0, 1);
    check_bands(METHOD_TILES, 30, 1);
    check_bands(METHOD_ROWS, 0, 1);
    check_bands(METHOD_DEEPEN, 0, 1);
    check_bands(METHOD_TILES, 0, 2);
    check_bands(METHOD_TILES, -75, 11);
    check_full_disk();
    backend_close(backend);
    if (failures == 0)
        puts("all passed");
    return failures != 0;
}
