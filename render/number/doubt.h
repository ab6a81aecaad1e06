/* Doubt about doubles: whether they are precise enough for a picture around a reference. Where
 * neighbouring orbits diverge long before they escape, counts depend on bits of c that doubles do
 * not have; wide numbers are right more often there. */
#ifndef FATHOM_RENDER_NUMBER_DOUBT_H
#define FATHOM_RENDER_NUMBER_DOUBT_H

#include "render/deep/perturbation.h"

enum doubt { DOUBT_UNKNOWN, DOUBT_NONE, DOUBT_FOUND };

/* Returns the finding about pictures of that place and limit. Any thread. */
enum doubt doubt_find_known(const struct perturbation *perturbation,
                            const struct perturbed_place *place, uint32_t limit);
/* Finds out, in milliseconds if orbits are short, in about a second otherwise. The same random
 * points all over a picture are iterated twice, as far apart as rounding errors; doubles are
 * doubtful if more than one in 150 has another count then. Returns false if stopped; nothing is
 * known then. */
bool doubt_find(struct perturbation *perturbation, const struct perturbed_place *place,
                uint32_t limit, const atomic_bool *stop);

#endif
