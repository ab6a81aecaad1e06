/* Second passes of a device picture: launches the walks along its orbits. */
#include "gpu/escape/device_walks.h"
#include "gpu/launch/launch.h"
#include "render/formula/slope.h"
#include "render/grid/coords.h"

#define SLOPE_COST      4 /* cost of a step with its derivative, in steps */
#define TRACE_COST      16
#define DEEP_TRACE_COST 64 /* around a reference, where fewer segments can be used */

/* [steps] cost of a pixel's search for a cycle. Most pixels take far less; the others, which share
 * a launch, far more. */
#define INSIDE_STEPS 4096u

/* Returns the number of pixels whose second passes fit into a launch, if a step costs `cost`
 * steps. */
static uint32_t slope_pixels(const struct device_picture *d, unsigned cost) {
    const struct tally *all = &d->slices->last;
    const uint64_t kept = d->progress->kept, made = all->done > kept ? all->done - kept : 1;
    const uint64_t mean = all->steps / made;
    const uint64_t steps = cost * (mean < SLOPE_STEPS_MAX ? mean : SLOPE_STEPS_MAX) + 64;
    return launch_budget_pixels(d->budget, (uint32_t)steps);
}

/* Launches a second pass over all pixels, `part` pixels at a time. */
static bool walk(struct device_picture *d, struct walk_args args, uint32_t part, const char *name) {
    const size_t pixels = (size_t)d->req->width_px * (size_t)d->req->height_px;
    for (; args.task.begin < pixels; args.task.begin += args.task.size) {
        const size_t left = pixels - args.task.begin;
        args.task.size = left < part ? (uint32_t)left : part;
        if (!device_picture_tick(d) ||
            !SLICES_LAUNCH(d->slices, launch_walk(d->slices, &args, name)))
            return false;
    }
    return true;
}

static struct walk_args walk_args_of(const struct device_picture *d) {
    struct walk_args args = {
        .task =
            {
                .unit = frame_req_step(d->req),
                .layout = coords_layout(d->req),
                .width = (uint32_t)d->req->width_px,
                .planes = d->req->planes,
                .limit = d->req->limit,
                .serial = d->serial,
                .most = SAMPLE_COUNT_MASK,
            },
        .type = d->req->type,
        .around = d->req->route == ROUTE_PERTURBED,
        .folded = !fractal_is_quadratic(&d->req->fractal),
        .coords = d->buffers->coords,
        .planes = device_picture_planes(d),
        .abort = d->abort,
        .tables = d->req->screen ? d->screen : d->tables,
        .traces = d->traces.segment,
        .begun = d->traces.begun,
    };
    fractal_recipe(&d->req->fractal, d->req->type, &args.task.recipe);
    return args;
}

/* Returns the arguments for orbits in doubles of a direct picture in wide numbers. */
static struct walk_args walk_args_in_doubles(const struct device_picture *d) {
    struct walk_args args = walk_args_of(d);
    args.type = TYPE_DOUBLE;
    args.coords = d->buffers->double_coords;
    args.task.most = d->req->doubles_limit;
    fractal_recipe(&d->req->fractal, TYPE_DOUBLE, &args.task.recipe);
    return args;
}

static bool walk_slopes(struct device_picture *d, struct walk_args args) {
    if (d->req->planes & SAMPLE_TRACE) {
        struct walk_args traces = args;
        traces.tables.numbers.series = d->traces.series;
        if (!walk(d, traces, slope_pixels(d, args.around ? DEEP_TRACE_COST : TRACE_COST),
                  args.around ? "traces_around" : "traces"))
            return false;
    }
    return walk(d, args, slope_pixels(d, SLOPE_COST), args.around ? "slopes_around" : "slopes");
}

bool device_walks_slopes(struct device_picture *d) {
    struct walk_args args = walk_args_of(d);
    if (!args.planes.distance.word || d->repeats || !fractal_has_slopes(&d->req->fractal))
        return true;
    if (d->req->doubles_limit > 0) {
        args.task.least = d->req->doubles_limit + 1;
        if (!walk_slopes(d, walk_args_in_doubles(d)))
            return false;
    }
    return walk_slopes(d, args);
}

bool device_walks_insides(struct device_picture *d) {
    const uint32_t part = launch_budget_pixels(d->budget, INSIDE_STEPS);
    if (!(d->req->planes & SAMPLE_INSIDE) || d->repeats || !fractal_has_slopes(&d->req->fractal))
        return true;
    return walk(d, d->req->doubles_limit > 0 ? walk_args_in_doubles(d) : walk_args_of(d), part,
                "insides");
}
