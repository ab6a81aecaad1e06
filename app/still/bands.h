/* Bands: draws a picture of any size into its files, in bands of whole rows of tiles. Bands of a
 * poster are cut into blocks, and only missing ones are drawn. Each block is drawn once per sample,
 * while a thread adds up and writes the previous part. Memory is bounded for any size; the bytes
 * equal those of a picture drawn at once. */
#ifndef FATHOM_APP_STILL_BANDS_H
#define FATHOM_APP_STILL_BANDS_H

#include "app/still/outputs.h"
#include "render/verify/exact_samples.h"

#define BANDS_MEMORY_BYTES (192u << 20)

struct bands {
    /* Set by the caller: */
    struct backend *backend;
    const struct frame_req *req; /* request for the whole picture */
    struct outputs *outputs;     /* open files, which the caller commits or abandons afterwards */
    /* approximate memory that depends on the size of a block: BANDS_MEMORY_BYTES */
    uint64_t memory_bytes;
    /* Called about every 50 ms with the share that is done, 0 .. 1; returns false to cancel.
     * NULL: progress is shown on a terminal. */
    bool (*step)(void *user, double done);
    void *user;
    struct exact_samples *exact; /* corrects each part; NULL: nothing does */
    uint32_t samples; /* samples per pixel, from 1; arrays get the first sample, at the centres */

    /* Results: */
    int count; /* number of bands, or of drawn blocks */
    uint64_t iterations, skipped, kept;
    /* Times of finding references; of drawing; of adding up and writing, which runs in parallel. */
    double reference_ms, render_ms, write_ms;
    uint32_t reference_length, reference_period; /* see struct reference_facts */
};

/* Draws the picture, with progress on a terminal unless there is a `step`. Returns false if
 * interrupted (interrupt.h) or cancelled, which the caller reports, or after an error, which is
 * logged. */
bool bands_draw(struct bands *bands);

#endif
