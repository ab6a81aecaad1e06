/* Whether doubles do for a perturbed picture. Where neighbouring orbits part long before they escape,
 * counts depend on bits of c that doubles do not hold; there wide numbers are right more often. */
#ifndef FATHOM_RENDER_NUMBER_DOUBT_H
#define FATHOM_RENDER_NUMBER_DOUBT_H

#include "render/deep/perturbation.h"

enum doubt { DOUBT_UNKNOWN, DOUBT_NONE, DOUBT_FOUND };

/* What is known of pictures of that place and limit. Any thread. */
enum doubt doubt_known(const struct perturbation *perturbation, const struct perturbed_place *place,
                       uint32_t limit);
/* Finds out, in some milliseconds where orbits are short, a second or so where they are not: points all over a picture, always the same ones, are iterated twice, as far apart as
 * what rounding does; more than one in 400 with another count then are a reason for doubt. False: stopped,
 * and nothing is known. */
bool doubt_find(struct perturbation *perturbation, const struct perturbed_place *place,
                uint32_t limit, const atomic_bool *stop);

#endif
