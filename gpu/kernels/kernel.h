/* The words that the kernels of all GPUs are written in: the files of this folder are one text, of which CUDA makes
 * templates and OpenCL C programs. Each language defines the rest before (cuda/escape/number.cuh, opencl/kernels/number.cl):
 *
 *   value, real          a number of an orbit; what squares and derivatives of it are in
 *   number_high(x)       the real nearest to a value
 *   number_set(x, pair)  the value of a recipe's parameter
 *   number_place(...)    the c of a pixel, see coords_point.h; COORDS: what its table's entries are
 *   number_square, number_power
 *                        steps as in formula_step.h and formula_wide.h
 *   number_norm2(x, y), number_same(a, b), number_word(x): the bits that differ first
 *   number_margin, number_near, number_nearer, number_long, number_block: constants of x's kind of number
 *   KERNEL_FORMULAS(X)   the formulas that kernels of all other powers look up besides
 *   PLACES               what a launch reads and writes in device memory, by the names of struct iterate_args
 *   PLACES_LISTS(at)     whether what must go on is listed
 *
 * and `real`'s own, which formula_step.h, map_cosine.h and trace_step.h ask for.
 *
 * A constant argument (formula, folded, cycle) is known where a function is put in place. */
#ifndef FATHOM_GPU_KERNELS_KERNEL_H
#define FATHOM_GPU_KERNELS_KERNEL_H

/* Of functions over values, and of structs with values or reals as members. IN_PIECES: of structs that CUDA's threads had
 * better read in pieces of so many bytes, and others not (7% of ship_1e50 by OpenCL). */
#ifdef __CUDACC__
#define INLINE_VALUE     template <typename value, typename real = real_of<value>> INLINE
#define CALLED_VALUE     template <typename value> static __device__ __noinline__
#define HAS_VALUE        template <typename value>
#define HAS_REAL         template <typename real>
#define HAS_BOTH         template <typename value, typename real>
#define OF(kind, of)     struct kind<of>
#define IN_PIECES(bytes) __attribute__((aligned(bytes)))
#else
#define INLINE_VALUE INLINE
#define CALLED_VALUE static
#define HAS_VALUE
#define HAS_REAL
#define HAS_BOTH
#define OF(kind, of) struct kind
#define IN_PIECES(bytes)
#endif

/* Before a loop that is not to be unrolled. (Mesa's compiler, 22.3, stumbles over that, and does not unroll.) */
#if defined __CUDACC__ || defined __NV_CL_C_VERSION
#define ROLLED _Pragma("unroll 1")
#else
#define ROLLED
#endif

#endif
