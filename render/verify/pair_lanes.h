/* Orbits of z^2 + c in pairs of doubles (wide.h), side by side in lanes, each with a proven bound
 * of its error.
 *
 * An orbit W is iterated as the distance z from a reference orbit Z, z' = (2 Z + z) z + c, and is
 * rebased where W is nearer to 0 than to Z. The bound E of |z - exact z| follows from
 *
 *     E' = (2 |W| + E) E + (the error of 2 Z + z) (|z| + E) + the rounding of the step
 *
 * with |W| from doubles, rounded up. Rounding is below PAIR_UNIT of each sum or product's terms. A
 * count is given only where |W| differs from 2 by more than its error at every step.
 *
 * The orbit is interior where a disc is mapped into itself. F is a bound of the distance from z to
 * all orbits that began within a disc around an earlier z; it grows as E does. */
#ifndef FATHOM_RENDER_VERIFY_PAIR_LANES_H
#define FATHOM_RENDER_VERIFY_PAIR_LANES_H

#include <stdint.h>

#define PAIR_LANES 16
#define PAIR_UNIT  0x1p-98 /* bound of relative rounding errors */

/* Members of an index of the reference: hi and lo of re and im, and the error of that. */
enum pair_index { PAIR_RE, PAIR_RE_LOW, PAIR_IM, PAIR_IM_LOW, PAIR_ERROR, PAIR_MEMBERS };

enum pair_end { PAIR_GOES_ON, PAIR_ESCAPED, PAIR_INTERIOR, PAIR_UNSURE /* too few bits */ };

/* Members of all lanes. The distances z, c, E and F of a lane are in units of `scale`, a power of
 * two. A lane that has ended keeps `end`, `count` and the `last_` ones; its other members are
 * void. */
struct pair_lanes {
    double zr[PAIR_LANES], zr_low[PAIR_LANES], zi[PAIR_LANES], zi_low[PAIR_LANES];
    double cr[PAIR_LANES], cr_low[PAIR_LANES], ci[PAIR_LANES], ci_low[PAIR_LANES];
    double error[PAIR_LANES];   /* E */
    double spread[PAIR_LANES];  /* F; infinite: there is no disc */
    double c_error[PAIR_LANES]; /* error of c */
    double scale[PAIR_LANES];
    double last_error[PAIR_LANES];                   /* error of W at the end */
    double last_re[PAIR_LANES], last_im[PAIR_LANES]; /* W there */
    int64_t m[PAIR_LANES];                           /* index of the reference */
    int64_t n[PAIR_LANES], limit[PAIR_LANES], count[PAIR_LANES], end[PAIR_LANES];
};

/* The reference as the lanes read it. Lanes at an index with an infinite error end as unsure. */
struct pair_orbit {
    /* The members at index m are z[..][PAIR_MEMBERS * m]; they lie next to each other. Z_0 = 0. */
    const double *z[PAIR_MEMBERS];
    /* Last indices, at which orbits are rebased to index 0: of the orbit from 0, and of a Julia
     * set's orbit of the view, which follows it (else the same). */
    int64_t last, last_of_view;
};

/* Makes `steps` steps in each lane. The kinds differ in speed only. */
typedef void pair_steps(struct pair_lanes *lanes, const struct pair_orbit *orbit, int steps);
pair_steps pair_steps_base, pair_steps_avx2, pair_steps_avx512;

#endif
