/* Launches the kernels for pixels and orbits. */
#include "gpu/launch/launch.h"
#include "gpu/launch/programs.h"
#include <stdio.h>
#include <string.h>

#define GROUP_TILES (KERNEL_GROUP / LATTICE_TILE_POINTS)

_Static_assert(sizeof(struct tally) == TALLY_WORDS * sizeof(uint32_t), "kernels count in words");
_Static_assert(offsetof(struct tally, listed) == TALLY_LISTED * sizeof(uint32_t), "as above");
_Static_assert(offsetof(struct statistics, histogram) == 6 * sizeof(uint32_t), "as above");

static const char *const number_names[TYPE_COUNT] = {"FLOAT", "DOUBLE", "WIDE"};

enum device_error launch_kernel(const struct slices *slices, const char *options,
                                const struct kernel *kernel, const void *args, size_t threads,
                                uint32_t rows) {
    struct device_program *program;
    const enum device_error error = programs_get(slices->device->programs, options, &program);
    if (error != DEVICE_OK)
        return error;
    return slices->impl->launch(slices->queue, program, kernel, args,
                                (uint32_t)((threads + KERNEL_GROUP - 1) / KERNEL_GROUP), rows);
}

/* --- pixels --- */

/* Defines the launch of a kernel whose threads take `each` pixels. */
#define PIXELS_LAUNCH(function, kernel, ARGUMENTS, S, each)                                        \
    KERNEL_ROWS(kernel, ARGUMENTS, S)                                                              \
    enum device_error function(const struct slices *slices, const S *args) {                       \
        const uint32_t threads = (args->task.size - 1) / (each) + 1;                               \
        return launch_kernel(slices, "-DPIXELS", &kernel, args, threads, 1);                       \
    }
PIXELS_LAUNCH(launch_clear, clear, CLEAR_ARGUMENTS, struct clear_args, CLEAR_PIXELS)
PIXELS_LAUNCH(launch_colour, colour, COLOUR_ARGUMENTS, struct colour_args, 1)
PIXELS_LAUNCH(launch_shift, shift, SHIFT_ARGUMENTS, struct shift_args, 1)
PIXELS_LAUNCH(launch_keep, keep, KEEP_ARGUMENTS, struct keep_args, 1)
PIXELS_LAUNCH(launch_export, export_counts, EXPORT_ARGUMENTS, struct export_args, 1)
PIXELS_LAUNCH(launch_gather, gather, GATHER_ARGUMENTS, struct gather_args, GATHER_COUNTS)

KERNEL_ROWS(resample, RESAMPLE_ARGUMENTS, struct resample_args)

enum device_error launch_resample(const struct slices *slices, const struct resample_args *args) {
    return launch_kernel(slices, "-DRESAMPLE", &resample, args, args->task.size, 1);
}

/* --- iterating --- */

KERNEL_ROWS(index_reference, INDEX_ARGUMENTS, struct index_args)
static const struct kernel_argument iterate_arguments[] = {
    ITERATE_ARGUMENTS(ROW, struct iterate_args){0, 0, 0}};
static const struct kernel_argument around_arguments[] = {
    ITERATE_AROUND_ARGUMENTS(ROW, struct iterate_args){0, 0, 0}};

enum device_error launch_index(const struct slices *slices, const struct index_args *args) {
    return launch_kernel(slices, "-DINDEX -DNUMBER_DOUBLE", &index_reference, args, args->task.size,
                         1);
}

/* Returns whether a program has code for several formulas in turn. All programs of wide numbers for
 * formulas other than z^2 + c have it, since there are fewer programs then. */
static bool takes_turns(bool folded, enum number_type type, const struct recipe *recipe) {
    return recipe->length > 1 || (folded && type == TYPE_WIDE);
}

/* Writes the options of a program for orbits around a reference. In doubles, its threads wait for
 * memory more than they compute. */
static void around_options(const struct slices *slices, const struct frame_req *req,
                           const struct iterate_args *args, char *options) {
    const bool folded = !fractal_is_quadratic(&req->fractal);
    const bool wide = req->type == TYPE_WIDE;
    const bool waits = !wide || args->screened;
    const char *few_registers = slices->device->few_registers;
    snprintf(options, PROGRAM_OPTIONS,
             "-DITERATE -DAROUND -DNUMBER_%s -DFOLDED=%d -DTURNS=%d -DSCREENED=%d -DCYCLE=%d%s",
             number_names[req->type], folded, takes_turns(folded, req->type, &args->task.recipe),
             args->screened, (int)args->task.cycle, few_registers && waits ? few_registers : "");
}

