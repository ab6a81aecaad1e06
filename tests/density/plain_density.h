/* Orbit density counted by a plain loop, one sample after another, as the headers' text has it: the
 * judge of backends, and what they are measured against. */
#ifndef FATHOM_TESTS_DENSITY_PLAIN_DENSITY_H
#define FATHOM_TESTS_DENSITY_PLAIN_DENSITY_H

#include "render/density/density_counts.h"

/* Adds clumps from .. end - 1, of all rounds, to the counts and to counts->points. Of the request
 * only view, size, type, density and cells matter. For threads: ranges and counts of their own. */
void plain_density_count(const struct density_req *req, uint64_t from, uint64_t end,
                         struct density_counts *counts);

#endif
