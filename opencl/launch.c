/* Launches OpenCL's kernels for gpu/device.h: says which program a launch is of, and hands over its arguments. */
#include "opencl/launch.h"
#include "gpu/escape/pixels.h"
#include "gpu/escape/slope.h"
#include "opencl/kernel_numbers.h"
#include "opencl/launch_density.h"
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct tally) == TALLY_WORDS * sizeof(uint32_t), "as kernels know it");
_Static_assert(offsetof(struct tally, listed) == TALLY_LISTED * sizeof(uint32_t), "likewise");
_Static_assert(offsetof(struct statistics, histogram) == 6 * sizeof(uint32_t), "likewise");

static const char *const number_names[TYPE_COUNT] = {"FLOAT", "DOUBLE", "WIDE"};

void launch_put(struct launch *launch, size_t size, const void *value) {
    if (launch->error == DEVICE_OK)
        launch->error = opencl_error(
            launch->queue->own->cl.SetKernelArg(launch->kernel, launch->next++, size, value));
}

void launch_put_number(struct launch *launch, uint32_t number) {
    launch_put(launch, sizeof number, &number);
}

void launch_put_memory(struct launch *launch, struct device_pointer place) {
    size_t offset;
    const cl_mem memory = opencl_memory(launch->queue->own, place, &offset);
    launch_put(launch, sizeof memory, &memory);
}

static void put_planes(struct launch *launch, const struct planes *planes) {
    for (int p = 0; p < SAMPLE_PLANES; p++)
        launch_put_memory(launch, planes->plane[p]);
}

struct launch launch_begin(struct device_queue *queue, const char *options, const char *name) {
    struct launch launch = {.queue = queue};
    pthread_mutex_lock(&queue->own->launching);
    launch.error = program_kernel(queue->own, options, name, &launch.kernel);
    return launch;
}

enum device_error launch_end(struct launch *launch, size_t threads, size_t rows) {
    struct opencl *own = launch->queue->own;
    const size_t group[2] = {GROUP_THREADS, 1};
    const size_t all[2] = {(threads + GROUP_THREADS - 1) / GROUP_THREADS * GROUP_THREADS, rows};
    cl_event done = NULL;
    if (launch->error == DEVICE_OK)
        launch->error =
            opencl_queued(launch->queue,
                          own->cl.EnqueueNDRangeKernel(launch->queue->queue, launch->kernel, 2,
                                                       NULL, all, group, 0, NULL, &done),
                          &done);
    pthread_mutex_unlock(&own->launching);
    return launch->error;
}

/* --- references --- */

static void put_tables(struct launch *launch, const struct device_tables *t) {
    const struct device_pointer memory[] = {t->index,   t->orbit,     t->small, t->list_at, t->list,
                                            t->segment, t->orbit_low, t->low,   t->begin,   t->bar};
    launch_put(launch, sizeof t->numbers, &t->numbers);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        launch_put_memory(launch, memory[i]);
}

static enum device_error index_reference(const struct index_args *args,
                                         struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DWALK_AROUND -DNUMBER_DOUBLE -DFOLDED=0 -DTURNS=0",
                                        "index_reference");
    launch_put_number(&launch, args->begin);
    launch_put_number(&launch, args->size);
    launch_put_memory(&launch, args->to);
    put_tables(&launch, &args->tables);
    return launch_end(&launch, args->size, 1);
}

/* --- iterating --- */

/* Of a perturbed picture; `folded`: not of z^2 + c. As on CUDA's devices 64 registers suffice for doubles: more threads wait
 * at a time for what they read. */
static void around_options(const struct opencl *own, const struct frame_req *req,
                           const struct iterate_args *args, char *options) {
    const bool folded = !fractal_has_extended(&req->fractal);
    const bool wide = req->type == TYPE_WIDE && !folded;
    snprintf(options, OPENCL_OPTIONS,
             "-DITERATE -DAROUND -DNUMBER_%s -DFOLDED=%d -DTURNS=%d -DSCREENED=%d -DCYCLE=%d "
             "-DLISTS=%d%s",
             number_names[wide ? TYPE_WIDE : TYPE_DOUBLE], folded, args->task.recipe.length > 1,
             (int)args->screening, (int)args->task.cycle, args->to.word != 0,
             own->device.registers && (!wide || args->screening) ? " -cl-nv-maxrregcount=64" : "");
}

