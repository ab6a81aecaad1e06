/* Drawing one picture on the device: keep what an earlier one has, then take all other pixels to
 * the limit; where that is far away, a few steps further, those that are not done yet again
 * further, until none is left. It belongs to the driver's thread. */
#ifndef FATHOM_GPU_ESCAPE_DEVICE_PICTURE_H
#define FATHOM_GPU_ESCAPE_DEVICE_PICTURE_H

#include "gpu/escape/device_buffers.h"
#include "gpu/pixel_buffer.h"
#include "render/statistics.h"

/* How far a picture is; under the meeting's lock. */
struct progress {
    uint64_t iterations, skipped, kept, samples;
    double device_ms;
};

/* Of the last picture whose request says `reuse`; gathered in device memory, and read back. */
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
    struct meeting *meeting;
    struct progress *progress;
    struct launch_budget *budget; /* for the request's route and number type */
    uint32_t threads;             /* as many as the device runs at a time */
    struct device_pointer abort;  /* see struct iterate_args */
    uint32_t serial;
    struct frame_req *req; /* becomes the store's once the store has samples of it */
    bool again;            /* it is the store's, and complete: only to be coloured */
    bool keep;             /* the store's samples are those of `req` where `map` says, its interior
                            * ones perhaps of a lower limit */
    bool by_lines;         /* or where its lines say */
    struct grid_map map;
    bool gl;         /* the target is the GL buffer that the pixel buffer was given */
    unsigned wanted; /* the planes to be sent, a set */
    /* While it runs: */
    double start_ms, painted_ms;
    struct device_tables tables, screen; /* of a perturbed picture, and of a screened one; */
    struct device_traces traces;         /* of the latter, if there are any */
    bool fresh;                          /* nothing was kept */
    bool direct;                         /* every pixel is taken to the limit in one launch */
    bool blank; /* one launch will write all samples, so that they need not be cleared */
};

/* The planes that the request has. */
struct planes device_picture_planes(const struct device_picture *picture);
/* Draws it. False: stopped, or failed (slices->error). Nothing is in flight afterwards, and the
 * samples made so far are kept in any case. */
bool device_picture_run(struct device_picture *picture);

#endif
