/* One picture being drawn by the CPU's workers: its request, its samples and pixels, and which tiles
 * are how far. Workers write only here; a cancelled job just runs out and is freed by the last one
 * who holds it, so nobody waits for a worker.
 *
 * A tile goes through `passes` passes, coarse to fine, and is worked on by one thread at a time:
 * claims[t] counts who asked for it, and who finds it taken leaves his turn to the one inside. */
#ifndef FATHOM_CPU_CPU_JOB_H
#define FATHOM_CPU_CPU_JOB_H

#include "cpu/tile.h"
#include "render/backend.h"
#include "render/coords.h"

#define JOB_TILE_PX 64

struct job {
    atomic_int references;
    atomic_bool stop;
    struct frame_req req;
    struct coords coords;
    tile_fn *tile;
    int tiles_x, tiles_y, passes;
    uint32_t *order; /* tile numbers, nearest the focus first */

    /* Planes of width x height. `rgba` is atomic because the owner copies pixels while workers add
     * others; the sample planes belong to whoever has claimed the tile. */
    uint32_t *count;
    float *fraction;
    _Atomic uint32_t *rgba;

    atomic_uint *claims;
    uint8_t *passes_done;         /* per tile; the claimer's */
    atomic_size_t next;           /* next (pass, tile) to claim */
    atomic_size_t finished_count; /* slots of `finished` handed out */
    _Atomic uint32_t *finished;   /* tile + 1 per finished pass, in any order; 0: not yet */
    atomic_ullong iterations, samples, kept;

    /* The job whose samples this one may take over, moved by (shift_x, shift_y); NULL: none. Read
     * and cleared under the backend's lock. */
    struct job *previous;
    int shift_x, shift_y;
};

/* Copies the request; `previous` may be NULL, otherwise the job takes a reference. NULL: no memory,
 * logged. The caller has the first reference. */
struct job *job_create(const struct frame_req *req, tile_fn *tile, struct job *previous);
struct job *job_ref(struct job *job);
/* Drops one reference; NULL is allowed. */
void job_unref(struct job *job);

#define JOB_BATCH 960 /* points per kernel call: what a stop can lose, and what fits the caches */

/* A worker's scratch memory: the points of one batch. */
struct job_scratch {
    union {
        float f32[JOB_BATCH];
        double f64[JOB_BATCH];
    } cr, ci;
    uint32_t count[JOB_BATCH];
    float fraction[JOB_BATCH];
    uint32_t at[JOB_BATCH]; /* index of the pixel in the planes */
    size_t size;
};

/* Works on the next claimable tile. `previous` is a reference that the caller holds, or NULL. False:
 * nothing is left to claim, or the job was stopped. */
bool job_work(struct job *job, struct job *previous, struct job_scratch *scratch);

/* How many passes over tiles the job consists of. */
size_t job_slots(const struct job *job);
/* The tile number + 1 of the i-th finished pass, 0 when there is none yet. What its worker wrote is
 * visible to who has seen it; when all job_slots are there, the picture is complete. */
uint32_t job_finished(struct job *job, size_t i);

/* The part of the plane that tile number t covers. */
struct rect job_tile_rect(const struct job *job, uint32_t tile);

#endif
