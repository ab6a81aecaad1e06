/* Density counts: a histogram of orbit density in host memory, and its conversion to a picture. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_COUNTS_H
#define FATHOM_RENDER_DENSITY_DENSITY_COUNTS_H

#include "render/density/density.h"
#include "render/density/density_place.h"

struct density_place density_place(const struct density_req *req);

struct density_rule density_rule(const struct density *density);

struct density_counts {
    int width, height, planes;
    uint64_t samples; /* finished samples; a multiple of DENSITY_CHUNK */
    uint64_t first;   /* samples at the front that a part of a run leaves to others */
    uint64_t points;  /* number of increments, the sum of all counts */
    uint64_t *count;  /* planes * height * width, row by row */
};

/* Returns the number of counts of a request, in all planes. */
uint64_t density_counters(const struct density_req *req);
/* Creates zero counts in the request's shape. Returns false without memory; the reason is logged.
 * To be finished in any case. */
bool density_counts_init(struct density_counts *counts, const struct density_req *req);
void density_counts_finish(struct density_counts *counts);

/* --- on the host, with the request of the counts --- */

/* Returns the count that pixel (x, y) of the picture shows in a channel. */
uint64_t density_shown(const struct density_req *req, const struct density_place *place,
                       const struct density_counts *counts, int channel, int x, int y);
/* Computes the distribution of counts over the picture's pixels, for each channel. */
void density_levels(const struct density_req *req, const struct density_counts *counts,
                    struct tone_levels levels[TONE_CHANNELS_MAX]);
/* Paints the picture into width_px * height_px pixels of the request. */
void density_paint(const struct density_req *req, const struct density_counts *counts,
                   const struct tone_map *map, uint32_t *rgba);

#endif
