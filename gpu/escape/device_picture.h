/* Device picture: draws a picture. It keeps samples of an earlier picture and iterates all other
 * pixels to the limit. If the limit is high, rounds of a few steps continue the unfinished pixels.
 * Used by the driver's thread. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_PICTURE_H
#define FATHOM_GPU_ESCAPE_DEVICE_PICTURE_H

#include "gpu/escape/device_buffers.h"
#include "gpu/pixel_buffer.h"
#include "render/statistics.h"

/* Progress of a picture; under the handoff's lock. */
struct progress {
    uint64_t iterations, skipped, kept, samples;
    double device_ms;
};

/* Statistics of the last picture whose request sets `reuse`, gathered on the device and copied to
 * the host. */
struct device_statistics {
    struct device_pointer sum;
    struct statistics *host; /* pinned */
};

struct device_picture {
    struct slices *slices;
    struct device_buffers *buffers;
    struct pixel_buffer *pixel_buffer;
    struct readback *readback;
    const struct device_statistics *statistics;
    struct handoff *handoff;
    struct progress *progress;
    struct launch_budget *budget; /* for the request's route and number type */
    uint32_t threads;             /* the device's resident threads */
    struct device_pointer abort;  /* see struct iterate_args */
    uint32_t serial;
    struct frame_req *req; /* owned by the buffers as soon as they contain its samples */
    bool repeats;          /* repeats the buffers' complete picture; it is only coloured */
    /* `map` leads to usable samples in the buffers; interior samples may have a lower limit */
    bool keep;
    bool by_lines; /* the request's lines lead to usable samples */
    struct grid_map map;
    bool gl;         /* the target is the GL buffer that was given to the pixel buffer */
    unsigned wanted; /* set of planes to send */
    /* Members that are used while the picture is drawn: */
    double start_ms, painted_ms;
    struct device_tables tables, screen; /* of a perturbed and of a screened picture */
    struct device_traces traces; /* of the screened picture, if any, else of the perturbed one */
    bool fresh;                  /* no samples were kept */
    bool single_round;           /* one launch iterates each pixel up to the limit */
    bool single_launch;          /* one launch writes all samples, which need not be cleared */
};

/* Returns the planes of the request; the others are 0. */
struct planes device_picture_planes(const struct device_picture *picture);
/* Reports progress and takes a new colouring, between two launches. Returns false if stopped or on
 * failure. */
bool device_picture_tick(struct device_picture *picture);
/* Draws the picture. Returns false if stopped or on failure (slices->error). No launch is in flight
 * afterwards, and the samples made so far are always kept. */
bool device_picture_run(struct device_picture *picture);

#endif
