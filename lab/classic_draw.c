/* Bands of the picture, and their mirror images. */
#include "lab/classic_draw.h"
#include "bench/setup.h"
#include "cpu/count.h"
#include "cpu/cpuid.h"
#include "cpu/shade.h"
#include "render/clock.h"
#include "render/log.h"
#ifdef FATHOM_CUDA
#include "cuda/classic.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAND_BYTES (32 << 20)

_Static_assert(SHADES == CLASSIC_SHADES, "one palette");

struct classic_device {
    const struct backend_impl *impl;
    uint32_t cpu_flags;
    int threads;
    int rows_most; /* of a band */
    uint8_t *band; /* of ours, or lent by `cuda` */
    char name[64];
    struct classic_cuda *cuda; /* NULL: the CPU draws */
};

/* --- the CPU --- */

struct shading {
    const struct classic *classic;
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
    const struct classic *classic = job->classic;
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

/* What a CPU backend of that name may use. */
static uint32_t flags_of(const char *backend, uint32_t flags) {
    if (strcmp(backend, "avx512") == 0)
        return flags;
    if (strcmp(backend, "avx2") == 0)
        return flags & ~(uint32_t)CPU_AVX512;
    return flags & CPU_FMA;
}

static bool create_cpu(struct classic_device *device, const struct backend_options *options,
                       const struct classic *classic) {
    const struct bench_setup setup = {.options = *options};
    device->cpu_flags = flags_of(device->impl->name, cpu_flags(options->cpumask));
    device->threads = setup_threads(&setup);
    device->band = malloc(3 * (size_t)classic->width_px * (size_t)device->rows_most);
    if (!device->band)
        log_error("no memory to draw rows of %d pixels", classic->width_px);
    cpu_name(device->name);
    return device->band != NULL;
}

/* --- a GPU --- */

#ifdef FATHOM_CUDA
static bool create_gpu(struct classic_device *device, const struct backend_options *options,
                       const struct classic *classic) {
    device->cuda = classic_cuda_create(options->device, classic->width_px, device->rows_most);
    if (!device->cuda)
        return false;
    snprintf(device->name, sizeof device->name, "%s", classic_cuda_name(device->cuda));
    device->band = classic_cuda_band(device->cuda);
    return device->band != NULL;
}

static void destroy_gpu(struct classic_device *device) {
    classic_cuda_destroy(device->cuda);
}

static bool draw_on_gpu(struct classic_device *device, const struct classic_job *job, int first,
                        int rows, double *kernel_ms) {
    const struct classic *classic = job->classic;
    struct classic_cuda_times times;
    if (job->stop() ||
        !classic_cuda_draw(device->cuda, classic->re, classic->im + first, rows, CLASSIC_LIMIT,
                           job->arithmetic, job->shortcuts, classic->colours, device->band, &times))
        return false;
    *kernel_ms += times.kernel_ms;
    return true;
}
#else
static bool create_gpu(struct classic_device *device, const struct backend_options *options,
                       const struct classic *classic) {
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
#endif

/* --- both --- */

struct classic_device *classic_device_create(const struct backend_impl *const *impls,
                                             const char *backend,
                                             const struct backend_options *options,
                                             const struct classic *classic) {
    const struct backend_impl *impl = backend_choose(impls, backend, options);
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
    device->rows_most = rows < classic->height_px ? rows : classic->height_px;
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

/* Rows whose conjugate ones are not drawn for themselves: all up to the middle, and what is left
 * below the mirror image. */
static int skip_mirrored(const struct classic_job *job, int row) {
    const int middle = job->classic->middle_row;
    return job->mirror && row > middle && row <= 2 * middle ? 2 * middle + 1 : row;
}

static int band_end(const struct classic_device *device, const struct classic_job *job, int first) {
    const int height = job->classic->height_px, middle = job->classic->middle_row;
    const int last = job->mirror && first <= middle ? middle + 1 : height;
    return last - first < device->rows_most ? last : first + device->rows_most;
}

static bool take_rows(const struct classic_device *device, const struct classic_job *job, int first,
                      int end) {
    const size_t row = 3 * (size_t)job->classic->width_px;
    const int middle = job->classic->middle_row;
    if (!job->take)
        return true;
    if (!job->take(job->user, first, end - first, device->band))
        return false;
    for (int f = end - 1; job->mirror && f >= first; f--)
        if (f < middle &&
            !job->take(job->user, 2 * middle - f, 1, device->band + (size_t)(f - first) * row))
            return false;
    return true;
}

bool classic_draw(struct classic_device *device, const struct classic_job *job,
                  struct classic_times *times) {
    const int height = job->classic->height_px;
    *times = (struct classic_times){.kernel = device->cuda ? 0 : NAN};
    for (int first = 0, end; first < height; first = skip_mirrored(job, end)) {
        end = band_end(device, job, first);
        const double start = clock_ms();
        if (!(device->cuda ? draw_on_gpu(device, job, first, end - first, &times->kernel)
                           : draw_on_cpu(device, job, first, end - first)))
            return false;
        times->draw += clock_ms() - start;
        if (!take_rows(device, job, first, end))
            return false;
    }
    return true;
}