/* Writes the options of a program for a formula in a number type. A program that is compiled ahead
 * serves all maps, or all formulas except the first. */
static void direct_options(const struct frame_req *req, const struct iterate_args *args,
                           bool precompiled, char *options) {
    const struct recipe *recipe = &args->task.recipe;
    const char *number = number_names[args->screened ? TYPE_DOUBLE : req->type];
    const int cycle = (int)args->task.cycle;
    if (recipe_is_map(recipe) && precompiled)
        snprintf(options, PROGRAM_OPTIONS, "-DITERATE -DMAP -DSHARED -DNUMBER_%s", number);
    else if (recipe_is_map(recipe))
        snprintf(options, PROGRAM_OPTIONS, "-DITERATE -DMAP -DFORMULA=%u -DNUMBER_%s -DCYCLE=%d",
                 (unsigned)recipe->kind, number, cycle);
    else if (precompiled && recipe->kind != FORMULA_mandelbrot)
        snprintf(options, PROGRAM_OPTIONS,
                 "-DITERATE -DSHARED -DFORMULA=FORMULA_folded -DNUMBER_%s -DCYCLE=%d", number,
                 cycle);
    else
        snprintf(options, PROGRAM_OPTIONS, "-DITERATE -DFORMULA=%u -DNUMBER_%s -DCYCLE=%d",
                 (unsigned)recipe->kind, number, cycle);
}

enum device_error launch_iterate(const struct slices *slices, const struct frame_req *req,
                                 const struct iterate_args *args) {
    const bool list = args->from.word != 0, around = req->route == ROUTE_PERTURBED;
    const struct lattice *lattice = &args->task.lattice;
    const struct kernel kernel = {list ? "iterate_list" : "iterate_lattice",
                                  around ? offsetof(struct iterate_args, screened)
                                         : offsetof(struct iterate_args, tables),
                                  around ? around_arguments : iterate_arguments};
    char options[PROGRAM_OPTIONS];
    if (around)
        around_options(slices, req, args, options);
    else
        direct_options(req, args, slices->impl->precompiled, options);
    if (!slices->impl->precompiled) /* A kernel that lists no pixels needs no barriers. */
        snprintf(options + strlen(options), PROGRAM_OPTIONS - strlen(options), " -DLISTS=%d",
                 args->to.word != 0);
    if (list)
        return launch_kernel(slices, options, &kernel, args, args->task.size, 1);
    const size_t groups = (lattice->tiles_x - 1) / (GROUP_TILES * args->task.run) + 1;
    return launch_kernel(slices, options, &kernel, args, groups * KERNEL_GROUP, args->task.size);
}

/* --- second passes along orbits --- */

static const struct kernel_argument walk_arguments[] = {
    WALK_ARGUMENTS(ROW, struct walk_args){0, 0, 0}};
static const struct kernel_argument walk_around_arguments[] = {
    WALK_AROUND_ARGUMENTS(ROW, struct walk_args){0, 0, 0}};

static bool folds(const struct recipe *recipe) {
    unsigned folds = FOLD_NONE;
    for (uint32_t i = 0; i < recipe->length; i++)
        folds |= recipe->folds[i];
    return folds != FOLD_NONE;
}

enum device_error launch_walk(const struct slices *slices, const struct walk_args *args,
                              const char *name) {
    const bool around = args->around;
    const struct kernel kernel = {
        name, around ? offsetof(struct walk_args, type) : offsetof(struct walk_args, tables),
        around ? walk_around_arguments : walk_arguments};
    char options[PROGRAM_OPTIONS];
    if (around)
        snprintf(options, sizeof options, "-DWALK -DAROUND -DNUMBER_%s -DFOLDED=%d -DTURNS=%d",
                 number_names[args->type], args->folded,
                 takes_turns(args->folded, args->type, &args->task.recipe));
    else
        snprintf(options, sizeof options, "-DWALK -DNUMBER_%s -DFOLDED=%d",
                 number_names[args->type], folds(&args->task.recipe));
    return launch_kernel(slices, options, &kernel, args, args->task.size, 1);
}
