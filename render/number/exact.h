/* Exact iteration counts of single points of a request, by arbitrary precision with a proven bound
 * of the error. Pictures are judged by them, and they share nothing with the kernels except the
 * view.
 *
 * A point is iterated in fixed point, with a bound E of |z - exact z|: a step makes at most (2|z| +
 * E) E of it, and adds its own rounding. A count is given only where |z| differs from the bailout
 * radius by more than E; otherwise the point is iterated again with more bits. So counts are
 * proven, not estimated. Points of the main cardioid, of the period-2 disc and of the set's real
 * axis are interior without iterating. */
#ifndef FATHOM_RENDER_NUMBER_EXACT_H
#define FATHOM_RENDER_NUMBER_EXACT_H

#include "render/frame.h"
#include <stdatomic.h>

enum exact_state {
    EXACT_OPEN,    /* unknown: stopped, or no memory, which was logged */
    EXACT_ESCAPED, /* `count` steps were done when |z|^2 >= 4 first held */
    EXACT_INTERIOR /* not within the limit, which is `count` */
};

#define EXACT_MOVED_BITS 40

struct exact_point {
    int x_px, y_px; /* from the top left pixel of the request's picture */
    bool moved;     /* the point lies 2^-EXACT_MOVED_BITS of a pixel to the right of that */
    enum exact_state state;
    uint32_t count;
    long bits; /* bits of fraction that it took; 0: it was not iterated */
    /* log2 of the factor by which the orbit has enlarged a rounding of c, at most */
    double growth_log2;
    long least_bits; /* set by the caller: bits of fraction to begin with; 0: few */
    /* Set if an escaped point was iterated: fraction and |z|^2 as in a sample (sample.h); norm2 is
     * 0 otherwise. */
    float fraction, norm2;
};

/* Computes the place of a point exactly; re and im get the precision for it. */
void exact_place(const struct frame_req *req, const struct exact_point *point, mpfr_ptr re,
                 mpfr_ptr im);
/* Finds state and count of a point at (re, im) if they are known without iterating. Otherwise
 * returns false, and the point is open. */
bool exact_is_known(const struct frame_req *req, mpfr_srcptr re, mpfr_srcptr im,
                    struct exact_point *point);

/* Sets the fraction of a point at re + i im whose orbit has escaped to zr + i zi; a step of a
 * double changes it by less than 2^-40. */
void exact_set_fraction(const struct frame_req *req, struct exact_point *point, double re,
                        double im, double zr, double zi);

/* Finds state and count of a point of a request that frame_req_problem accepts and that has no
 * uneven lines. The point stays open if *stop becomes true, which is obeyed within 10 ms. Not for
 * maps. Any thread. */
void exact_count(const struct frame_req *req, struct exact_point *point, const atomic_bool *stop);

#endif
