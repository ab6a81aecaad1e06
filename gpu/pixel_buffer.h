/* Where a picture's pixels go, and when its owner gets to see them before it is complete.
 *
 * A GL buffer is handed over between two launches: the driver's thread offers it and goes on with
 * samples only, the owner unmaps and shows it, maps it again and gives it back, and the driver's
 * thread paints all samples into it. A target in host memory is sent through the readback
 * instead. */
#ifndef FATHOM_GPU_PIXEL_BUFFER_H
#define FATHOM_GPU_PIXEL_BUFFER_H

#include "gpu/readback.h"
#include "gpu/slices.h"

enum pixel_buffer_holder {
    PIXEL_BUFFER_DRAWN,   /* mapped; kernels may write to it */
    PIXEL_BUFFER_OFFERED, /* mapped, but no kernel writes to it any more */
    PIXEL_BUFFER_AWAY,    /* unmapped, the owner's */
};

struct pixel_buffer {
    struct meeting *meeting;
    struct readback *readback;
    struct slices *slices;
    /* The driver's: */
    bool gl;
    struct device_pointer rgba; /* what the next launch writes to; none: samples only */
    bool leaving;               /* to be offered when all launches up to last_use have ended */
    uint64_t last_use;
    double due_ms, interval_ms; /* when the owner shall see something next, and after that */
    bool on_demand;             /* ... which is when pixel_buffer_show says so */
    /* Under the meeting's lock, for GL buffers: */
    enum pixel_buffer_holder holder;
    struct device_pointer lent;  /* the mapped buffer */
    struct device_event *mapped; /* kernels wait for it */
};

void pixel_buffer_init(struct pixel_buffer *pixel_buffer, struct meeting *meeting,
                       struct readback *readback, struct slices *slices);

/* --- the owner's thread --- */

/* Before a picture is submitted, and after pixel_buffer_take: lends the buffer. */
void pixel_buffer_give(struct pixel_buffer *pixel_buffer, struct device_pointer rgba,
                       struct device_event *mapped);
/* True: it was offered, and is the owner's now. */
bool pixel_buffer_take(struct pixel_buffer *pixel_buffer);

/* --- the driver's thread; false: failed, see slices->error --- */

/* Starts a picture: in the GL buffer that was lent, or in `rgba` for a target in host memory. */
bool pixel_buffer_start(struct pixel_buffer *pixel_buffer, bool gl, struct device_pointer rgba);
/* After that: the owner sees nothing before pixel_buffer_show, which is for when rgba has been
 * painted. */
void pixel_buffer_on_demand(struct pixel_buffer *pixel_buffer);
/* Whether rgba may be painted: it is there, and nothing of it is on its way. */
bool pixel_buffer_free(const struct pixel_buffer *pixel_buffer);
/* With the next tick the owner gets to see what all launches so far make of it. */
void pixel_buffer_show(struct pixel_buffer *pixel_buffer);
/* To be called between launches. *repaint: rgba is new, and lacks what is done already. */
bool pixel_buffer_tick(struct pixel_buffer *pixel_buffer, double now_ms, bool *repaint);
/* Gets a lent buffer back to complete it, waiting for the owner until *stop is set. */
bool pixel_buffer_regain(struct pixel_buffer *pixel_buffer, const atomic_bool *stop, bool *repaint);

#endif
