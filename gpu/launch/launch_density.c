/* Launches the kernels of orbit density. */
#include "gpu/launch/launch.h"
#include "gpu/launch/programs.h"
#include <stdio.h>

#define PAIR_SAMPLES  (2 * CLUMP_SAMPLES)
#define LEVELS_GROUPS 1024u /* maximum number of groups that read all counters */

KERNEL_ROWS(draw, DRAW_ARGUMENTS, struct draw_args)
KERNEL_ROWS(search, SLICE_ARGUMENTS, struct slice_args)
KERNEL_ROWS(plot, SLICE_ARGUMENTS, struct slice_args)
KERNEL_ROWS(bound_cells, BOUNDS_ARGUMENTS, struct bounds_args)
KERNEL_ROWS(list_pairs, BOUNDS_ARGUMENTS, struct bounds_args)
KERNEL_ROWS(flush, PAINT_ARGUMENTS, struct paint_args)
KERNEL_ROWS(clear_levels, PAINT_ARGUMENTS, struct paint_args)
KERNEL_ROWS(levels_of, PAINT_ARGUMENTS, struct paint_args)
KERNEL_ROWS(extremes, PAINT_ARGUMENTS, struct paint_args)
KERNEL_ROWS(picture, PAINT_ARGUMENTS, struct paint_args)

static struct points_numbers_float floats_of(const struct density_place *place) {
#define NUMBER(name) .name = (float)place->name,
    return (struct points_numbers_float){POINTS_NUMBER_LIST(NUMBER)};
#undef NUMBER
}

static struct points_numbers_double doubles_of(const struct density_place *place) {
#define NUMBER(name) .name = place->name,
    return (struct points_numbers_double){POINTS_NUMBER_LIST(NUMBER)};
#undef NUMBER
}

/* First members of draw_args and slice_args. */
#define JOB_MEMBERS(job)                                                                           \
    .task = (job)->task, .floats = floats_of(&(job)->task.place),                                  \
    .doubles = doubles_of(&(job)->task.place), .counts = (job)->counts, .tally = (job)->tally,     \
    .state = (job)->state, .abort = (job)->abort

static void points_options(const struct points_job *job, char *options) {
    snprintf(options, PROGRAM_OPTIONS, "-DPOINTS -DNUMBER_%s -DFOLD=%d -DDEEP=%d",
             job->type == TYPE_FLOAT ? "FLOAT" : "DOUBLE", (int)job->task.place.fold,
             points_deep(&job->task));
}

/* --- drawing --- */

static uint32_t draw_groups(const struct slices *slices) {
    const uint32_t groups = slices->device->threads / KERNEL_GROUP;
    return groups > 0 ? groups : 1;
}

/* Teams have 32 threads (CLUMP_SAMPLES) or more. */
uint32_t launch_draw_room(const struct slices *slices) {
    return draw_groups(slices) * (KERNEL_GROUP / CLUMP_SAMPLES) * DRAW_PAIRS_MAX * PAIR_SAMPLES;
}

enum device_error launch_draw(const struct slices *slices, const struct points_job *job,
                              const struct points_draw *draw_of) {
    const struct draw_part *part = &draw_of->part;
    const struct draw_args args = {JOB_MEMBERS(job), .part = *part, .pairs = draw_of->pairs,
                                   .numbers = draw_of->numbers, .to = draw_of->to};
    char options[PROGRAM_OPTIONS];
    points_options(job, options);
    const size_t most = (size_t)draw_groups(slices) * KERNEL_GROUP;
    const size_t useful = (size_t)(part->end - part->begin) * CLUMP_SAMPLES;
    return launch_kernel(slices, options, &draw, &args, useful < most ? useful : most, 1);
}

/* --- long orbits --- */

enum device_error launch_slice(const struct slices *slices, const struct points_job *job,
                               const struct points_slice *slice, bool plots) {
    const struct slice_args args = {JOB_MEMBERS(job), .slice = slice->part, .from = slice->from,
                                    .to = slice->to, .plots = slice->plot};
    char options[PROGRAM_OPTIONS];
    points_options(job, options);
    return launch_kernel(slices, options, plots ? &plot : &search, &args, slice->part.size, 1);
}

/* --- cells and pictures --- */

enum device_error launch_bounds(const struct slices *slices, const struct bounds_args *args) {
    const uint32_t cells = args->task.cells;
    const enum device_error error =
        cells > 0 ? launch_kernel(slices, "-DPAINT", &bound_cells, args, cells, 1) : DEVICE_OK;
    return error == DEVICE_OK ? launch_kernel(slices, "-DPAINT", &list_pairs, args, 1, 1) : error;
}

enum device_error launch_flush(const struct slices *slices, const struct paint_args *args) {
    return launch_kernel(slices, "-DPAINT", &flush, args, args->task.size, 1);
}

/* Launches the kernels for the bins and the upper halves of the extremes, then for the lower
 * halves. */
enum device_error launch_levels(const struct slices *slices, const struct paint_args *args) {
    const struct density_place *place = &args->task.place;
    const size_t size = (size_t)place->width * (size_t)place->height;
    const size_t most = (size_t)LEVELS_GROUPS * KERNEL_GROUP;
    enum device_error error =
        launch_kernel(slices, "-DPAINT", &clear_levels, args, TONE_BINS, TONE_CHANNELS_MAX);
    if (error == DEVICE_OK)
        error = launch_kernel(slices, "-DPAINT", &levels_of, args, size < most ? size : most, 1);
    if (error == DEVICE_OK)
        error = launch_kernel(slices, "-DPAINT", &extremes, args, size < most ? size : most, 1);
    return error;
}

enum device_error launch_picture(const struct slices *slices, const struct paint_args *args) {
    const size_t pixels = (size_t)args->task.width_px * (size_t)args->task.height_px;
    return launch_kernel(slices, "-DPAINT", &picture, args, pixels, 1);
}
