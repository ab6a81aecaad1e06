/* Larger pictures: sizes of paper have the window's orientation and show all that the window shows;
 * their cost grows with pixels and samples. */
#include "app/still/enlarge.h"
#include "render/base/clock.h"
#include "tests/shared/check.h"
#include <dirent.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define A4 3 /* index of a size */

static struct enlarge_size size_in(int width_px, int height_px, int size, int resolution) {
    const struct explorer explorer = {.width_px = width_px, .height_px = height_px};
    const struct enlarge enlarge = {.resolution = resolution};
    return enlarge_size(&enlarge, size, &explorer);
}

static void check_sizes(void) {
    struct enlarge_size size = size_in(640, 480, 2, 0);
    CHECK(!size.paper && size.width_px == 5120 && size.height_px == 3840 && size.zoom == 1);
    size = size_in(640, 480, A4, 1);
    CHECK(size.paper && size.width_px == 3508 && size.height_px == 2480 && size.zoom == 1);
    size = size_in(480, 640, A4, 1);
    CHECK(size.width_px == 2480 && size.height_px == 3508 && size.zoom < 1);
    size = size_in(2000, 1000, A4 + 4, 2);
    CHECK(strcmp(size.name, "A0") == 0 && size.width_px == 28087 && size.height_px == 19866);
    CHECK(fabs(size.zoom - 28087.0 / 19866 / 2) < 1e-12);
    size = size_in(2000, 1000, A4 + 5, 1);
    CHECK(strcmp(size.name, "Letter") == 0 && size.width_px == 3300 && size.height_px == 2550);
}

static void learn(struct picture *picture, uint64_t kept, uint32_t limit) {
    const struct backend_report report = {
        .state = BACKEND_DONE, .iterations = 600000, .kept = kept, .device_ms = 6};
    moving_learn_rest(&picture->moving, 10000, limit, &report);
}

/* A sample takes as long as in the window on its processor, with fewer threads; a GPU's steps take
 * longer on the processor. Kept pixels are not counted, and raised limits add up. */
static void check_cost(void) {
    struct explorer explorer = {.width_px = 1000, .height_px = 500, .backend.name = "avx2"};
    struct picture picture = {.explorer = &explorer};
    struct enlarge enlarge = {.format = IMAGE_PPM, .options.threads = 4};
    CHECK(enlarge_cost(&enlarge, &picture).ms == 0);
    learn(&picture, 4000, 100);
    struct enlarge_cost cost = enlarge_cost(&enlarge, &picture);
    CHECK(fabs(cost.ms - 0.001 * 2e6 * 4 / 3) < 1e-6 && cost.disk_bytes == 6e6);
    learn(&picture, 9900, 1000);
    learn(&picture, 9900, 1000); /* part of a pan */
    cost = enlarge_cost(&enlarge, &picture);
    CHECK(fabs(cost.ms - 0.0016 * 2e6 * 4 / 3) < 1e-6);
    enlarge.samples = 2;
    enlarge.size = 1;
    CHECK(fabs(enlarge_cost(&enlarge, &picture).ms - 64 * cost.ms) < 1e-3);
    CHECK(!enlarge.idle.gpu && !enlarge.idle.other);
    enlarge.idle.gpu = &backend_null;
    CHECK(fabs(enlarge_cost(&enlarge, &picture).ms - 160 * 8e6 * 16 / 3 / 2e6) < 1e-3);
    enlarge.idle.other = true;
    CHECK(fabs(enlarge_cost(&enlarge, &picture).ms - 0.0016 * 8e6 * 16) < 1e-3);
    enlarge.size = A4 + 4;
    const struct enlarge_cost large = enlarge_cost(&enlarge, &picture);
    CHECK(large.memory_bytes < 1e9 && large.memory_bytes > cost.memory_bytes);
    enlarge.format = ENLARGE_DEEP_ZOOM;
    CHECK(enlarge_cost(&enlarge, &picture).disk_bytes > 1.3 * large.disk_bytes);
}

/* Reads the zoom of the only picture in a folder. */
static void check_zoom(const char *folder, double zoom) {
    char path[600] = "";
    DIR *files = opendir(folder);
    for (struct dirent *file; files && (file = readdir(files));)
        if (strstr(file->d_name, "A4-150dpi.ppm"))
            snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    if (files)
        closedir(files);
    SCOPED(scene, scene);
    CHECK(*path && scene_load(&scene, path));
    CHECK(scene.width_px == 1754 && scene.height_px == 1240);
    CHECK(fabs(mpfr_get_d(scene.view.zoom, MPFR_RNDN) - zoom) < 1e-12 * zoom);
    unlink(path);
}

/* A window that is wider than the paper. */
static void check_wide(void) {
    struct messages messages = {0};
    struct enlarge enlarge = {.folder = "larger", .messages = &messages, .size = A4};
    struct explorer explorer;
    struct scene scene;
    bool saved = false;
    scene_init(&scene);
    explorer_init(&explorer, &scene, 400, 200);
    const double zoom = mpfr_get_d(explorer.scene.view.zoom, MPFR_RNDN);
    enlarge.options.cpumask = ~0u;
    enlarge_start(&enlarge, &explorer);
    for (const double until = clock_ms() + 60000; enlarge_busy(&enlarge) && clock_ms() < until;) {
        enlarge_update(&enlarge, &saved);
        SDL_Delay(1);
    }
    CHECK(saved);
    check_zoom("larger", zoom * 1754 / 1240 / 2);
    enlarge_finish(&enlarge);
    explorer_finish(&explorer);
}

int main(void) {
    check_sizes();
    check_cost();
    check_wide();
    if (failures == 0)
        puts("all passed");
    return failures != 0;
}