/* The program for a formula in a number type. */
static void iterate_options(const struct frame_req *req, const struct iterate_args *args,
                            char *options) {
    const uint32_t kind = args->task.recipe.kind; /* FORMULA_folded: it is looked up */
    snprintf(options, OPENCL_OPTIONS, "-DITERATE -DNUMBER_%s %s-DFORMULA=%u -DCYCLE=%d -DLISTS=%d",
             number_names[req->type], recipe_is_map(&args->task.recipe) ? "-DMAP " : "",
             (unsigned)kind, (int)args->task.cycle, args->to.word != 0);
}

static enum device_error iterate(const struct frame_req *req, const struct iterate_args *args,
                                 struct device_queue *queue) {
    const bool list = args->from.word != 0;
    struct iterate_task task = args->task;
    task.run = args->to.word ? 1 : task.run; /* lists take a tile at a time */
    const struct device_pointer memory[] = {
        args->coords,       args->planes.count, args->planes.fraction,
        args->planes.norm2, args->planes.angle, args->states,
        args->rgba,         args->table,        args->from,
        args->to,           args->tally,        args->abort};
    char options[OPENCL_OPTIONS];
    const bool around = req->route == ROUTE_PERTURBED;
    if (around)
        around_options(queue->own, req, args, options);
    else
        iterate_options(req, args, options);
    struct launch launch = launch_begin(queue, options, list ? "iterate_list" : "iterate_lattice");
    launch_put(&launch, sizeof task, &task);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        launch_put_memory(&launch, memory[i]);
    if (around)
        put_tables(&launch, &args->tables);
    if (list)
        return launch_end(&launch, task.size, 1);
    const size_t groups = (task.lattice.tiles_x - 1) / (GROUP_TILES * task.run) + 1;
    return launch_end(&launch, groups * GROUP_THREADS, task.size);
}

/* --- passes over samples --- */

static enum device_error clear(const struct clear_args *args, struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DPIXELS", "clear");
    launch_put_number(&launch, args->begin);
    launch_put_number(&launch, args->size);
    launch_put_memory(&launch, args->count);
    launch_put_memory(&launch, args->rgba);
    return launch_end(&launch, args->size, 1);
}

static enum device_error colour(const struct colour_args *args, struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DPIXELS", "colour");
    launch_put(&launch, sizeof args->task, &args->task);
    launch_put_number(&launch, args->tally.word != 0);
    launch_put_memory(&launch, args->rgba);
    launch_put_memory(&launch, args->table);
    launch_put_memory(&launch, args->tally);
    put_planes(&launch, &args->planes);
    return launch_end(&launch, args->task.size, 1);
}

static enum device_error shift(const struct shift_args *args, struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DPIXELS", "shift");
    launch_put(&launch, sizeof args->task, &args->task);
    launch_put_memory(&launch, args->from_states);
    launch_put_memory(&launch, args->to_states);
    put_planes(&launch, &args->from);
    put_planes(&launch, &args->to);
    return launch_end(&launch, args->task.size, 1);
}

static enum device_error keep(const struct keep_args *args, struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DPIXELS", "keep");
    launch_put(&launch, sizeof args->task, &args->task);
    launch_put_memory(&launch, args->lines);
    put_planes(&launch, &args->from);
    put_planes(&launch, &args->to);
    return launch_end(&launch, args->task.size, 1);
}

static enum device_error counts(const struct export_args *args, struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DPIXELS", "counts");
    launch_put_number(&launch, args->begin);
    launch_put_number(&launch, args->size);
    launch_put_number(&launch, args->limit);
    launch_put_memory(&launch, args->from);
    launch_put_memory(&launch, args->to);
    return launch_end(&launch, args->size, 1);
}

static enum device_error gather(const struct gather_args *args, struct device_queue *queue) {
    size_t offset;
    opencl_memory(queue->own, args->count, &offset);
    struct launch launch = launch_begin(queue, "-DPIXELS", "gather");
    launch_put_number(&launch, (uint32_t)(offset / sizeof(uint32_t)));
    launch_put_number(&launch, args->size);
    launch_put_memory(&launch, args->count);
    launch_put_memory(&launch, args->sum);
    return launch_end(&launch, (args->size - 1) / GATHER_COUNTS + 1, 1);
}

/* --- walking along orbits once more --- */

static bool folds(const struct recipe *recipe) {
    unsigned folds = FOLD_NONE;
    for (uint32_t i = 0; i < recipe->length; i++)
        folds |= recipe->folds[i];
    return folds != FOLD_NONE;
}

