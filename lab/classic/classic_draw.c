/* Picture of seed 000: computes coordinates and colours as the seed's text does, to the byte. Draws
 * it in bands, since it may be larger than memory, together with their mirror images. */
#include "lab/classic/classic_draw.h"
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "cpu/threads.h"
#include "lab/gpu/gpu.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CENTRE_RE  (-0.6)
#define CENTRE_IM  0.0
#define WIDTH      4.0
#define BAND_BYTES ((size_t)32 << 20)
#define IMPLS_MAX  32

#define SHADES 16
static const uint8_t shades[SHADES][3] = {
    {66, 30, 15},    {25, 7, 26},     {9, 1, 47},      {4, 4, 73},
    {0, 7, 100},     {12, 44, 138},   {24, 82, 177},   {57, 125, 209},
    {134, 181, 229}, {211, 236, 248}, {241, 233, 191}, {248, 201, 95},
    {255, 170, 0},   {204, 128, 0},   {153, 87, 0},    {106, 52, 3}};

bool classic_picture_init(struct classic_picture *classic, int width_px, int height_px) {
    const double scale = WIDTH / width_px;
    *classic = (struct classic_picture){.width_px = width_px, .height_px = height_px};
    classic->re = malloc((size_t)width_px * sizeof *classic->re);
    classic->im = malloc((size_t)height_px * sizeof *classic->im);
    if (!classic->re || !classic->im) {
        log_error("not enough memory for the coordinates of %dx%d pixels", width_px, height_px);
        return false;
    }
    for (int j = 0; j < width_px; j++)
        classic->re[j] = (j - width_px / 2) * scale + CENTRE_RE;
    for (int i = 0; i < height_px; i++)
        classic->im[height_px - 1 - i] = (i - height_px / 2) * scale + CENTRE_IM;
    classic->middle_row = height_px - 1 - height_px / 2;
    for (unsigned n = 1; n < CLASSIC_LIMIT; n++)
        for (int k = 0; k < 3; k++)
            classic->colours[n] |= (uint32_t)shades[n % SHADES][k] << 8 * k;
    return true;
}

void classic_picture_finish(struct classic_picture *classic) {
    free(classic->re);
    free(classic->im);
    *classic = (struct classic_picture){0};
}

struct classic_device {
    const struct backend_impl *impl;
    uint32_t cpu_flags;
    int threads;
    int band_rows; /* rows drawn at a time */
    uint8_t *band; /* memory of the GPU, if there is one */
    char name[64];
    struct lab_gpu *gpu; /* NULL: the CPU draws */
};

/* --- CPU --- */

struct shading {
    const struct classic_picture *classic;
    uint8_t *band;
};

/* Colours a row. The fourth byte that is written for each pixel is overwritten by the next
 * pixel. */
static void shade_row(void *user, int row, const uint32_t *count) {
    const struct shading *s = user;
    const size_t width = (size_t)s->classic->width_px;
    uint8_t *rgb = s->band + 3 * width * (size_t)row;
    for (size_t x = 0; x < width; x++, rgb += 3)
        memcpy(rgb, &s->classic->colours[count[x]], x + 1 < width ? 4 : 3);
}

static bool draw_on_cpu(const struct classic_device *device, const struct classic_job *job,
                        int first, int rows) {
    struct shading shading = {job->classic, device->band};
    const struct count_job count = {.width_px = job->classic->width_px,
                                    .height_px = rows,
                                    .re = job->classic->re,
                                    .im = job->classic->im + first,
                                    .type = TYPE_DOUBLE,
                                    .shortcuts = job->shortcuts,
                                    .limit = CLASSIC_LIMIT,
                                    .cpu_flags = device->cpu_flags,
                                    .threads = device->threads,
                                    .stop = job->stop,
                                    .row_done = shade_row,
                                    .user = &shading};
    return count_draw(&count);
}

static bool create_cpu(struct classic_device *device, const struct backend_options *options,
                       const struct classic_picture *classic) {
    device->cpu_flags = cpu_flags_of(device->impl->name, cpu_flags(options->cpumask));
    device->threads = threads_fit(options->threads > 0 ? options->threads : cpu_threads());
    device->band = malloc(3 * (size_t)classic->width_px * (size_t)device->band_rows);
    if (!device->band)
        log_error("no memory to draw rows of %d pixels", classic->width_px);
    cpu_name(device->name);
    return device->band != NULL;
}

/* --- a GPU --- */

