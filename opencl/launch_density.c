/* Launches the kernels of orbit density. */
#include "opencl/launch_density.h"
#include "opencl/density_arguments.h"
#include "opencl/launch.h"
#include <stdio.h>

_Static_assert(ROUNDS_MOST == OPENCL_ROUNDS, "as kernels know it");
_Static_assert(GROUP_THREADS == OPENCL_PAIRS * CLUMP_SAMPLES, "likewise");
_Static_assert(offsetof(struct tally, points) == TALLY_POINTS * sizeof(uint32_t), "likewise");

static void put_list(struct launch *launch, const struct points_list *list) {
    const struct device_pointer memory[] = {list->cr, list->ci, list->zr, list->zi, list->done};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        launch_put_memory(launch, memory[i]);
}

/* One of orbits to be plotted. */
static void put_plot_list(struct launch *launch, const struct points_list *list) {
    put_list(launch, list);
    launch_put_memory(launch, list->end);
    launch_put_memory(launch, list->plane);
}

/* The job's numbers in its type. */
static void put_numbers(struct launch *launch, const struct points_job *job) {
#define NUMBER(name, from) job->task.from,
    const double wide[] = {POINTS_NUMBER_LIST(NUMBER)};
#undef NUMBER
    float narrow[sizeof wide / sizeof *wide];
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        narrow[i] = (float)wide[i];
    if (job->type == TYPE_FLOAT)
        launch_put(launch, sizeof narrow, narrow);
    else
        launch_put(launch, sizeof wide, wide);
}

/* What all kernels that count points begin with. */
static struct launch points_begin(const struct points_job *job, struct device_queue *queue,
                                  const char *name) {
    char options[OPENCL_OPTIONS];
    snprintf(options, sizeof options, "-DPOINTS -DNUMBER_%s -DFOLD=%d",
             job->type == TYPE_FLOAT ? "FLOAT" : "DOUBLE", (int)job->task.place.fold);
    struct launch launch = launch_begin(queue, options, name);
    launch_put(&launch, sizeof job->task, &job->task);
    put_numbers(&launch, job);
    launch_put_memory(&launch, job->counts);
    launch_put_memory(&launch, job->tally);
    launch_put_memory(&launch, job->state);
    launch_put_memory(&launch, job->abort);
    return launch;
}

/* --- drawing --- */

/* What a group may add. */
enum device_error launch_density_room_least(const struct points_job *job, uint32_t *room) {
    (void)job;
    *room = OPENCL_PAIRS * DENSITY_CHUNK;
    return DEVICE_OK;
}

/* Promises what is listed already. */
static enum device_error promise(const struct points_job *job, struct device_queue *queue) {
    struct launch launch = points_begin(job, queue, "promise");
    return launch_end(&launch, 1, 1);
}

enum device_error launch_density_draw(const struct points_job *job, const struct points_draw *draw,
                                      struct device_queue *queue) {
    const struct rounds_part *part = &draw->part;
    struct opencl_draw a = {
        .first_round = part->rounds[0].number,
        .live = part->live,
        .begin = part->begin,
        .end = part->end,
        .first_clump = part->first_clump,
        .end_clump = part->end_clump,
        .turn = draw->turn,
        .room = draw->room,
    };
    for (size_t i = 0; i < ROUNDS_MOST; i++) {
        a.rounds[i].octave = part->rounds[i].octave;
        a.rounds[i].position = part->rounds[i].position;
        a.rounds[i].key = part->rounds[i].key;
    }
    const enum device_error error = points_deep(&job->task) ? promise(job, queue) : DEVICE_OK;
    if (error != DEVICE_OK)
        return error;
    struct launch launch = points_begin(job, queue, "draw");
    launch_put(&launch, sizeof a, &a);
    launch_put_memory(&launch, draw->pairs);
    launch_put_memory(&launch, draw->numbers);
    put_list(&launch, &draw->to);
    return launch_end(&launch, (size_t)(part->end - part->begin) * CLUMP_SAMPLES, 1);
}

/* --- long orbits --- */

static void put_slice(struct launch *launch, const struct points_slice *slice) {
    const struct opencl_slice a = {slice->begin, slice->size, slice->steps};
    launch_put(launch, sizeof a, &a);
}

