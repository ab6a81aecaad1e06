/* A reference and its tables, as the functions see them that all devices share. The build says TURNS: whether several steps
 * take turns; else one formula's look up nothing. */
#define TABLES_STEPS                                                                               \
    { TURNS ? of.steps.length : 1, of.steps.powers, of.steps.folds }
#define TABLES_ARGUMENTS                                                                           \
    const struct opencl_tables of, const GLOBAL struct perturbed_index *index_of,                  \
        const GLOBAL double *orbit_of, const GLOBAL struct perturbed_small *small_of,              \
        const GLOBAL uint *list_at, const GLOBAL struct segment_list *list_of,                     \
        const GLOBAL struct segment *segment_of, const GLOBAL double *orbit_low,                   \
        const GLOBAL struct segment_low *low_of, const GLOBAL uint *begin_of,                      \
        const GLOBAL struct segment_bar *bar_of

#define TABLES                                                                                     \
    {                                                                                              \
        .index = index_of, .orbit = orbit_of, .small = small_of, .list_at = list_at,               \
        .list = list_of, .segment = segment_of, .re = of.re, .im = of.im, .from_re = of.from_re,   \
        .from_im = of.from_im, .inside = of.inside, .smalls = of.smalls, .last = of.last,          \
        .julia = of.julia, .c_log2 = of.c_log2, .c_most_log2 = of.c_most_log2, .step = of.step,    \
        .step_log2 = of.step_log2, .unit = of.unit, .unit_log2 = of.unit_log2,                     \
        .series = of.series, .orbit_low = orbit_low, .low = low_of, .re_low = of.re_low,           \
        .im_low = of.im_low, .steps = TABLES_STEPS, .begin = begin_of, .bar = bar_of                   \
    }
