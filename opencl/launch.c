/* Launches OpenCL's kernels for gpu/device.h: says which program a launch is of, and hands over its arguments. */
#include "gpu/escape/pixels.h"
#include "gpu/escape/slope.h"
#include "opencl/arguments.h"
#include "opencl/opencl_device.h"
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct tally) == OPENCL_TALLY_WORDS * sizeof(uint32_t), "as kernels know it");
_Static_assert(offsetof(struct tally, listed) == OPENCL_TALLY_LISTED * sizeof(uint32_t),
               "likewise");
_Static_assert(TALLY_SHARES == OPENCL_TALLY_SHARES, "likewise");
_Static_assert(offsetof(struct statistics, histogram) == 6 * sizeof(uint32_t), "likewise");

#define GATHER_COUNTS 16 /* as in kernels/pixels.cl */

static const char *const number_names[TYPE_COUNT] = {"FLOAT", "DOUBLE", "WIDE"};

/* A launch on its way; after the first error nothing happens. */
struct launch {
    struct device_queue *queue;
    cl_kernel kernel;
    uint32_t next; /* argument */
    enum device_error error;
};

static void put(struct launch *launch, size_t size, const void *value) {
    if (launch->error == DEVICE_OK)
        launch->error = opencl_error(
            launch->queue->own->cl.SetKernelArg(launch->kernel, launch->next++, size, value));
}

/* Places are whole allocations; or NULL. */
static void put_memory(struct launch *launch, struct device_pointer place) {
    size_t offset;
    const cl_mem memory = opencl_memory(launch->queue->own, place, &offset);
    put(launch, sizeof memory, &memory);
}

static void put_planes(struct launch *launch, const struct planes *planes) {
    for (int p = 0; p < SAMPLE_PLANES; p++)
        put_memory(launch, planes->plane[p]);
}

/* Holds the lock until launch_end. */
static struct launch launch_begin(struct device_queue *queue, const char *options,
                                  const char *name) {
    struct launch launch = {.queue = queue};
    pthread_mutex_lock(&queue->own->launching);
    launch.error = program_kernel(queue->own, options, name, &launch.kernel);
    return launch;
}

static enum device_error launch_end(struct launch *launch, size_t threads, size_t rows) {
    struct opencl *own = launch->queue->own;
    const size_t group[2] = {OPENCL_THREADS, 1};
    const size_t all[2] = {(threads + OPENCL_THREADS - 1) / OPENCL_THREADS * OPENCL_THREADS, rows};
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

static struct opencl_shades shades_of(const struct shades *shades) {
    return (struct opencl_shades){
        .frequency = shades->frequency,
        .offset = shades->offset,
        .interior = shades->interior,
        .mapping = shades->mapping,
        .by = shades->by,
        .inside = shades->inside,
        .image_scale = shades->image_scale,
        .smooth = shades->smooth,
        .layers = shades->layers,
    };
}

/* --- references --- */

static void put_tables(struct launch *launch, const struct device_tables *t) {
    const struct opencl_tables tables = {
        .series = t->series,
        .steps = t->steps,
        .re = t->re,
        .im = t->im,
        .from_re = t->from_re,
        .from_im = t->from_im,
        .inside = t->inside,
        .re_low = t->re_low,
        .im_low = t->im_low,
        .step = t->step,
        .step_log2 = t->step_log2,
        .unit = t->unit,
        .unit_log2 = t->unit_log2,
        .smalls = t->smalls,
        .last = t->last,
        .julia = t->julia,
        .c_log2 = t->c_log2,
        .c_most_log2 = t->c_most_log2,
    };
    const struct device_pointer memory[] = {t->index,   t->orbit,     t->small, t->list_at, t->list,
                                            t->segment, t->orbit_low, t->low,   t->begin,   t->bar};
    put(launch, sizeof tables, &tables);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        put_memory(launch, memory[i]);
}

static enum device_error index_reference(const struct index_args *args,
                                         struct device_queue *queue) {
    struct launch launch = launch_begin(queue, "-DWALK_AROUND -DNUMBER_DOUBLE -DFOLDED=0 -DTURNS=0",
                                        "index_reference");
    put(&launch, sizeof args->begin, &args->begin);
    put(&launch, sizeof args->size, &args->size);
    put_memory(&launch, args->to);
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
             number_names[wide ? TYPE_WIDE : TYPE_DOUBLE], folded, args->recipe.length > 1,
             (int)args->screening, (args->shortcuts & SHORTCUTS_CYCLE) != 0, args->to.word != 0,
             own->device.registers && (!wide || args->screening) ? " -cl-nv-maxrregcount=64" : "");
}

