/* Perturbation kernel (traces): one orbit at a time, where it begins, below a double's range, and
 * at its end. Compiled once per instruction set and step. */
#include "cpu/deep/entry.h"
#include "cpu/walk/trace_put.h"

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/trace_walk.h"

#ifdef PERTURBED_FOLDED
#define FOLDED true
#else
#define FOLDED false
#endif

static enum trace_end go_up(struct trace_walk *w) {
    bool ends;
    while (!(ends = trace_walk_ends(w)) && w->o.log2 != 0 && w->rounds < TRACE_ROUNDS_MAX) {
        trace_walk_round(w, FOLDED);
        trace_walk_arrive(w, FOLDED);
    }
    return ends ? TRACE_ENDED : w->rounds < TRACE_ROUNDS_MAX ? TRACE_GOES_ON : TRACE_SPENT;
}

enum trace_end KERNEL_NAME(trace_begin_)(const struct perturbed_tables *tables,
                                         const struct perturbed_traces *traces, double cr,
                                         double ci, uint32_t count, struct trace_walk *walk) {
    *walk = trace_walk_begin(tables, traces, FOLDED, cr, ci, count);
    return go_up(walk);
}

enum trace_end KERNEL_NAME(trace_extended_)(struct trace_walk *walk) {
    walk->wr = walk->wi = 0; /* until the first round */
    return go_up(walk);
}

void KERNEL_NAME(trace_put_)(const struct perturbed_trace *passed, uint32_t points, uint32_t count,
                             const struct sample_planes *planes, size_t at) {
    float values[TRACE_VALUES];
    perturbed_trace_values(passed, points, count, planes->fraction[at], values);
    trace_put(planes, at, values, passed->nearest, trace_place(passed->caught_r, passed->caught_i));
}
