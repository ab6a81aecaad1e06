/* Kernel program: all kernels as one text. -D options choose the kind of program (PIXELS, INDEX,
 * ITERATE, WALK, POINTS, PAINT or RESAMPLE), the number type, and the options of each kind's file.
 * WALK and ITERATE with AROUND use a reference.
 *
 * The text for OpenCL contains each file where it is first included. Files that several kinds need
 * are therefore included here. */
#ifndef FATHOM_GPU_KERNELS_PROGRAM_H
#define FATHOM_GPU_KERNELS_PROGRAM_H

#ifdef __OPENCL_C_VERSION__
#ifndef NO_DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
#endif

#if defined AROUND || defined INDEX
#define REFERENCE
#endif
#if !defined NUMBER_FLOAT && !defined NUMBER_DOUBLE && !defined NUMBER_WIDE
#define NUMBER_FLOAT /* programs without orbits need some type, but do not use it */
#endif
#if defined SCREENED && SCREENED == 1
#define PERTURBED_SCREEN
#endif
#if defined AROUND && defined ITERATE && defined NUMBER_WIDE && !defined PERTURBED_SCREEN
#define AROUND_WIDE
#elif defined AROUND
#define AROUND_DOUBLES
#endif
#if defined SHARED && !defined MAP
#define KERNEL_FORMULAS FORMULA_LIST /* formulas among which a kernel for all of them selects */
#else
#define KERNEL_FORMULAS(X)
#endif
#ifdef INDEX
#define TURNS 0
#endif
#if defined __CUDACC__ && defined AROUND_DOUBLES && defined ITERATE
#define RESIDENT_GROUPS 8 /* 64 registers are enough for doubles; more threads hide more latency */
#elif defined __CUDACC__ && defined POINTS && defined NUMBER_FLOAT && FOLD != 0 && !DEEP &&        \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900)
#define RESIDENT_GROUPS 16 /* 2048 threads: the registers are just enough for mirrored floats */
#endif

#include "gpu/kernels/number.h"
#include "render/formula/inside_depth.h"
#include "render/formula/inside_step.h"
#include "render/formula/map_end.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"
#include "render/formula/trace_step.h"
#include "render/light/colour_sample.h"

#ifdef REFERENCE
#include "render/deep/perturbed_round.h"
#include "render/deep/trace_walk.h"
#include "render/number/wide_round.h"
#endif

#include "gpu/kernels/arguments.h"
#include "gpu/kernels/group.h"
#if defined ITERATE || defined WALK
#include "gpu/kernels/orbit.h"
#endif
#if defined ITERATE || defined PIXELS
#include "gpu/kernels/shade.h"
#endif
#ifdef REFERENCE
#include "gpu/kernels/tables.h"
#endif
#ifdef ITERATE
#include "gpu/kernels/iterate_kernels.h"
#endif
#ifdef PIXELS
#include "gpu/kernels/pixels_kernels.h"
#endif
#ifdef INDEX
#include "gpu/kernels/index_kernels.h"
#endif
#ifdef WALK
#include "gpu/kernels/walk_kernels.h"
#endif
#ifdef POINTS
#include "gpu/kernels/points_kernels.h"
#endif
#ifdef PAINT
#include "gpu/kernels/paint_kernels.h"
#endif
#ifdef RESAMPLE
#include "gpu/kernels/resample_kernels.h"
#endif

#endif
