/* Perturbation kernel (traces): one orbit at a time, where it begins, below a double's range, and
 * at its end. Compiled once per instruction set and step. */
#include "cpu/deep/entry.h"

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/trace_walk.h"

void KERNEL_NAME(trace_begin_)(const struct perturbed_tables *tables,
                               const struct perturbed_traces *traces, double cr, double ci,
                               uint32_t count, struct trace_walk *walk) {
    *walk = trace_walk_begin(tables, traces, FOLDED, cr, ci, count);
}

enum trace_end KERNEL_NAME(trace_extended_)(struct trace_walk *walk) {
    bool ends;
    while (!(ends = trace_walk_ends(walk)) && walk->o.log2 != 0 &&
           walk->rounds < TRACE_ROUNDS_MAX) {
        trace_walk_round(walk, FOLDED);
        trace_walk_arrive(walk, FOLDED);
    }
    return ends ? TRACE_ENDED : walk->rounds < TRACE_ROUNDS_MAX ? TRACE_GOES_ON : TRACE_SPENT;
}
