/* Wide numbers where doubles do not do. A screened point is iterated twice in doubles: as it is, and
 * beside itself, about as far as what rounding does. Where both escape alike, so would what is exact, and
 * the first one's sample stands; where they do not, the point is iterated in wide numbers. As both go
 * up to the limit, a point that is doubtful for one limit is so for all higher ones.
 *
 * A request for a perturbed picture in wide numbers that has a `screen`, which is what doubles go by, is drawn so. */
#ifndef FATHOM_RENDER_NUMBER_SCREEN_H
#define FATHOM_RENDER_NUMBER_SCREEN_H

#include "render/sample.h"

/* The other c over the point's: about as many counts change by that as by what rounding does. */
#define SCREEN_BESIDE (1 + 0x1p-36)
/* Fractions that differ by more are doubtful. At 5e227 one in 11 is; of 1500 none of the others had another
 * count in wide numbers, or another fraction by a hundredth. */
#define SCREEN_APART 0x1p-4f

enum screen {
    SCREEN_CLEAR,    /* the sample of the point itself is right */
    SCREEN_OPEN,     /* neither has escaped within the limit: interior, as far as that is known */
    SCREEN_DOUBTFUL, /* one has to look in wide numbers */
};

/* In the place of m in the state of an orbit in wide numbers (wide_point.h): there is none yet. */
#define SCREEN_NOT_WIDE 0xfffffffeu

/* From the samples of both: counts, with SAMPLE_INTERIOR where they did not escape within the limit, and
 * fractions. */
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
