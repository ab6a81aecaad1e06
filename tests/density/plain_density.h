/* Reference for orbit density: a plain loop over samples that follows the headers' text, to test
 * backends and to compare their speed with. */
#ifndef FATHOM_TESTS_DENSITY_PLAIN_DENSITY_H
#define FATHOM_TESTS_DENSITY_PLAIN_DENSITY_H

#include "render/density/density_counts.h"

/* Adds clumps from .. end - 1, counted over all rounds, to the counts and to counts->points. Uses
 * only view, size, type, density and cells of the request. Threads need ranges and counts of their
 * own. */
void plain_density_count(const struct density_req *req, uint64_t from, uint64_t end,
                         struct density_counts *counts);

#endif
