/* CUDA's launches for gpu/device.h, and the loading of their code. */
#ifndef FATHOM_CUDA_KERNELS_H
#define FATHOM_CUDA_KERNELS_H

#include "cuda/cuda_device.h"
#include "gpu/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum device_error iterate_launch(const struct frame_req *req, const struct iterate_args *args,
                                 struct device_queue *queue);
enum device_error perturbed_index_launch(const struct index_args *args, struct device_queue *queue);
cudaError_t iterate_load(void);
/* The lowest compute capability that there is code for: 10 * major + minor. */
int iterate_lowest_capability(void);

enum device_error pixels_clear(const struct clear_args *args, struct device_queue *queue);
enum device_error pixels_colour(const struct colour_args *args, struct device_queue *queue);
enum device_error pixels_shift(const struct shift_args *args, struct device_queue *queue);
enum device_error pixels_keep(const struct keep_args *args, struct device_queue *queue);
enum device_error pixels_export(const struct export_args *args, struct device_queue *queue);
enum device_error slopes_launch(const struct slope_args *args, struct device_queue *queue);
enum device_error perturbed_slopes_launch(const struct slope_args *args,
                                          struct device_queue *queue);
enum device_error perturbed_traces_launch(const struct slope_args *args,
                                          struct device_queue *queue);
enum device_error traces_launch(const struct slope_args *args, struct device_queue *queue);
enum device_error insides_launch(const struct slope_args *args, struct device_queue *queue);
cudaError_t pixels_load(void);

enum device_error statistics_gather(const struct gather_args *args, struct device_queue *queue);
cudaError_t statistics_load(void);

enum device_error paint_flush(const struct paint_counts *counts, struct device_queue *queue);
enum device_error paint_levels(const struct paint_job *job, struct device_queue *queue);
enum device_error paint_picture(const struct paint_job *job, struct device_queue *queue);
cudaError_t paint_load(void);

enum device_error cell_bounds_make(const struct cell_bounds_args *args, struct device_queue *queue);
cudaError_t cell_bounds_load(void);

enum device_error points_room_least(const struct points_job *job, uint32_t *room);
enum device_error points_draw(const struct points_job *job, const struct points_draw *draw,
                              struct device_queue *queue);
enum device_error points_search(const struct points_job *job, const struct points_slice *slice,
                                struct device_queue *queue);
enum device_error points_plot(const struct points_job *job, const struct points_slice *slice,
                              struct device_queue *queue);
cudaError_t points_load(void);

#ifdef __cplusplus
}
#endif

#endif
