/* A picture of any size into its files: drawn in bands of whole rows of tiles, each in as many
 * samples as are wanted, while a thread adds up and writes what was drawn before. Memory is bounded
 * whatever the size; the bytes are those of the picture drawn at once. */
#ifndef FATHOM_APP_STILL_BANDS_H
#define FATHOM_APP_STILL_BANDS_H

#include "app/still/outputs.h"

#define BANDS_MEMORY_BYTES (192u << 20)

struct bands {
    /* The caller's: */
    struct backend *backend;
    const struct frame_req *req; /* of the whole picture */
    struct outputs *outputs;     /* open; still to be committed or abandoned afterwards */
    uint64_t memory_bytes; /* for everything that grows with a band, about: BANDS_MEMORY_BYTES */
    /* Asked every 50 ms or so; false: it is given up. Gets what is done of it, 0 .. 1. NULL: a
     * terminal is told. */
    bool (*step)(void *user, double done);
    void *user;
    uint32_t samples; /* of a pixel, from 1; the arrays are of the first, the centres */

    /* What it came to: */
    int count; /* of bands */
    uint64_t iterations, skipped, kept;
    /* Finding references; drawing; adding up and writing, which goes on beside that. */
    double reference_ms, render_ms, write_ms;
    uint32_t reference_length, reference_period; /* as in struct reference_facts */
};

/* Tells how far it is on a terminal. False: interrupted (interrupt.h) or given up, which is left to
 * the caller to say, or logged why. */
bool bands_draw(struct bands *bands);

#endif
