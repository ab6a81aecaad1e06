/* Orbits that walk for what they pass (render/deep/perturbed_trace.h) one by one, for the vectors of trace_tmpl.c: where
 * they begin, below a double's range, and when they end. Compiled once per instruction set from trace_point_tmpl.c. */
#ifndef FATHOM_CPU_DEEP_TRACE_H
#define FATHOM_CPU_DEEP_TRACE_H

#include "render/deep/perturbed_trace.h"
#include "render/planes.h"

/* Begins, and goes on to where doubles hold the distance. False: there is no more to go. The tables' series is that of the
 * traces. */
typedef bool trace_begin_fn(struct trace_walk *walk, const struct perturbed_tables *tables,
                            const struct perturbed_traces *traces, double cr, double ci,
                            uint32_t count);
/* Goes a round, and on likewise. */
typedef bool trace_round_fn(struct trace_walk *walk);
/* Puts what was passed where sample number `at` is, in those of the planes that there are; if it has ended. */
typedef void trace_put_fn(const struct trace_walk *walk, const struct sample_planes *planes,
                          size_t at);

#define TRACE_FNS(isa)                                                                             \
    trace_begin_fn trace_begin_##isa;                                                              \
    trace_round_fn trace_round_##isa;                                                              \
    trace_put_fn trace_put_##isa;
TRACE_FNS(base) TRACE_FNS(fma) TRACE_FNS(avx2) TRACE_FNS(avx512)
#undef TRACE_FNS

#endif
