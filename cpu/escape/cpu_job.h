/* Picture job of the CPU backend: a request, its samples and pixels, and the progress of each tile.
 * Workers write only here. A cancelled job runs out and is freed by the last thread that holds a
 * reference, so no thread waits for a worker.
 *
 * A tile goes through `passes` passes, worked on by one thread at a time. claims[t] counts the
 * turns taken for tile t; a thread that finds the tile occupied leaves its turn to the other. */
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
#define JOB_KEEP_FROM      64 /* orbits of fewer steps are cheaper to repeat than to keep */

/* Pass over every stride-th pixel of every stride-th row, up to a limit. */
struct job_pass {
    int stride;
    uint32_t limit; /* the request's limit in the last pass */
};

struct job {
    struct task base; /* base.source: the job whose samples this job may take over */
    struct frame_req req;
    struct coords coords, double_coords; /* the latter of screened direct pictures */
    struct recipe recipe;
    struct perturbed_view perturbed, screen; /* of perturbed pictures; of screened ones */
    struct perturbed_traces traces;          /* of `screen` in screened pictures */
    struct tile_screen screened;
    tile_fn *tile;
    colour_fn *colour;
    struct slope_walks walks, walks_in_doubles; /* the latter of screened direct pictures */
    unsigned new_planes;                        /* planes that the samples to take over lack */
    double unit;                                /* distance of neighbouring pixels in the plane */
    int tile_width_px, tile_height_px, tiles_x, tiles_y;
    struct job_pass pass_list[JOB_PASSES_MAX];
    int passes;
    uint32_t *order; /* numbers of the tiles, in drawing order */

    /* Planes of width x height, written by the thread that has claimed the tile. If `passing` is
     * set, samples stay in the worker's scratch, and these are the target's planes, or NULL. */
    struct sample_planes planes;
    bool passing;
    bool gathers;        /* keeps unfinished orbits and gathers statistics */
    uint32_t shown_from; /* interior samples of fewer steps are not shown */
    /* Pixels, tile after tile, in pairs of neighbours, so that the owner copies while workers
     * write. NULL: workers write to the target. */
    _Atomic uint64_t *pairs;
    struct spare_memory *spare; /* source of `memory`, which holds planes and pairs */
    void *memory;
    size_t bytes;
    struct unfinished *unfinished; /* per tile: undecided orbits; the claimer's */

    atomic_uint *claims;
    uint8_t *passes_done;      /* per tile; the claimer's */
    uint32_t *coloured;        /* per tile: number of the colouring it has; the claimer's */
    _Atomic uint32_t *ready;   /* per tile: see job_ready */
    atomic_size_t next;        /* next (pass, tile) to claim */
    atomic_size_t next_colour; /* next tile to claim for recolouring; none from `tiles` on */
    atomic_size_t news;        /* number of changes of `ready` */
    atomic_int writers;        /* workers that may be writing pixels */
    atomic_ullong iterations, skipped, samples, kept;
    atomic_size_t opened;    /* tiles whose samples were taken over, as far as possible */
    atomic_ullong kernel_ns; /* [ns] time in kernels, summed over all threads */
    struct shared_statistics statistics; /* of the complete tiles, if `gathers` is set */

    bool keeps_lines;    /* samples are taken over by the request's lines; if not set, by the map */
    float from_unit;     /* factor for distances that are taken over */
    struct grid_map map; /* positions of the previous job's samples at the same points */

    pthread_mutex_t look_lock;
    struct colouring look; /* colouring that all tiles get in the end */
    uint32_t looks;        /* number of `look`, from 1 */

    /* Owner's state: progress of the copies to the target. */
    struct target target;
    uint32_t *taken;                     /* per tile: value of `ready` that was copied */
    size_t complete, news_seen, settled; /* tiles; news; complete start of `order` */
    bool done, handed_over;              /* has been complete; its planes were copied */
};

/* Values that all jobs of a backend share. */
struct job_kind {
    const struct recipe *recipe; /* copied */
    tile_fn *tile, *doubles;     /* `doubles`: kernel for the screening of points */
    colour_fn *colour;
    struct slope_walks walks, walks_in_doubles; /* see slope_choose */
    struct spare_memory *spare;                 /* outlives the jobs */
};
/* Creates a job with one reference; copies the request. With target->at_once workers write to the
 * target. Takes a reference to `previous`, if not NULL. Returns NULL without memory; logged. */
struct job *job_create(const struct frame_req *req, const struct target *target,
                       const struct job_kind *kind, struct job *previous);

size_t job_tiles(const struct job *job);
/* Final value of ready[t], once all passes are done in the latest colouring. Before, it is 0, then
 * changes with visible progress, never to JOB_CLEARED. A read makes the tile's pixels visible. */
#define JOB_CLEARED     1u
#define JOB_PASSES_MASK 255u /* bits of `ready` with the number of passes done */
uint32_t job_ready(const struct job *job);
/* Bit of `claims`: no worker may enter the tile. */
#define JOB_TILE_CLOSED 0x80000000u
/* Recolours all tiles. Owner's thread; the owner wakes the workers afterwards. */
void job_recolour(struct job *job, const struct colouring *colouring);

/* Returns the pixels of a tile. */
struct rect job_tile_rect(const struct job *job, uint32_t tile);
/* Returns the tile's first pair of pixels, NULL if there are no pairs; *stride: pairs per row. */
_Atomic uint64_t *job_tile_pairs(const struct job *job, uint32_t tile, size_t *stride);

#endif
