/* Baselines for the CPU: the loops that a programmer writes first, as published with measurements
 * in Fontana, Siri, Zucca: "Mandelbrot optimisation" (2024). Honest code at -O3, threaded with
 * OpenMP, but one orbit or one vector at a time and a test every step. */
#ifndef FATHOM_LAB_BENCH_LOOPS_H
#define FATHOM_LAB_BENCH_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#define LOOP_PADDING 8 /* numbers past the last column that may be read */

/* One picture. re and im are of the loop's type. */
struct loop_job {
    int width_px, height_px;
    const void *re; /* of the columns; the last number is there LOOP_PADDING times more */
    const void *im; /* of the rows, top down */
    uint32_t limit;
    int threads;        /* > 0 */
    bool (*stop)(void); /* asked by every thread before a row; true: the rest is not drawn */
    uint32_t *count;    /* out, width_px * height_px: steps until |z|^2 >= 4, or the limit */
};

/* Draws the picture and returns when all threads are done. */
typedef void loop_fn(const struct loop_job *job);

/* One orbit at a time, arithmetic `unfused`, for every processor. */
loop_fn loop_plain_double;
/* One AVX2 vector at a time; needs AVX2 and FMA. Its own arithmetic: the square's real part as
 * fma(zr, zr, -(zi * zi)) + cr, the imaginary as fma(2, zr * zi, ci). */
loop_fn loop_vector_float, loop_vector_double;

#endif
