/* A histogram of orbit density in host memory, and how it becomes a picture. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_COUNTS_H
#define FATHOM_RENDER_DENSITY_DENSITY_COUNTS_H

#include "render/density/density.h"
#include "render/density/density_place.h"

struct density_place density_place(const struct density_req *req);

struct density_rule density_rule(const struct density *density);

struct density_counts {
    int width, height, planes;
    uint64_t samples; /* done; a multiple of DENSITY_CHUNK */
    uint64_t points;  /* increments made; the sum of all counts */
    uint64_t *count;  /* planes * height * width, row by row */
};

/* How many counts there are of a request: those of all planes. */
uint64_t density_counters(const struct density_req *req);
/* Zeros, in the request's shape. False: no memory, logged; finish it all the same. */
bool density_counts_init(struct density_counts *counts, const struct density_req *req);
void density_counts_finish(struct density_counts *counts);

/* --- on the host; the request is the one the counts were made for --- */

/* What pixel (x, y) of the picture shows in a channel. */
uint64_t density_shown(const struct density_req *req, const struct density_place *place,
                       const struct density_counts *counts, int channel, int x, int y);
/* The distribution over the picture's pixels, for each channel. */
void density_levels(const struct density_req *req, const struct density_counts *counts,
                    struct tone_levels levels[TONE_CHANNELS_MAX]);
/* The picture; rgba has width_px * height_px of the request. */
void density_paint(const struct density_req *req, const struct density_counts *counts,
                   const struct tone_map *map, uint32_t *rgba);

#endif
