/* Draws seed 000's picture in bands, as it may be larger than memory, with their mirror images. */
#include "lab/classic/classic_draw.h"
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "cpu/threads.h"
#include "lab/count/count.h"
#include "lab/count/shade.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#ifdef FATHOM_CUDA
#include "lab/classic/classic_cuda.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAND_BYTES (32 << 20)
#define IMPLS_MAX  32

_Static_assert(SHADES == CLASSIC_SHADES, "one palette");

struct classic_device {
    const struct backend_impl *impl;
    uint32_t cpu_flags;
    int threads;
    int rows_most; /* drawn at a time */
    int band_rows; /* of those, handed on at a time */
    uint8_t *band; /* of ours, or lent by `cuda` */
    char name[64];
    struct classic_cuda *cuda; /* NULL: the CPU draws */
};

/* --- the CPU --- */

struct shading {
    const struct classic_picture *classic;
    shade_fn *shade;
    uint8_t *rgb;
};

static void shade_row(void *user, int row, const uint32_t *count) {
    const struct shading *s = user;
    const size_t width = (size_t)s->classic->width_px;
    s->shade(s->classic->shades, count, width, s->rgb + 3 * width * (size_t)row);
}

static bool draw_on_cpu(const struct classic_device *device, const struct classic_job *job,
                        int first, int rows) {
    const struct classic_picture *classic = job->classic;
    struct shading shading = {.classic = classic,
                              .shade = device->cpu_flags & CPU_AVX2 ? shade_avx2 : shade_base,
                              .rgb = device->band};
    const struct count_job count = {.width_px = classic->width_px,
                                    .height_px = rows,
                                    .re = classic->re,
                                    .im = classic->im + first,
                                    .type = TYPE_DOUBLE,
                                    .arithmetic = job->arithmetic,
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

#ifdef FATHOM_CUDA
static bool create_gpu(struct classic_device *device, const struct backend_options *options,
                       const struct classic_picture *classic) {
    device->cuda = classic_cuda_create(options->device, classic->width_px, classic->height_px);
    if (!device->cuda)
        return false;
    snprintf(device->name, sizeof device->name, "%s", classic_cuda_name(device->cuda));
    device->rows_most = classic_cuda_rows(device->cuda);
    device->band = classic_cuda_band(device->cuda, device->band_rows);
    return device->band != NULL;
}

static void destroy_gpu(struct classic_device *device) {
    classic_cuda_destroy(device->cuda);
}

static bool draw_on_gpu(struct classic_device *device, const struct classic_job *job, int first,
                        int rows, double *kernel_ms) {
    const struct classic_picture *classic = job->classic;
    const struct classic_cuda_job band = {.re = classic->re,
                                          .im = classic->im + first,
                                          .rows = rows,
                                          .limit = CLASSIC_LIMIT,
                                          .arithmetic = job->arithmetic,
                                          .shortcuts = job->shortcuts,
                                          .table = classic->colours};
    double ms;
    if (job->stop() || !classic_cuda_draw(device->cuda, &band, &ms))
        return false;
    *kernel_ms += ms;
    return true;
}

/* Into the band; `first` counts from the first row drawn last. */
static bool fetch(struct classic_device *device, int first, int rows) {
    return classic_cuda_copy(device->cuda, first, rows, device->band);
}
#else
static bool create_gpu(struct classic_device *device, const struct backend_options *options,
                       const struct classic_picture *classic) {
    (void)device, (void)options, (void)classic;
    return false;
}

static void destroy_gpu(struct classic_device *device) {
    (void)device;
}

static bool draw_on_gpu(struct classic_device *device, const struct classic_job *job, int first,
                        int rows, double *kernel_ms) {
    (void)device, (void)job, (void)first, (void)rows, (void)kernel_ms;
    return false;
}

static bool fetch(struct classic_device *device, int first, int rows) {
    (void)device, (void)first, (void)rows;
    return false;
}
#endif

/* --- both --- */

/* The one that was named, or the best one of those that draw this picture. */
static const struct backend_impl *choose(const struct backend_impl *const *impls, const char *name,
                                         const struct backend_options *options) {
    const struct backend_impl *able[IMPLS_MAX + 1] = {NULL};
    size_t count = 0;
    for (; *impls && count < IMPLS_MAX; impls++)
        if (name || (*impls)->automatic)
            able[count++] = *impls;
    return backend_choose(able, name, options);
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
    const size_t row = 3 * (size_t)classic->width_px;
    const int rows = row < BAND_BYTES ? (int)(BAND_BYTES / row) : 1;
    device->impl = impl;
    device->band_rows = rows < classic->height_px ? rows : classic->height_px;
    device->rows_most = device->band_rows;
    if (!(strcmp(impl->name, "cuda") == 0 ? create_gpu(device, options, classic)
                                          : create_cpu(device, options, classic))) {
        classic_device_destroy(device);
        return NULL;
    }
    return device;
}

void classic_device_destroy(struct classic_device *device) {
    if (!device)
        return;
    if (device->cuda)
        destroy_gpu(device);
    else
        free(device->band);
    free(device);
}

const char *classic_device_backend(const struct classic_device *device) {
    return device->impl->name;
}

const char *classic_device_name(const struct classic_device *device) {
    return device->name;
}

/* Hands on the band, which has the rows from `first` on, and the conjugate ones in ascending order.
 */
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

/* Hands on `rows` rows that were drawn together, from `first` on. */
static bool hand_on(struct classic_device *device, const struct classic_job *job, int first,
                    int rows, double *draw_ms) {
    for (int at = 0; at < rows; at += device->band_rows) {
        const int size = rows - at < device->band_rows ? rows - at : device->band_rows;
        const double start = clock_ms();
        if (device->cuda && !fetch(device, at, size))
            return false;
        *draw_ms += clock_ms() - start;
        if (job->take && !take_rows(device, job, first + at, size))
            return false;
    }
    return true;
}

bool classic_draw(struct classic_device *device, const struct classic_job *job,
                  struct classic_times *times) {
    const int height = job->classic->height_px;
    *times = (struct classic_times){.kernel = device->cuda ? 0 : NAN};
    for (int first = job->mirror ? job->classic->middle_row : 0; first < height;) {
        const int rows = height - first < device->rows_most ? height - first : device->rows_most;
        const double start = clock_ms();
        if (!(device->cuda ? draw_on_gpu(device, job, first, rows, &times->kernel)
                           : draw_on_cpu(device, job, first, rows)))
            return false;
        times->draw += clock_ms() - start;
        if (!hand_on(device, job, first, rows, &times->draw))
            return false;
        first += rows;
    }
    return true;
}
