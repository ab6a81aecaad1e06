/* CPU programs of the paper (seed 003): listings 1 and 3 to 6. They iterate all orbits in the order
 * of the image, test every step, and are threaded by OpenMP. */
#ifndef FATHOM_LAB_PAPER_PAPER_LOOPS_H
#define FATHOM_LAB_PAPER_PAPER_LOOPS_H

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define PAPER_FIRST_RE (-2) /* real part of column 0 */
#define PAPER_FIRST_IM (-1) /* imaginary part of row 0 */

/* Rounding of a step. All but the first also compute coordinates by one fma. */
enum paper_rounding {
    PAPER_UNFUSED,
    /* Listings 4 and 5: zr' = fma(zr, zr, -(zi * zi)) + cr, zi' = fma(2, zr * zi, ci),
     * |z|^2 = fma(zr, zr, zi * zi). */
    PAPER_FMA,
    /* Listing 7 as a compiler contracts it: zr' = fma(-zi, zi, zr * zr) + cr,
     * zi' = fma(2 * zr, zi, ci), |z|^2 = fma(zi, zi, zr * zr). */
    PAPER_CONTRACTED,
    /* The same in floats with the literal 2.0, a double: zi' = 2 * zr * zi rounded, + ci. */
    PAPER_CONTRACTED_WIDE,
    PAPER_ROUNDING_COUNT
};

struct paper_job {
    int width_px, height_px; /* width_px * height_px must be a multiple of 8 */
    double step;             /* distance of columns and of rows */
    uint32_t limit;
    int threads;        /* > 0 */
    bool dynamic;       /* OpenMP's dynamic schedule, else the static one */
    bool (*stop)(void); /* called by every thread now and then */
    uint32_t *count;    /* output, width_px * height_px; 0: bounded up to the limit */
};

/* The functions below return once all threads are done; false if they were stopped. */

/* Iterates one orbit at a time, unfused, until |z|^2 >= 4. `abs`: until hypot(z) >= 2, which is
 * what abs() of a complex number computes. */
bool paper_scalar_float(const struct paper_job *job, bool abs);
bool paper_scalar_double(const struct paper_job *job, bool abs);
/* Iterates one AVX2 vector at a time; needs AVX2 and FMA. `listed`, for PAPER_UNFUSED and PAPER_FMA
 * only, follows listing 4: a count is the step where |z|^2 > 4 first held, and the loop ends early
 * only if that holds for all lanes in the same step. Else a count is the step where |z|^2 >= 4
 * first held, and the loop ends once all lanes have escaped. */
bool paper_vector_float(const struct paper_job *job, enum paper_rounding rounding, bool listed);
bool paper_vector_double(const struct paper_job *job, enum paper_rounding rounding, bool listed);

/* --- baselines: the same loops over tables of coordinates --- */

#define LOOP_PADDING 8 /* numbers past the last column that may be read */

/* Picture to draw. re and im are of the loop's type. */
struct loop_job {
    int width_px, height_px;
    const void *re; /* of the columns; the last number is repeated LOOP_PADDING times */
    const void *im; /* of the rows, from the top */
    uint32_t limit;
    int threads;        /* > 0 */
    bool (*stop)(void); /* called by every thread before a row; true: the rest is not drawn */
    uint32_t *count;    /* output, width_px * height_px: steps until |z|^2 >= 4, or the limit */
};

/* Draws the picture and returns when all threads are done. */
typedef void loop_fn(const struct loop_job *job);

/* Iterates one orbit at a time, unfused; runs on every processor. */
loop_fn loop_plain_double;
/* Iterate one AVX2 vector at a time, PAPER_FMA; need AVX2 and FMA. */
loop_fn loop_vector_float, loop_vector_double;

/* Defines a static function `name` that runs `body` at every `lanes`-th position. Options of the
 * program are constants in `body`, so that each program has a loop of its own. */
#define PAPER_LOOP(name, lanes, body)                                                              \
    static bool name(const struct paper_job *job) {                                                \
        const int points = job->width_px * job->height_px;                                         \
        atomic_bool stopped = false;                                                               \
        omp_set_schedule(job->dynamic ? omp_sched_dynamic : omp_sched_static, 0);                  \
        _Pragma("omp parallel for schedule(runtime) num_threads(job->threads)") for (int pos = 0;  \
                                                                                     pos < points; \
                                                                                     pos +=        \
                                                                                     (lanes)) {    \
            if (atomic_load_explicit(&stopped, memory_order_relaxed))                              \
                continue;                                                                          \
            if (pos % 4096 == 0 && job->stop())                                                    \
                atomic_store(&stopped, true);                                                      \
            body;                                                                                  \
        }                                                                                          \
        return !stopped;                                                                           \
    }

#endif
