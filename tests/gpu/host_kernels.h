/* The host device's kernels, as those see them that are in other files. */
#ifndef FATHOM_TESTS_GPU_HOST_KERNELS_H
#define FATHOM_TESTS_GPU_HOST_KERNELS_H

#include "gpu/escape/slope.h"
#include "render/planes.h"

/* A launch of `iterate`, its places in memory. */
struct host_iterate {
    struct iterate_args args;
    enum number_type type;
    bool perturbed;
    uint32_t *count, *rgba, *to;
    float *fraction, *norm2;
    uint32_t *angle;
    void *states; /* of two numbers each */
    const void *coords;
    const uint32_t *from, *abort;
    struct colouring colouring;
    struct tally work; /* the launch's */
};

/* Takes a pixel args.steps further, from where `before` steps have left it. False: it is done. */
bool host_advance_float(struct host_iterate *launch, uint32_t x, uint32_t y, uint32_t before);
bool host_advance_double(struct host_iterate *launch, uint32_t x, uint32_t y, uint32_t before);
bool host_advance_wide(struct host_iterate *launch, uint32_t x, uint32_t y, uint32_t before);
/* The same around a reference. */
bool host_advance_perturbed(struct host_iterate *launch, uint32_t x, uint32_t y, uint32_t before);
/* Writes a sample, and its pixel where it is final. */
void host_finish(struct host_iterate *launch, uint32_t pixel, uint32_t count, float fraction,
                 float norm2, bool final);

/* The slope of a pixel, and what its orbit passes. */
void host_slope_float(const struct slope_args *args, const struct sample_planes *planes,
                      const void *coords, size_t pixel);
void host_slope_double(const struct slope_args *args, const struct sample_planes *planes,
                       const void *coords, size_t pixel);
void host_trace_float(const struct slope_args *args, const struct sample_planes *planes,
                      const void *coords, size_t pixel);
void host_trace_double(const struct slope_args *args, const struct sample_planes *planes,
                       const void *coords, size_t pixel);
void host_trace_wide(const struct slope_args *args, const struct sample_planes *planes,
                     const void *coords, size_t pixel);
void host_slope_wide(const struct slope_args *args, const struct sample_planes *planes,
                     const void *coords, size_t pixel);

/* What is known of it if it has not escaped. */
void host_inside_float(const struct slope_args *args, const struct sample_planes *planes,
                       const void *coords, size_t pixel);
void host_inside_double(const struct slope_args *args, const struct sample_planes *planes,
                        const void *coords, size_t pixel);
void host_inside_wide(const struct slope_args *args, const struct sample_planes *planes,
                      const void *coords, size_t pixel);

void host_slope_perturbed(const struct slope_args *args, const struct sample_planes *planes,
                          const void *coords, size_t pixel);
void host_trace_perturbed(const struct slope_args *args, const struct sample_planes *planes,
                          const void *coords, size_t pixel);
enum device_error host_index(const struct index_args *args, struct device_queue *queue);

/* Orbit density's. */
enum device_error host_flush(const struct paint_counts *counts, struct device_queue *queue);
enum device_error host_levels(const struct paint_job *job, struct device_queue *queue);
enum device_error host_picture(const struct paint_job *job, struct device_queue *queue);
enum device_error host_cell_bounds(const struct cell_bounds_args *args, struct device_queue *queue);
enum device_error host_room_least(const struct points_job *job, uint32_t *room);
enum device_error host_draw(const struct points_job *job, const struct points_draw *draw,
                            struct device_queue *queue);
enum device_error host_search(const struct points_job *job, const struct points_slice *slice,
                              struct device_queue *queue);
enum device_error host_plot(const struct points_job *job, const struct points_slice *slice,
                            struct device_queue *queue);

#endif
