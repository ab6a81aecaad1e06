/* Newton's method on orbits, at the precision that a place needs, for what lies in a view: roots of functions of
 * the point (struct roots). Where formulas fold it goes by what holds on one side of the folds, in two real
 * dimensions. Any thread; numbers belong to the caller. */
#ifndef FATHOM_RENDER_LOCATE_NEWTON_H
#define FATHOM_RENDER_LOCATE_NEWTON_H

#include "render/locate/family.h"
#include "render/view.h"
#include <stdatomic.h>
#include <stdint.h>

#define NEWTON_SPARE_BITS 160 /* that searches have below half of a view's height */

/* What another thread sees of a search, and stops it by. */
struct locate_watch {
    atomic_bool cancel;            /* it ends within some steps of an orbit */
    _Atomic uint32_t reached;      /* nothing was found that takes fewer steps */
    _Atomic uint32_t period;       /* that was found, whose place is being computed; or 0 */
    _Atomic uint32_t sharpened_at; /* the step of the orbit that this is at, of `sharpened_of` */
    _Atomic uint32_t sharpened_of;
};

/* The rectangle that a view shows. */
struct sight {
    const struct view *view;
    struct scaled half; /* of its height */
    double aspect;      /* width by height */
    double cos, sin;    /* of its angle */
    long depth_bits;    /* about -log2 half, 2 at least */
};

void sight_init(struct sight *sight, const struct view *view, double aspect);
/* Where c lies in it: right and up of the middle, in halves of the height; infinite far away. */
void sight_place(const struct sight *sight, const struct big *c, double *right, double *up);
/* The same of a distance. */
void sight_turn(const struct sight *sight, struct scaled d, double *right, double *up);
/* The point there; c has its precision. */
void sight_point(const struct sight *sight, double right, double up, struct big *c);

/* How a search ends. */
enum locate_end {
    LOCATE_FOUND,
    LOCATE_NONE,      /* there is none in the view up to the limit */
    LOCATE_UNDECIDED, /* too many places were tried in vain */
    LOCATE_TOO_DEEP,  /* it would need more than VIEW_BITS_MAX bits */
    LOCATE_NO_MEMORY,
    LOCATE_CANCELLED,
};

/* Roots of Z_b, or with `returns`, of a Julia set, of Z_b - Z_0: nuclei of period b and of its divisors; of Julia sets
 * points that come to 0, or back, after b steps. With 0 < a < b of Z_a + Z_b, of the Mandelbrot set alone: the
 * Misiurewicz points of preperiod a + 1 and period b - a or a divisor of that, since Z_(a+1) = Z_(b+1) where Z_a is
 * not Z_b; nuclei whose period divides both, which are roots, too, are divided out. */
struct roots {
    const struct family *family;
    uint32_t a, b;
    bool returns;
};

enum newton_end {
    NEWTON_ROOT,
    NEWTON_AWAY, /* it left the view's surroundings or did not settle */
    NEWTON_CANCELLED,
};

/* From c to the root that Newton's method leads to, to 2^-64 of the view's half height. */
enum newton_end newton_approach(const struct sight *sight, struct locate_watch *watch,
                                const struct roots *roots, struct big *c);
/* Goes on from such a root until it is known to 2^-bits; c gets some more bits than those. A part that is within that
 * of a short number, as of 0 where roots are real, becomes that. */
enum locate_end newton_sharpen(const struct sight *sight, struct locate_watch *watch,
                               const struct roots *roots, long bits, struct big *c);

#endif
