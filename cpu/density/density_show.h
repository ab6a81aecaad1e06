/* How workers show counts while they grow: first the distribution of all counts, part by part, from
 * that the map, then pixels, part by part. A part is some stored rows. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_SHOW_H
#define FATHOM_CPU_DENSITY_DENSITY_SHOW_H

#include "render/density/density_counts.h"
#include <stdatomic.h>

#define SHOW_QUICK 4096u /* counts of which the shade is in a table */

enum show_phase { SHOW_IDLE, SHOW_LEVELS, SHOW_MAP, SHOW_PIXELS, SHOW_READY };

/* `phase` to `complete` are under the owner's lock. */
struct density_show {
    enum show_phase phase;
    int parts, next, done; /* of the phase: claimed, finished */
    struct tone tone;
    uint64_t samples, points; /* that were there when it began */
    double hit;               /* as in struct backend_report, of the map on */
    bool complete;            /* all that there will be */
    double spent_ms;          /* on parts, by all workers together */
    struct tone_levels levels[TONE_CHANNELS_MAX];

    struct tone_map map;
    uint8_t quick[TONE_CHANNELS_MAX][SHOW_QUICK];
    uint32_t *rgba; /* of the request's size; whole when READY */
};

/* What is shown: shared counters, and what workers have not yet added to them. */
struct density_shown_counts {
    const struct density_req *req;
    const struct density_place *place;
    const _Atomic uint64_t *count;
    size_t plane;                   /* counters in one */
    _Atomic(uint8_t *) const *held; /* for each worker a byte for each counter, or NULL */
    int workers;
};

int density_show_parts(const struct density_place *place);
/* The map, from show->levels. */
void density_show_map(struct density_show *show, int channels);
/* The distribution of one part, of TONE_CHANNELS_MAX levels; or, without levels, its pixels. */
void density_show_part(const struct density_shown_counts *counts, int part,
                       struct tone_levels *levels, struct density_show *show);

#endif
