/* Screening: wide numbers only where doubles are not precise enough. A screened point is iterated
 * twice in doubles: as it is, and displaced by about the size of rounding errors. If both escape
 * alike, the exact orbit does, and the first sample stands; otherwise the point is iterated in wide
 * numbers. Both go up to the limit, so a point that is doubtful for one limit is doubtful for all
 * higher ones.
 *
 * A request for a picture around a reference in wide numbers is screened if it has a `screen`, its
 * reference in doubles. */
#ifndef FATHOM_RENDER_NUMBER_SCREEN_H
#define FATHOM_RENDER_NUMBER_SCREEN_H

#include "render/sample.h"

/* Factor of the displaced c: it changes about as many counts as rounding does. */
#define SCREEN_NEIGHBOUR (1 + 0x1p-36)
/* Fractions that differ by more are doubtful. At 5e227 one in 11 is; of 1500 others none had
 * another count in wide numbers, or a fraction that differed by a hundredth. */
#define SCREEN_APART 0x1p-4f

enum screen {
    SCREEN_CLEAR,    /* the sample of the point itself is right */
    SCREEN_OPEN,     /* neither has escaped within the limit: interior */
    SCREEN_DOUBTFUL, /* the point needs wide numbers */
};

/* Value of m in the state of an orbit that has not been iterated in wide numbers yet
 * (wide_round.h). */
#define SCREEN_NOT_WIDE 0xfffffffeu

/* Compares the samples of both: counts, with SAMPLE_INTERIOR if they did not escape within the
 * limit, and fractions. */
INLINE enum screen screen_of(const uint32_t count, const float fraction, const uint32_t other_count,
                             const float other_fraction) {
    const float apart = fraction - other_fraction;
    if (count & other_count & SAMPLE_INTERIOR)
        return count == SAMPLE_NEVER && other_count == SAMPLE_NEVER ? SCREEN_CLEAR : SCREEN_OPEN;
    return count == other_count && apart <= SCREEN_APART && -apart <= SCREEN_APART
               ? SCREEN_CLEAR
               : SCREEN_DOUBTFUL;
}

#endif
