/* Launches of the kernels of gpu/kernels/ on any device: choose the program and the grid, and pass
 * the arguments. Each function launches one or several kernels in slices->queue, and copies the
 * arguments. It returns DEVICE_NOT_READY, and launches nothing, while a program is being made; see
 * SLICES_TRY. */
#ifndef FATHOM_GPU_LAUNCH_LAUNCH_H
#define FATHOM_GPU_LAUNCH_LAUNCH_H

#include "gpu/density/density_args.h"
#include "gpu/kernel_args.h"
#include "gpu/launch/kernel.h"
#include "gpu/slices.h"

enum device_error launch_clear(const struct slices *slices, const struct clear_args *args);
enum device_error launch_colour(const struct slices *slices, const struct colour_args *args);
enum device_error launch_shift(const struct slices *slices, const struct shift_args *args);
enum device_error launch_keep(const struct slices *slices, const struct keep_args *args);
enum device_error launch_export(const struct slices *slices, const struct export_args *args);
enum device_error launch_gather(const struct slices *slices, const struct gather_args *args);
enum device_error launch_resample(const struct slices *slices, const struct resample_args *args);

enum device_error launch_index(const struct slices *slices, const struct index_args *args);
enum device_error launch_iterate(const struct slices *slices, const struct frame_req *req,
                                 const struct iterate_args *args);
/* Launches a kernel of walk_kernels.h by its name. */
enum device_error launch_walk(const struct slices *slices, const struct walk_args *args,
                              const char *name);

/* Kernels of orbit density. */
enum device_error launch_bounds(const struct slices *slices, const struct bounds_args *args);
enum device_error launch_flush(const struct slices *slices, const struct paint_args *args);
enum device_error launch_levels(const struct slices *slices, const struct paint_args *args);
enum device_error launch_picture(const struct slices *slices, const struct paint_args *args);
/* Returns the number of free list entries with which a launch of `draw` is sure to draw
 * something. */
uint32_t launch_draw_room(const struct slices *slices);
enum device_error launch_draw(const struct slices *slices, const struct points_job *job,
                              const struct points_draw *draw);
/* Searches the orbits of a slice, or plots them. */
enum device_error launch_slice(const struct slices *slices, const struct points_job *job,
                               const struct points_slice *slice, bool plots);

/* --- for launch_density.c --- */

/* Launches `kernel` of the program with these options. */
enum device_error launch_kernel(const struct slices *slices, const char *options,
                                const struct kernel *kernel, const void *args, size_t threads,
                                uint32_t rows);

#define ROW_FIRST(S, type, name)  {offsetof(S, name), sizeof(type), 0},
#define ROW_VALUE(S, type, name)  {offsetof(S, name), sizeof(type), 0},
#define ROW_MEMORY(S, type, name) {offsetof(S, name), 0, 1},
#define ROW_PLANES(S, name)       {offsetof(S, name), 0, SAMPLE_PLANES},
#define ROW_LIGHTS(S, name)       {offsetof(S, name), 0, RESAMPLE_RINGS},
#define ROW_LIST(S, name)                                                                          \
    {offsetof(S, name), 0, sizeof(struct points_list) / sizeof(struct device_pointer)},
#define ROW_TABLES(S, name)                                                                        \
    {offsetof(S, name.numbers), sizeof(struct table_numbers), 0},                                  \
        {offsetof(S, name.index), 0,                                                               \
         (sizeof(struct device_tables) - offsetof(struct device_tables, index)) /                  \
             sizeof(struct device_pointer)},
/* Defines the struct kernel `function` with arguments of type S. */
#define KERNEL_ROWS(function, ARGUMENTS, S)                                                        \
    static const struct kernel_argument function##_rows[] = {ARGUMENTS(ROW, S){0, 0, 0}};          \
    static const struct kernel function = {#function, sizeof(S), function##_rows};

#endif
