/* The launches of orbit density's kernels, as struct device_kernels has them. */
#ifndef FATHOM_OPENCL_LAUNCH_DENSITY_H
#define FATHOM_OPENCL_LAUNCH_DENSITY_H

#include "gpu/density/kernels.h"

enum device_error launch_density_flush(const struct paint_counts *counts,
                                       struct device_queue *queue);
enum device_error launch_density_levels(const struct paint_job *job, struct device_queue *queue);
enum device_error launch_density_picture(const struct paint_job *job, struct device_queue *queue);
enum device_error launch_density_cell_bounds(const struct cell_bounds_args *args,
                                             struct device_queue *queue);
enum device_error launch_density_room_least(const struct points_job *job, uint32_t *room);
enum device_error launch_density_draw(const struct points_job *job, const struct points_draw *draw,
                                      struct device_queue *queue);
enum device_error launch_density_search(const struct points_job *job,
                                        const struct points_slice *slice,
                                        struct device_queue *queue);
enum device_error launch_density_plot(const struct points_job *job,
                                      const struct points_slice *slice, struct device_queue *queue);

#endif