/* `planes`: those that the kernel has, in its order; SAMPLE_PLANES ends them. */
static struct launch walk_begin(const struct slope_args *args, struct device_queue *queue,
                                const char *options, const char *name, const int *planes) {
    struct launch launch = launch_begin(queue, options, name);
    launch_put(&launch, sizeof args->task, &args->task);
    launch_put_memory(&launch, args->coords);
    launch_put_memory(&launch, args->abort);
    for (; *planes < SAMPLE_PLANES; planes++)
        launch_put_memory(&launch, args->planes.plane[*planes]);
    return launch;
}

static enum device_error walk(const struct slope_args *args, struct device_queue *queue,
                              const char *name, const int *planes) {
    char options[OPENCL_OPTIONS];
    snprintf(options, sizeof options, "-DWALK -DNUMBER_%s -DFOLDED=%d", number_names[args->type],
             folds(&args->task.recipe));
    struct launch launch = walk_begin(args, queue, options, name, planes);
    return launch_end(&launch, args->task.size, 1);
}

/* The same around a reference, from where its tables are to be put. */
static struct launch walk_around(const struct slope_args *args, struct device_queue *queue,
                                 const char *name, const int *planes) {
    const bool wide = args->type == TYPE_WIDE && !args->folded;
    char options[OPENCL_OPTIONS];
    snprintf(options, sizeof options, "-DWALK_AROUND -DNUMBER_%s -DFOLDED=%d -DTURNS=%d",
             number_names[wide ? TYPE_WIDE : TYPE_DOUBLE], args->folded,
             args->task.recipe.length > 1);
    return walk_begin(args, queue, options, name, planes);
}

static const int slope_planes[] = {SAMPLE_PLANE_count, SAMPLE_PLANE_distance, SAMPLE_PLANE_normal,
                                   SAMPLE_PLANE_angle, SAMPLE_PLANES};
static const int trace_planes[] = {
    SAMPLE_PLANE_count,    SAMPLE_PLANE_fraction, SAMPLE_PLANE_distance, SAMPLE_PLANE_stripe,
    SAMPLE_PLANE_triangle, SAMPLE_PLANE_point,    SAMPLE_PLANE_line,     SAMPLE_PLANE_cross,
    SAMPLE_PLANE_circle,   SAMPLE_PLANE_domain,   SAMPLE_PLANE_caught,   SAMPLE_PLANES};
static const int inside_planes[] = {SAMPLE_PLANE_count, SAMPLE_PLANE_period, SAMPLE_PLANE_depth,
                                    SAMPLE_PLANE_last,  SAMPLE_PLANE_atom,   SAMPLE_PLANES};

static enum device_error slopes(const struct slope_args *args, struct device_queue *queue) {
    return walk(args, queue, "slopes", slope_planes);
}

static enum device_error traces(const struct slope_args *args, struct device_queue *queue) {
    return walk(args, queue, "traces", trace_planes);
}

static enum device_error insides(const struct slope_args *args, struct device_queue *queue) {
    return walk(args, queue, "insides", inside_planes);
}

static enum device_error slopes_around(const struct slope_args *args, struct device_queue *queue) {
    struct launch launch = walk_around(args, queue, "slopes_around", slope_planes);
    put_tables(&launch, &args->tables);
    return launch_end(&launch, args->task.size, 1);
}

static enum device_error traces_around(const struct slope_args *args, struct device_queue *queue) {
    struct device_tables tables = args->tables;
    struct launch launch = walk_around(args, queue, "traces_around", trace_planes);
    tables.numbers.series = args->traces.series;
    launch_put_memory(&launch, args->traces.segment);
    launch_put(&launch, sizeof args->traces.begun, &args->traces.begun);
    put_tables(&launch, &tables);
    return launch_end(&launch, args->task.size, 1);
}

const struct device_kernels opencl_kernels = {
    .perturbed = 1u << TYPE_DOUBLE | 1u << TYPE_WIDE,
    .iterate = iterate,
    .index = index_reference,
    .clear = clear,
    .colour = colour,
    .shift = shift,
    .keep = keep,
    .counts = counts,
    .slopes = slopes,
    .perturbed_slopes = slopes_around,
    .traces = traces,
    .perturbed_traces = traces_around,
    .insides = insides,
    .gather = gather,
    .flush = launch_density_flush,
    .levels = launch_density_levels,
    .picture = launch_density_picture,
    .cell_bounds = launch_density_cell_bounds,
    .room_least = launch_density_room_least,
    .draw = launch_density_draw,
    .search = launch_density_search,
    .plot = launch_density_plot,
};
