/* Scalar kernels: their number type and their points. These kernels apply the functions of the
 * kernel text (gpu/kernels/) to a list, one point after another, and run on every processor.
 * Compiled once per number type (NUMBER_*), and on x86-64 also with fma instructions; SCALAR_NAME
 * is the end of the functions' names. */
#ifndef FATHOM_CPU_SCALAR_SCALAR_H
#define FATHOM_CPU_SCALAR_SCALAR_H

/* The text has short names, which other functions use for variables. Each file uses a part. */
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"

#include "cpu/escape/kernels.h"
#include "gpu/kernels/number.h"
#include "render/formula/inside_depth.h"
#include "render/formula/inside_step.h"
#include "render/formula/map_end.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"
#include "render/formula/trace_step.h"
#include <string.h>

#define KERNEL_FORMULAS FORMULA_LIST
#include "gpu/kernels/orbit.h"

#define NAME2(kernel, name) kernel##name
#define NAME1(kernel, name) NAME2(kernel, name)
#define NAME(kernel)        NAME1(kernel, SCALAR_NAME)

#define STOP_STEPS (1u << 16) /* [steps] maximum between two reads of `stop` */

INLINE bool stopped(const struct tile_points *p) {
    return atomic_load_explicit(p->stop, memory_order_relaxed);
}

/* Returns coordinate i of a list. */
INLINE value list_value(const void *list, size_t i) {
#ifdef NUMBER_WIDE
    const double *high = list;
    return (value){high[i], high[i + TILE_LOW]};
#else
    return ((const real *)list)[i];
#endif
}

/* Sets c of a point of a direct picture, and the first z. */
INLINE void point_begin(const struct tile_points *p, uint32_t id, struct orbit *o) {
    const struct recipe *recipe = p->recipe;
    const host_double none[2] = {0, 0};
    o->number = 0;
    o->cr = list_value(p->cr, id);
    o->ci = list_value(p->ci, id);
    number_set(&o->zr, none);
    number_set(&o->zi, none);
    if (!recipe->julia)
        return;
    o->zr = o->cr;
    o->zi = o->ci;
    number_set(&o->cr, recipe->parameter_re);
    number_set(&o->ci, recipe->parameter_im);
}

/* Stores the sample of an orbit that escaped. */
INLINE void samples_escape(struct tile_samples *samples, uint32_t id, uint32_t count,
                           float fraction, float norm2) {
    samples->planes.count[id] = count;
    samples->planes.fraction[id] = fraction;
    if (samples->planes.norm2)
        samples->planes.norm2[id] = sample_norm2(norm2);
    samples->escaped++;
    samples->steps += count;
}

/* Lists a point that reached the limit, if the caller needs such points. Returns the address for
 * its state, whose size is given, or NULL. */
INLINE void *samples_open(struct tile_samples *samples, uint32_t id, size_t size) {
    if (!samples->undecided)
        return NULL;
    samples->undecided[samples->undecided_size] = (uint16_t)id;
    return (char *)samples->states + samples->undecided_size++ * size;
}

#endif
