/* Drawing of a claimed tile by a worker: gathers points, runs the kernel, writes samples to the
 * planes. All functions that return bool return false if the job was stopped; samples drawn before
 * stay. */
#ifndef FATHOM_CPU_ESCAPE_DRAW_H
#define FATHOM_CPU_ESCAPE_DRAW_H

#include "cpu/escape/cpu_job.h"

/* Scratch memory of a worker: the points of one kernel call, and the kernel's own. About 2.2 MB. */
struct job_scratch {
    struct tile_scratch tile;
    struct tile_screening screening;
    _Alignas(64) union tile_numbers cr, ci;
    /* States to resume from. */
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX];
    /* States after the call. */
    _Alignas(8) unsigned char undecided_states[TILE_POINTS_MAX * FRAME_STATE_MAX];
    uint16_t undecided[TILE_POINTS_MAX];
    uint32_t plane[SAMPLE_PLANES][TILE_POINTS_MAX]; /* samples in the list's order */
    uint32_t rgba[TILE_POINTS_MAX];                 /* pixels of a whole tile */
    uint32_t at[TILE_POINTS_MAX];                   /* index of each pixel in the planes */
    uint32_t taken[TILE_POINTS_MAX]; /* indices of the pixels whose orbits are resumed */
    size_t size;
    bool whole; /* `plane` holds all samples of the tile, in its order */
};

/* Computes these planes of SAMPLE_WALKED for a tile's samples. Leaves them unset if it was
 * stopped. */
bool draw_walks(struct job *job, struct job_scratch *s, uint32_t tile, unsigned planes);
/* Draws the samples that a pass needs and the tile lacks. */
bool draw_pass(struct job *job, struct job_scratch *scratch, uint32_t tile,
               const struct job_pass *pass);
/* Draws a tile without samples up to a limit. Leaves the samples of a passing job in the
 * scratch. */
bool draw_whole(struct job *job, struct job_scratch *scratch, uint32_t tile, uint32_t limit);
/* Copies the samples of a whole tile from the scratch to the planes that are not NULL. */
void draw_put(const struct job *job, const struct job_scratch *scratch, uint32_t tile);

/* Colours every stride-th row of a tile, from the scratch if it holds the whole tile. */
void draw_colours(struct job *job, struct job_scratch *scratch, const struct colouring *colouring,
                  uint32_t tile, int stride);

#endif
