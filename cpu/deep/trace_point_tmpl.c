/* Orbits one by one for what they pass, compiled once per instruction set. */
#include "cpu/deep/trace.h"

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/trace_walk.h"

#define NAME3(stage, isa) trace_##stage##_##isa
#define NAME2(stage, isa) NAME3(stage, isa)
#define NAME(stage)       NAME2(stage, TRACE_ISA)

static bool is_folded(const struct trace_walk *w) {
    return !step_list_is_square(&w->t->steps);
}

INLINE void go_round(struct trace_walk *w, const bool folded) {
    trace_walk_round(w, folded);
    trace_walk_arrive(w, folded);
}

/* Formulas that fold have no such distances. */
static bool go_up(struct trace_walk *w) {
    while (!trace_walk_ends(w) && w->rounds < TRACE_ROUNDS_MAX) {
        if (w->o.log2 == 0)
            return true;
        go_round(w, false);
    }
    return false;
}

bool NAME(begin)(struct trace_walk *walk, const struct perturbed_tables *tables,
                 const struct perturbed_traces *traces, double cr, double ci, uint32_t count) {
    walk->t = tables;
    *walk = is_folded(walk) ? trace_walk_begin(tables, traces, true, cr, ci, count)
                            : trace_walk_begin(tables, traces, false, cr, ci, count);
    return go_up(walk);
}

bool NAME(round)(struct trace_walk *walk) {
    if (is_folded(walk))
        go_round(walk, true);
    else
        go_round(walk, false);
    return go_up(walk);
}

void NAME(put)(const struct trace_walk *walk, const struct sample_planes *planes, size_t at) {
    float values[TRACE_VALUES];
    if (!trace_walk_ends(walk))
        return;
    perturbed_trace_values(&walk->passed, walk->o.n, walk->count, planes->fraction[at], values);
    for (int i = 0; i < TRACE_VALUES; i++)
        if (planes->plane[SAMPLE_PLANE_stripe + i])
            ((float *)planes->plane[SAMPLE_PLANE_stripe + i])[at] = values[i];
    if (planes->domain)
        planes->domain[at] = walk->passed.nearest;
    if (planes->caught)
        planes->caught[at] = trace_place(walk->passed.caught_r, walk->passed.caught_i);
}
