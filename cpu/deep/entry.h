/* Perturbation kernel (SIMD): functions that its files share. The kernel is compiled once per orbit
 * and instruction set, and the build names each one by PERTURBED_NAME. */
#ifndef FATHOM_CPU_DEEP_ENTRY_H
#define FATHOM_CPU_DEEP_ENTRY_H

#if SCREEN
#define PERTURBED_SCREEN
#endif
#include "render/deep/perturbed_trace.h"
#include <stdint.h>

#define KERNEL_NAME2(stage, name) stage##name
#define KERNEL_NAME1(stage, name) KERNEL_NAME2(stage, name)
#define KERNEL_NAME(stage)        KERNEL_NAME1(stage, PERTURBED_NAME)

/* Doubles of a complex number in memory, of which RE and IM are the leading ones of its real and
 * imaginary part. */
#ifdef TILE_TYPE_WIDE
enum { RE, RE_LOW, IM, IM_LOW, PARTS };
#else
enum { RE, IM, PARTS };
#endif

/* An orbit between two stages: after n steps, z from index m of the reference, times 2^log2 where
 * that is not 0. In the tail z is the orbit itself. Also its state if it may go on with a higher
 * limit, where m is PERTURBED_TAIL in the tail. */
struct orbit {
    double z[PARTS];
    uint32_t m, n;
    int32_t log2, spare;
};

struct kernel;

/* Takes the orbits of the list `around` to where each ends or goes to another stage. Returns false
 * if stopped. */
bool KERNEL_NAME(around_)(struct kernel *k);

/* --- one orbit at a time, where vectors cannot --- */

#ifdef TILE_TYPE_WIDE
/* Begins the orbit of a point: wide_begin. */
void KERNEL_NAME(begin_)(const struct perturbed_tables *tables, const double c[PARTS],
                         struct orbit *orbit);
#endif

/* Makes one round of an orbit whose z is below a double's range. Its derivative goes along if
 * `slope` is not NULL, and with SCREEN its estimate; wide numbers have neither. */
enum perturbed_end KERNEL_NAME(extended_)(const struct perturbed_tables *tables,
                                          const double c[PARTS], struct orbit *orbit,
                                          struct perturbed_slope *slope,
                                          struct perturbed_screen *screen);
#if SCREEN
/* Restarts an orbit that has been rebased before step number `turn`: perturbed_screen_restart. */
void KERNEL_NAME(restart_)(const struct perturbed_tables *tables, uint32_t turn,
                           const double z[PARTS], const double c[PARTS],
                           struct perturbed_screen *screen);
#endif

/* --- traces --- */

enum trace_end { TRACE_GOES_ON, TRACE_ENDED, TRACE_SPENT /* too many rounds */ };

/* Begins an orbit that escapes after `count` steps. The series of the tables is that of the
 * traces. */
void KERNEL_NAME(trace_begin_)(const struct perturbed_tables *tables,
                               const struct perturbed_traces *traces, double cr, double ci,
                               uint32_t count, struct trace_walk *walk);
/* Takes an orbit to where a double holds its distance, or to its end. */
enum trace_end KERNEL_NAME(trace_extended_)(struct trace_walk *walk);

#endif
