/* Newton's method on orbits, at the precision that a place in a view needs: finds roots of
 * functions of the point (struct roots). With folds, the method works in two real dimensions, with
 * the formula on one side of the folds. Any thread; the caller owns all numbers. */
#ifndef FATHOM_RENDER_LOCATE_NEWTON_H
#define FATHOM_RENDER_LOCATE_NEWTON_H

#include "render/locate/family.h"
#include "render/view.h"
#include <stdatomic.h>
#include <stdint.h>

/* [bits] working precision of searches below half of a view's height. */
#define NEWTON_SPARE_BITS 160

/* State of a search that another thread can read, and the flag that cancels the search. */
struct locate_watch {
    atomic_bool cancel;       /* ends the search within a few steps of an orbit */
    _Atomic uint32_t reached; /* nothing was found with fewer steps */
    /* Period of the found place, whose position is being refined; or 0. */
    _Atomic uint32_t period;
    _Atomic uint32_t sharpened_at; /* step of the orbit in the refinement, of `sharpened_of` */
    _Atomic uint32_t sharpened_of;
};

/* Rectangle that a view shows. */
struct sight {
    const struct view *view;
    struct scaled half; /* half of its height */
    double aspect;      /* width by height */
    double cos, sin;    /* cosine and sine of its angle */
    long depth_bits;    /* about -log2 half, at least 2 */
};

void sight_init(struct sight *sight, const struct view *view, double aspect);
/* Computes the position of c in the view: right and up of the middle, in half heights; infinite if
 * far away. */
void sight_place(const struct sight *sight, const struct big *c, double *right, double *up);
/* Converts a distance as sight_place converts a position. */
void sight_displacement(const struct sight *sight, struct scaled d, double *right, double *up);
/* Computes the point at a position; c keeps its precision. */
void sight_point(const struct sight *sight, double right, double up, struct big *c);

/* Result of a search. */
enum locate_end {
    LOCATE_FOUND,
    LOCATE_NONE,      /* nothing is in the view up to the limit */
    LOCATE_UNDECIDED, /* too many places were tried in vain */
    LOCATE_TOO_DEEP,  /* more than VIEW_BITS_MAX bits are needed */
    LOCATE_NO_MEMORY,
    LOCATE_CANCELLED,
};

/* Function whose roots are searched: Z_b, or Z_b - Z_0 with `returns`, for Julia sets only. The
 * roots are nuclei of period b and its divisors; in Julia sets, points that reach 0, or return,
 * after b steps. With 0 < a < b, for the Mandelbrot set only, the function is Z_a + Z_b. Its roots
 * are the Misiurewicz points of preperiod a + 1 and period b - a or a divisor of it, where Z_(a+1)
 * = Z_(b+1) although Z_a is not Z_b. Nuclei whose period divides a and b are roots as well, and are
 * divided out. */
struct roots {
    const struct family *family;
    uint32_t a, b;
    bool returns;
};

enum newton_end {
    NEWTON_ROOT,
    NEWTON_AWAY, /* left the surroundings of the view, or did not settle */
    NEWTON_CANCELLED,
};

/* Moves c to the root to which Newton's method leads, to 2^-64 of half the view's height. */
enum newton_end newton_approach(const struct sight *sight, struct locate_watch *watch,
                                const struct roots *roots, struct big *c);
/* Refines a root of newton_approach until it is known to 2^-bits; c gets slightly more bits. If a
 * part is within this distance of a short number, such as 0 for real roots, it becomes the short
 * number. */
enum locate_end newton_sharpen(const struct sight *sight, struct locate_watch *watch,
                               const struct roots *roots, long bits, struct big *c);

#endif
