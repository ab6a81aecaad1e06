/* Enlarging: sizes of larger pictures, their cost, and the device that is idle. */
#include "app/still/bands.h"
#include "app/still/enlarge.h"
#include "app/still/still.h"
#include "cpu/cpu.h"
#include "render/backends.h"
#include "render/files/poster/poster.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FACTORS     3
#define GPUS_MOST   8
#define PIXEL_BYTES 32 /* memory of a pixel of a picture that is drawn at once, about */
#define MM_PER_INCH 25.4
/* Assumed speed of a processor's thread [steps per ms], if only a GPU's speed is known. */
#define DIRECT_STEPS_PER_MS    2e6
#define PERTURBED_STEPS_PER_MS 2e5

static const struct {
    const char *name;
    double short_mm, long_mm;
} sizes[ENLARGE_SIZES] = {{"2x", 0, 0},
                          {"4x", 0, 0},
                          {"8x", 0, 0},
                          {"A4", 210, 297},
                          {"A3", 297, 420},
                          {"A2", 420, 594},
                          {"A1", 594, 841},
                          {"A0", 841, 1189},
                          {"Letter", 215.9, 279.4},
                          {"Tabloid", 279.4, 431.8}};

int enlarge_dpi(int resolution) {
    return 150 << resolution;
}

int enlarge_sample_count(int samples) {
    return 1 << 2 * samples;
}

struct enlarge_size enlarge_size(const struct enlarge *enlarge, int size,
                                 const struct explorer *explorer) {
    const int width = explorer->width_px, height = explorer->height_px;
    if (size < FACTORS)
        return (struct enlarge_size){sizes[size].name, false, width << (size + 1),
                                     height << (size + 1), 1};
    const double dots = enlarge_dpi(enlarge->resolution) / MM_PER_INCH;
    const int less = (int)round(sizes[size].short_mm * dots);
    const int more = (int)round(sizes[size].long_mm * dots);
    struct enlarge_size found = {sizes[size].name, true, less, more, 1};
    if (width >= height) {
        found.width_px = more;
        found.height_px = less;
    }
    found.zoom = fmin((double)found.width_px * height / ((double)found.height_px * width), 1);
    return found;
}

/* --- devices --- */

static void find_idle(struct enlarge *enlarge, const struct backend_info *window) {
    struct enlarge_idle *idle = &enlarge->idle;
    if (idle->window == window->name && idle->ordinal == window->ordinal)
        return;
    *idle = (struct enlarge_idle){.window = window->name, .ordinal = window->ordinal};
    struct backend_options options = enlarge->options;
    const char *why;
    options.device = idle->device;
    options.automatic = true;
    for (const struct backend_impl *const *impl = backends_drawing; *impl; impl++)
        if (strcmp((*impl)->name, window->name) == 0)
            idle->gpu = (*impl)->gpu ? *impl : NULL;
    for (int i = 0; idle->gpu && !idle->other && !enlarge->options.device && i < GPUS_MOST; i++) {
        snprintf(idle->device, sizeof idle->device, "#%d", i);
        idle->other = i != window->ordinal && idle->gpu->usable(&options, &why);
    }
}

/* --- cost --- */

/* Returns the duration of a sample of a pixel [ms], judged by the window's pictures; 0: unknown. */
static double pixel_ms(const struct enlarge *enlarge, const struct picture *picture) {
    const struct moving *known = &picture->moving;
    const int threads = enlarge->options.threads > 0 ? enlarge->options.threads : cpu_threads();
    const int fewer = still_beside_window(&enlarge->options, threads).threads;
    if (enlarge->idle.other)
        return known->pixel_ms;
    if (!enlarge->idle.gpu)
        return known->pixel_ms * threads / fewer;
    return known->pixel_steps / fewer /
           (picture->req.route == ROUTE_DIRECT ? DIRECT_STEPS_PER_MS : PERTURBED_STEPS_PER_MS);
}

struct enlarge_cost enlarge_cost(struct enlarge *enlarge, const struct picture *picture) {
    const struct explorer *explorer = picture->explorer;
    const struct enlarge_size size = enlarge_size(enlarge, enlarge->size, explorer);
    const double pixels = (double)size.width_px * size.height_px;
    const struct poster_shape shape = {.width_px = size.width_px,
                                       .height_px = size.height_px,
                                       .levels =
                                           enlarge->format == ENLARGE_DEEP_ZOOM
                                               ? poster_levels(size.width_px, size.height_px, 1)
                                               : 1};
    if (explorer->backend.name)
        find_idle(enlarge, &explorer->backend);
    const bool poster = enlarge->format >= IMAGE_FORMATS;
    return (struct enlarge_cost){
        .ms = pixel_ms(enlarge, picture) * pixels * enlarge_sample_count(enlarge->samples),
        .memory_bytes = fmin(BANDS_MEMORY_BYTES, PIXEL_BYTES * pixels) +
                        (enlarge->format == IMAGE_WEBP ? 4 * pixels : 0),
        .disk_bytes = poster ? (double)poster_bytes_most(&shape) : 3 * pixels};
}
