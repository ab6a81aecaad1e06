/* All kernels as one text, whose includes the build puts in. A program is made of it for what it is to draw: PIXELS,
 * ITERATE, WALK, WALK_AROUND, POINTS, PAINT or PROBE. */
#ifndef NO_DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#if defined PIXELS || defined PROBE || defined PAINT
#define NUMBER_FLOAT /* of which nothing is used */
#endif
#ifndef CYCLE
#define CYCLE 0
#endif
#include "opencl/kernels/number.cl"

#include "gpu/escape/tasks.h"
#include "opencl/kernel_numbers.h"
#include "render/formula/inside_depth.h"
#include "render/formula/inside_step.h"
#include "render/formula/map_end.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"
#include "render/formula/trace_step.h"
#include "render/light/colour_sample.h"
#include "render/statistics.h"

#if defined AROUND || defined WALK_AROUND
#include "render/deep/perturbed_round.h"
#include "render/deep/trace_walk.h"
#include "render/number/screen.h"
#include "render/number/wide_round.h"

#include "opencl/kernels/tables.cl"
#endif
#include "opencl/kernels/memory.cl"
#if defined ITERATE || defined PIXELS
#include "gpu/kernels/shade.h"
#endif
#if defined ITERATE || defined WALK
#include "gpu/kernels/orbit.h"
#endif
#ifdef ITERATE
#include "opencl/kernels/iterate.cl"
#endif
#ifdef PIXELS
#include "gpu/kernels/move.h"

#include "opencl/kernels/pixels.cl"
#endif
#if defined WALK || defined WALK_AROUND
#include "opencl/kernels/walk.cl"
#endif
#if defined POINTS || defined PAINT
#include "gpu/density/cell_bounds.h"
#include "gpu/density/paint.h"
#include "opencl/density_arguments.h"
#endif
#ifdef POINTS
#include "opencl/kernels/points.cl"
#endif
#ifdef PAINT
#include "opencl/kernels/cell_bounds.cl"
#include "opencl/kernels/paint.cl"
#endif
#ifdef PROBE
#include "opencl/kernels/probe.cl"
#endif