static bool create_gpu(struct classic_device *device, const struct backend_options *options,
                       const struct classic_picture *classic) {
    device->gpu = lab_gpu_create(options->device);
    if (!device->gpu)
        return false;
    snprintf(device->name, sizeof device->name, "%s", lab_gpu_name(device->gpu));
    device->band =
        lab_gpu_pinned(device->gpu, 3 * (size_t)classic->width_px * (size_t)device->band_rows);
    return device->band != NULL;
}

static bool draw_on_gpu(const struct classic_device *device, const struct classic_job *job,
                        int first, int rows, double *kernel_ms) {
    const struct gpu_job band = {.program = GPU_OURS,
                                 .type = TYPE_DOUBLE,
                                 .width_px = job->classic->width_px,
                                 .height_px = rows,
                                 .re = job->classic->re,
                                 .im = job->classic->im + first,
                                 .limit = CLASSIC_LIMIT,
                                 .shortcuts = job->shortcuts,
                                 .table = job->classic->colours};
    const size_t bytes = 3 * (size_t)job->classic->width_px * (size_t)rows;
    struct gpu_times times = {0};
    const bool ok = !job->stop() && lab_gpu_count(device->gpu, &band, &times) &&
                    lab_gpu_copy(device->gpu, bytes, device->band);
    *kernel_ms += times.kernel_ms;
    return ok;
}

/* --- CPU and GPU --- */

/* Returns the named backend, or the best of those that can draw this picture. */
static const struct backend_impl *choose(const struct backend_impl *const *impls, const char *name,
                                         const struct backend_options *options) {
    const struct backend_impl *able[IMPLS_MAX + 1] = {NULL};
    size_t count = 0;
    for (; *impls && count < IMPLS_MAX; impls++)
        if (name || (*impls)->automatic)
            able[count++] = *impls;
    struct backend_options asked = *options;
    asked.device_needed = true;
    return backend_choose(able, name, &asked);
}

struct classic_device *classic_device_create(const struct backend_impl *const *impls,
                                             const char *backend,
                                             const struct backend_options *options,
                                             const struct classic_picture *classic) {
    const struct backend_impl *impl = choose(impls, backend, options);
    if (!impl || !impl->automatic) {
        if (impl)
            log_error("backend '%s' does not draw this picture", impl->name);
        return NULL;
    }
    struct classic_device *device = calloc(1, sizeof *device);
    if (!device) {
        log_error("no memory to draw with");
        return NULL;
    }
    device->impl = impl;
    const size_t rows = BAND_BYTES / (3 * (size_t)classic->width_px);
    device->band_rows = rows < 1                            ? 1
                        : rows < (size_t)classic->height_px ? (int)rows
                                                            : classic->height_px;
    if ((strcmp(impl->name, "cuda") == 0 ? create_gpu : create_cpu)(device, options, classic))
        return device;
    classic_device_destroy(device);
    return NULL;
}

void classic_device_destroy(struct classic_device *device) {
    if (!device)
        return;
    if (!device->gpu)
        free(device->band);
    lab_gpu_destroy(device->gpu);
    free(device);
}

const char *classic_device_backend(const struct classic_device *device) {
    return device->impl->name;
}

const char *classic_device_name(const struct classic_device *device) {
    return device->name;
}

/* Passes on the band, which has the rows from `first` on, and then the conjugate rows in ascending
 * order. */
static bool take_rows(const struct classic_device *device, const struct classic_job *job, int first,
                      int rows) {
    const size_t row = 3 * (size_t)job->classic->width_px;
    const int middle = job->classic->middle_row;
    if (!job->take(job->user, first, rows, device->band))
        return false;
    for (int f = first + rows - 1; job->mirror && f >= first && f > middle; f--)
        if (f <= 2 * middle &&
            !job->take(job->user, 2 * middle - f, 1, device->band + (size_t)(f - first) * row))
            return false;
    return true;
}

bool classic_draw(struct classic_device *device, const struct classic_job *job,
                  struct classic_times *times) {
    const int height = job->classic->height_px;
    *times = (struct classic_times){.kernel = device->gpu ? 0 : NAN};
    for (int first = job->mirror ? job->classic->middle_row : 0; first < height;) {
        const int rows = height - first < device->band_rows ? height - first : device->band_rows;
        const double start = clock_ms();
        if (!(device->gpu ? draw_on_gpu(device, job, first, rows, &times->kernel)
                          : draw_on_cpu(device, job, first, rows)))
            return false;
        times->draw += clock_ms() - start;
        if (job->take && !take_rows(device, job, first, rows))
            return false;
        first += rows;
    }
    return true;
}
