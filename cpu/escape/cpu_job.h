/* One picture being drawn by the CPU's workers: its request, its samples and pixels, and which tiles are how far. Workers
 * write only here; a cancelled job just runs out and is freed by the last thread that holds it: none waits for a worker.
 *
 * A tile goes through `passes` passes and is worked on by one thread at a time: claims[t] counts the turns that threads
 * got for it; one that finds it taken leaves its turn to the one inside. */
#ifndef FATHOM_CPU_ESCAPE_CPU_JOB_H
#define FATHOM_CPU_ESCAPE_CPU_JOB_H

#include "cpu/escape/screen.h"
#include "cpu/escape/shared_statistics.h"
#include "cpu/escape/spare_memory.h"
#include "cpu/escape/unfinished.h"
#include "cpu/task.h"
#include "cpu/walk/slope.h"
#include "render/backend.h"
#include "render/deep/perturbation.h"
#include "render/grid/coords.h"

#define JOB_TILE_PX        64
#define JOB_TILE_WIDTH_MAX 1024
#define JOB_PASSES_MAX     16
#define JOB_KEEP_FROM      64 /* orbits of fewer steps are sooner done again than kept */

/* A pass brings the pixels of a lattice, every stride-th of every stride-th row, up to a limit. */
struct job_pass {
    int stride;
    uint32_t limit; /* the request's in the last one */
};

struct job {
    struct task base; /* its source: the job whose samples this one may take over, ... */
    struct frame_req req;
    struct coords coords;
    struct recipe recipe;
    struct perturbed_view perturbed, screen; /* of perturbed pictures, and of screened ones */
    struct perturbed_traces traces;          /* of the latter, if there are any */
    struct tile_screen screened;
    tile_fn *tile;
    colour_fn *colour;
    struct slope_walks walks;
    unsigned new_planes; /* that samples which are taken over have not */
    double unit;         /* the pixels' step */
    int tile_width_px, tile_height_px, tiles_x, tiles_y;
    struct job_pass pass_list[JOB_PASSES_MAX];
    int passes;
    uint32_t *order; /* tile numbers, the first to be drawn first */

    /* Planes of width x height, which belong to the thread that has claimed the tile. When they are `passing`, the
     * samples of a tile go no further than the worker's memory, and these are the target's, for those that it wants. */
    struct sample_planes planes;
    bool passing;
    bool gathers;        /* what may be gone on with, and statistics */
    uint32_t shown_from; /* interior samples of fewer steps are not shown */
    /* Pixels, tile after tile, in pairs of neighbours: the owner copies while workers add. NULL: they write to the target. */
    _Atomic uint64_t *pairs;
    struct spare_memory *spare; /* where these come from: `bytes` from `memory` on */
    void *memory;
    size_t bytes;
    struct unfinished *unfinished; /* per tile; the claimer's. Orbits of undecided samples */

    atomic_uint *claims;
    uint8_t *passes_done;      /* per tile; the claimer's */
    uint32_t *coloured;        /* per tile, the look that it has; the claimer's */
    _Atomic uint32_t *ready;   /* per tile: see job_ready */
    atomic_size_t next;        /* next (pass, tile) to claim */
    atomic_size_t next_colour; /* next tile to claim for its colours; from `tiles` on none is */
    atomic_size_t news;        /* counts changes of `ready` */
    atomic_int writers;        /* workers that may be writing pixels */
    atomic_ullong iterations, skipped, samples, kept;
    atomic_size_t opened;                /* tiles that have taken over what they can */
    atomic_ullong kernel_ns;             /* spent in kernels, by all threads together */
    struct shared_statistics statistics; /* of the tiles that are complete, if it gathers them */

    bool keeps_lines;    /* ... where the request's lines say so, ... */
    float from_unit;     /* with distances times so much */
    struct grid_map map; /* ... or else where these are at the same points */

    pthread_mutex_t look_lock;
    struct colouring look; /* of all tiles in the end, ... */
    uint32_t looks;        /* ... the how-manieth it is */

    /* The owner's: what has been copied to the target, of each tile and of how many all. */
    struct target target;
    uint32_t *taken;
    size_t complete, news_seen, settled; /* of the order, so many are complete from the first on */
    bool done, handed_over;              /* complete at some time; and its planes copied */
};

/* What jobs of a backend share. */
struct job_kind {
    const struct recipe *recipe; /* copied */
    tile_fn *tile, *doubles;     /* the latter of points that are screened */
    colour_fn *colour;
    struct slope_walks walks;   /* see slope_choose */
    struct spare_memory *spare; /* outlives them */
};
/* Copies the request; with target->at_once workers write to the target. `previous` may be NULL,
 * otherwise the job takes a reference of it. NULL: no memory, logged. The caller has the first
 * reference. */
struct job *job_create(const struct frame_req *req, const struct target *target,
                       const struct job_kind *kind, struct job *previous);

size_t job_tiles(const struct job *job);
/* What `ready` says of a tile whose passes are all done, in the latest look. Before that it has
 * other values, a new one whenever there is more to see: 0 first, never JOB_CLEARED. What was
 * written to the tile is visible after reading it; nothing is written any more after this one. */
#define JOB_CLEARED     1u
#define JOB_PASSES_MASK 255u /* how many of its passes are done */
uint32_t job_ready(const struct job *job);
/* In claims: no worker may enter the tile any more. */
#define JOB_TILE_CLOSED 0x80000000u
/* The owner's: other colours for all tiles; the workers are to be called. */
void job_recolour(struct job *job, const struct colouring *colouring);

/* The part of the plane that tile number t covers. */
struct rect job_tile_rect(const struct job *job, uint32_t tile);
/* Where its rows begin in the job's pairs of pixels, and how many pairs apart they are. */
_Atomic uint64_t *job_tile_pairs(const struct job *job, uint32_t tile, size_t *stride);

#endif