enum device_error launch_density_search(const struct points_job *job,
                                        const struct points_slice *slice,
                                        struct device_queue *queue) {
    struct launch launch = points_begin(job, queue, "search");
    put_slice(&launch, slice);
    put_list(&launch, &slice->from);
    put_list(&launch, &slice->to);
    put_plot_list(&launch, &slice->plot);
    return launch_end(&launch, slice->size, 1);
}

enum device_error launch_density_plot(const struct points_job *job,
                                      const struct points_slice *slice,
                                      struct device_queue *queue) {
    struct launch launch = points_begin(job, queue, "plot");
    put_slice(&launch, slice);
    put_plot_list(&launch, &slice->from);
    put_plot_list(&launch, &slice->to);
    return launch_end(&launch, slice->size, 1);
}

/* --- cells --- */

static enum device_error bound_cells(const struct cell_bounds_args *args,
                                     struct device_queue *queue) {
    const struct points_task *task = &args->job->task;
    struct launch launch = launch_begin(queue, "-DPAINT", "bound_cells");
    launch_put(&launch, sizeof *task, task);
    launch_put_memory(&launch, args->order);
    launch_put_memory(&launch, args->memory);
    return launch_end(&launch, task->cells, 1);
}

enum device_error launch_density_cell_bounds(const struct cell_bounds_args *args,
                                             struct device_queue *queue) {
    const uint32_t cells = args->job->task.cells;
    const enum device_error error = cells > 0 ? bound_cells(args, queue) : DEVICE_OK;
    if (error != DEVICE_OK)
        return error;
    struct launch launch = launch_begin(queue, "-DPAINT", "list_pairs");
    launch_put_number(&launch, cells);
    launch_put_memory(&launch, args->memory);
    launch_put_memory(&launch, args->pairs);
    launch_put_memory(&launch, args->numbers);
    launch_put_memory(&launch, args->result);
    return launch_end(&launch, GROUP_THREADS, 1);
}

/* --- the histogram --- */

enum device_error launch_density_flush(const struct paint_counts *counts,
                                       struct device_queue *queue) {
    const uint64_t size = counts->size;
    struct launch launch = launch_begin(queue, "-DPAINT", "flush");
    launch_put(&launch, sizeof size, &size);
    launch_put_memory(&launch, counts->fresh);
    launch_put_memory(&launch, counts->total);
    return launch_end(&launch, counts->size, 1);
}

static struct launch paint_begin(const struct paint_job *job, struct device_queue *queue,
                                 const char *name) {
    const struct opencl_paint a = {
        .place = job->place,
        .size = job->counts.size,
        .channels = job->channels,
        .width_px = job->width_px,
        .height_px = job->height_px,
    };
    struct launch launch = launch_begin(queue, "-DPAINT", name);
    launch_put(&launch, sizeof a, &a);
    launch_put_memory(&launch, job->counts.fresh);
    launch_put_memory(&launch, job->counts.total);
    return launch;
}

static enum device_error clear_levels(const struct paint_job *job, struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DPAINT", "clear_levels");
    launch_put_memory(&launch, job->levels);
    return launch_end(&launch, TONE_BINS, TONE_CHANNELS_MAX);
}

/* First the bins and the upper halves of the extremes, then the lower ones. */
enum device_error launch_density_levels(const struct paint_job *job, struct device_queue *queue) {
    const size_t size = (size_t)job->place.width * (size_t)job->place.height;
    const size_t most = (size_t)OPENCL_PAINT_MOST * GROUP_THREADS;
    static const char *const kernels[] = {"levels_of", "extremes"};
    enum device_error error = clear_levels(job, queue);
    for (int i = 0; i < 2 && error == DEVICE_OK; i++) {
        struct launch launch = paint_begin(job, queue, kernels[i]);
        launch_put_memory(&launch, job->levels);
        error = launch_end(&launch, size < most ? size : most, 1);
    }
    return error;
}

enum device_error launch_density_picture(const struct paint_job *job, struct device_queue *queue) {
    struct launch launch = paint_begin(job, queue, "picture");
    launch_put_memory(&launch, job->map);
    launch_put_memory(&launch, job->rgba);
    return launch_end(&launch, (size_t)job->width_px * (size_t)job->height_px, 1);
}
