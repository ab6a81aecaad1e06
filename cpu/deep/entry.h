/* Perturbation kernel (SIMD): functions that its files share. The kernel is compiled once per orbit
 * and instruction set, and the build names each one by PERTURBED_NAME. */
#ifndef FATHOM_CPU_DEEP_ENTRY_H
#define FATHOM_CPU_DEEP_ENTRY_H

#include "render/deep/perturbed_trace.h"

#define KERNEL_NAME2(stage, name) stage##name
#define KERNEL_NAME1(stage, name) KERNEL_NAME2(stage, name)
#define KERNEL_NAME(stage)        KERNEL_NAME1(stage, PERTURBED_NAME)

struct kernel;

/* Takes the orbits of the list `around` to where each ends or goes to another stage. Returns false
 * if stopped. */
bool KERNEL_NAME(around_)(struct kernel *k);

/* --- traces: one orbit at a time, where vectors cannot --- */

enum trace_end { TRACE_GOES_ON, TRACE_ENDED, TRACE_SPENT /* too many rounds */ };

/* Begins an orbit that escapes after `count` steps. The series of the tables is that of the
 * traces. */
void KERNEL_NAME(trace_begin_)(const struct perturbed_tables *tables,
                               const struct perturbed_traces *traces, double cr, double ci,
                               uint32_t count, struct trace_walk *walk);
/* Takes an orbit to where a double holds its distance, or to its end. */
enum trace_end KERNEL_NAME(trace_extended_)(struct trace_walk *walk);

#endif
