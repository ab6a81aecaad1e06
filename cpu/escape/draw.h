/* How a worker draws within a tile that it has claimed: points gathered, sent through the kernel,
 * written to the planes. All functions return false when the job was stopped; what was drawn before
 * stays. */
#ifndef FATHOM_CPU_ESCAPE_DRAW_H
#define FATHOM_CPU_ESCAPE_DRAW_H

#include "cpu/escape/cpu_job.h"

/* A worker's memory: the points of one kernel call, and the kernel's own. About 2.2 MB. */
struct job_scratch {
    struct tile_scratch tile;
    struct tile_screening screening;
    _Alignas(64) union tile_numbers cr, ci;
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX]; /* to go on from, */
    _Alignas(8) unsigned char undecided_states[TILE_POINTS_MAX * FRAME_STATE_MAX]; /* and after */
    uint16_t undecided[TILE_POINTS_MAX];
    uint32_t plane[SAMPLE_PLANES][TILE_POINTS_MAX]; /* of samples, in the list's order */
    uint32_t rgba[TILE_POINTS_MAX];                 /* pixels of a whole tile */
    uint32_t at[TILE_POINTS_MAX];                   /* index of the pixel in the planes */
    uint32_t taken[TILE_POINTS_MAX];                /* the same of orbits to go on with */
    size_t size;
    bool whole; /* `plane` has all samples of the tile, in its order */
};

/* Makes these planes, of SAMPLE_WALKED, of all samples that a tile has. False: stopped, and they are not there. */
bool draw_walks(struct job *job, struct job_scratch *s, uint32_t tile, unsigned planes);
/* Draws what is missing in the tile for a pass. */
bool draw_pass(struct job *job, struct job_scratch *scratch, uint32_t tile,
               const struct job_pass *pass);
/* Draws all of a tile that has no sample yet, up to a limit. Passing samples are left in the
 * scratch. */
bool draw_whole(struct job *job, struct job_scratch *scratch, uint32_t tile, uint32_t limit);
/* Puts the samples of a whole tile where the planes are that there are. */
void draw_put(const struct job *job, const struct job_scratch *scratch, uint32_t tile);

/* Colours every stride-th row of a tile, from the scratch where that has the whole of it. */
void draw_colours(struct job *job, struct job_scratch *scratch, const struct colouring *colouring,
                  uint32_t tile, int stride);

#endif
