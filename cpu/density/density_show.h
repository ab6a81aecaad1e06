/* Density preview: workers turn growing counts into pixels. First they collect the distribution of
 * all counts, part by part. Then one worker makes the tone map. Finally the workers make pixels,
 * part by part. A part is a number of stored rows. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_SHOW_H
#define FATHOM_CPU_DENSITY_DENSITY_SHOW_H

#include "render/density/density_counts.h"
#include <stdatomic.h>

#define SHOW_QUICK 4096u /* number of counts whose shades are in a table */

enum show_phase { SHOW_IDLE, SHOW_LEVELS, SHOW_MAP, SHOW_PIXELS, SHOW_READY };

/* `phase` to `complete` are protected by the owner's lock. */
struct density_show {
    enum show_phase phase;
    int parts, next, done; /* number of parts of a phase; parts claimed; parts finished */
    struct tone tone;
    uint64_t samples, points; /* counts at the start of the preview */
    double hit;               /* as in struct backend_report; valid from the map on */
    bool complete;            /* the counts are final */
    double spent_ms;          /* [ms] time spent on parts, summed over workers */
    struct tone_levels levels[TONE_CHANNELS_MAX];

    struct tone_map map;
    uint8_t quick[TONE_CHANNELS_MAX][SHOW_QUICK];
    uint32_t *rgba; /* pixels of the whole request, complete in phase SHOW_READY */
};

/* Counts to show: shared totals, and the workers' counters that are not merged yet. */
struct density_shown_counts {
    const struct density_req *req;
    const struct density_place *place;
    const _Atomic uint64_t *count;
    size_t plane;                   /* counters in a plane */
    _Atomic(uint8_t *) const *held; /* for each worker a byte for each counter, or NULL */
    int workers;
};

int density_show_parts(const struct density_place *place);
/* Makes the tone map from show->levels. */
void density_show_map(struct density_show *show, int channels);
/* Adds a part's counts to `levels`, TONE_CHANNELS_MAX of them; if that is NULL, makes the part's
 * pixels. */
void density_show_part(const struct density_shown_counts *counts, int part,
                       struct tone_levels *levels, struct density_show *show);

#endif