/* The program for a formula in a number type and an arithmetic. */
static void iterate_options(const struct frame_req *req, const struct iterate_args *args,
                            char *options) {
    const uint32_t kind = args->recipe.kind;
    const bool looked_up = kind >= FORMULA_COUNT, map = recipe_is_map(&args->recipe);
    const bool fused = req->arithmetic == ARITHMETIC_FUSED || req->type == TYPE_WIDE || looked_up ||
                       !FORMULA_IS_OF(FORMULAS_UNFUSED, kind);
    char formula[32] = "-DLOOKED_UP";
    if (!looked_up)
        snprintf(formula, sizeof formula, "%s-DFORMULA=%u", map ? "-DMAP " : "", (unsigned)kind);
    snprintf(options, OPENCL_OPTIONS, "-DITERATE -DNUMBER_%s %s -DFUSED=%d -DCYCLE=%d -DLISTS=%d",
             number_names[req->type], formula, fused, (args->shortcuts & SHORTCUTS_CYCLE) != 0,
             args->to.word != 0);
}

static enum device_error iterate(const struct frame_req *req, const struct iterate_args *args,
                                 struct device_queue *queue) {
    const bool list = args->from.word != 0;
    const struct opencl_iterate a = {
        .recipe = args->recipe,
        .shades = shades_of(&args->shades),
        .lattice = args->lattice,
        .aligned = args->aligned,
        .fresh = args->fresh,
        .blank = args->blank,
        .width = args->width,
        .height = args->height,
        .first = args->states.first,
        .begin = args->begin,
        .size = args->size,
        .run = args->to.word ? 1 : args->run, /* lists take a tile at a time */
        .steps = args->steps,
        .limit = args->limit,
        .cardioid = args->shortcuts & SHORTCUTS_CARDIOID,
        .serial = args->serial,
        .listed = list,
    };
    const struct device_pointer memory[] = {
        args->coords,       args->planes.count, args->planes.fraction,
        args->planes.norm2, args->planes.angle, args->states.memory,
        args->rgba,         args->shades.table, args->from,
        args->to,           args->tally,        args->abort};
    char options[OPENCL_OPTIONS];
    const bool around = req->route == ROUTE_PERTURBED;
    if (around)
        around_options(queue->own, req, args, options);
    else
        iterate_options(req, args, options);
    struct launch launch = launch_begin(queue, options, list ? "iterate_list" : "iterate_lattice");
    put(&launch, sizeof a, &a);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        put_memory(&launch, memory[i]);
    if (around)
        put_tables(&launch, &args->tables);
    if (list)
        return launch_end(&launch, args->size, 1);
    const size_t groups = (args->lattice.tiles_x - 1) / (OPENCL_TILES * a.run) + 1;
    return launch_end(&launch, groups * OPENCL_THREADS, args->size);
}

/* --- passes over samples --- */

static enum device_error clear(const struct clear_args *args, struct device_queue *queue) {
    const struct opencl_pixels a = {.begin = (uint32_t)args->begin, .size = args->size};
    struct launch launch = launch_begin(queue, "-DPIXELS", "clear");
    put(&launch, sizeof a, &a);
    put_memory(&launch, args->count);
    put_memory(&launch, args->rgba);
    return launch_end(&launch, args->size, 1);
}

static enum device_error colour(const struct colour_args *args, struct device_queue *queue) {
    const struct opencl_pixels a = {.shades = shades_of(&args->shades),
                                    .begin = (uint32_t)args->begin,
                                    .size = args->size,
                                    .limit = args->limit,
                                    .counts = args->tally.word != 0};
    struct launch launch = launch_begin(queue, "-DPIXELS", "colour");
    put(&launch, sizeof a, &a);
    put_memory(&launch, args->rgba);
    put_memory(&launch, args->shades.table);
    put_memory(&launch, args->tally);
    put_planes(&launch, &args->planes);
    return launch_end(&launch, args->size, 1);
}

static enum device_error shift(const struct shift_args *args, struct device_queue *queue) {
    const struct opencl_move a = {
        .map = args->map,
        .width = args->width,
        .height = args->height,
        .limit = args->limit,
        .state_words = args->from_states.memory.word ? args->state_size / 8 : 0,
        .begin = (uint32_t)args->begin,
        .size = args->size,
    };
    struct launch launch = launch_begin(queue, "-DPIXELS", "shift");
    put(&launch, sizeof a, &a);
    put_memory(&launch, args->from_states.memory);
    put_memory(&launch, args->to_states.memory);
    put_planes(&launch, &args->from);
    put_planes(&launch, &args->to);
    return launch_end(&launch, args->size, 1);
}

static enum device_error keep(const struct keep_args *args, struct device_queue *queue) {
    const struct opencl_move a = {
        .width = args->width,
        .from_width = args->from_width,
        .limit = args->limit,
        .least = args->least,
        .most = args->most,
        .begin = (uint32_t)args->begin,
        .size = args->size,
    };
    struct launch launch = launch_begin(queue, "-DPIXELS", "keep");
    put(&launch, sizeof a, &a);
    put_memory(&launch, args->lines);
    put_planes(&launch, &args->from);
    put_planes(&launch, &args->to);
    return launch_end(&launch, args->size, 1);
}

static enum device_error counts(const struct export_args *args, struct device_queue *queue) {
    const struct opencl_pixels a = {
        .begin = (uint32_t)args->begin, .size = args->size, .limit = args->limit};
    struct launch launch = launch_begin(queue, "-DPIXELS", "counts");
    put(&launch, sizeof a, &a);
    put_memory(&launch, args->from);
    put_memory(&launch, args->to);
    return launch_end(&launch, args->size, 1);
}

static enum device_error gather(const struct gather_args *args, struct device_queue *queue) {
    size_t offset;
    opencl_memory(queue->own, args->count, &offset);
    const struct opencl_pixels a = {.begin = (uint32_t)(offset / sizeof(uint32_t)),
                                    .size = args->size};
    struct launch launch = launch_begin(queue, "-DPIXELS", "gather");
    put(&launch, sizeof a, &a);
    put_memory(&launch, args->count);
    put_memory(&launch, args->sum);
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
    const struct opencl_walk a = {
        .recipe = args->recipe,
        .unit = args->unit,
        .aligned = args->aligned,
        .fused = args->fused || args->type == TYPE_WIDE,
        .width = args->width,
        .serial = args->serial,
        .begin = (uint32_t)args->begin,
        .size = args->size,
        .limit = args->limit,
    };
    struct launch launch = launch_begin(queue, options, name);
    put(&launch, sizeof a, &a);
    put_memory(&launch, args->coords);
    put_memory(&launch, args->abort);
    for (; *planes < SAMPLE_PLANES; planes++)
        put_memory(&launch, args->planes.plane[*planes]);
    return launch;
}

static enum device_error walk(const struct slope_args *args, struct device_queue *queue,
                              const char *name, const int *planes) {
    char options[OPENCL_OPTIONS];
    snprintf(options, sizeof options, "-DWALK -DNUMBER_%s -DFOLDED=%d", number_names[args->type],
             folds(&args->recipe));
    struct launch launch = walk_begin(args, queue, options, name, planes);
    return launch_end(&launch, args->size, 1);
}

/* The same around a reference, from where its tables are to be put. */
static struct launch walk_around(const struct slope_args *args, struct device_queue *queue,
                                 const char *name, const int *planes) {
    const bool wide = args->type == TYPE_WIDE && !args->folded;
    char options[OPENCL_OPTIONS];
    snprintf(options, sizeof options, "-DWALK_AROUND -DNUMBER_%s -DFOLDED=%d -DTURNS=%d",
             number_names[wide ? TYPE_WIDE : TYPE_DOUBLE], args->folded, args->recipe.length > 1);
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
    return launch_end(&launch, args->size, 1);
}

static enum device_error traces_around(const struct slope_args *args, struct device_queue *queue) {
    struct device_tables tables = args->tables;
    struct launch launch = walk_around(args, queue, "traces_around", trace_planes);
    tables.series = args->traces.series;
    put_memory(&launch, args->traces.segment);
    put(&launch, sizeof args->traces.begun, &args->traces.begun);
    put_tables(&launch, &tables);
    return launch_end(&launch, args->size, 1);
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
};
