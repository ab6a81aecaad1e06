/* Pixel buffer: the destination of a picture's pixels, and when its owner sees them before it is
 * complete.
 *
 * A GL buffer changes hands between two launches. The driver's thread offers it and continues with
 * samples only. The owner unmaps and shows it, maps it again and lends it again. The driver's
 * thread then paints all samples into it. For a target in host memory, the readback sends the
 * pixels instead. */
#ifndef FATHOM_GPU_PIXEL_BUFFER_H
#define FATHOM_GPU_PIXEL_BUFFER_H

#include "gpu/readback.h"
#include "gpu/slices.h"

#define PIXEL_BUFFER_FIRST_MS 12.0 /* [ms] time of the first update of a picture */

enum pixel_buffer_holder {
    PIXEL_BUFFER_LENT,    /* mapped; kernels may write to it */
    PIXEL_BUFFER_OFFERED, /* mapped, but no kernel writes to it */
    PIXEL_BUFFER_TAKEN,   /* unmapped; the owner has it */
};

struct pixel_buffer {
    struct handoff *handoff;
    struct readback *readback;
    struct slices *slices;
    /* Members of the driver's thread: */
    bool gl;
    struct device_pointer rgba; /* destination of the next launch; 0: samples only */
    bool leaving;               /* is offered once the launches up to last_use have ended */
    uint64_t last_use;
    double due_ms, interval_ms; /* [ms] time of the next update, and interval after it */
    bool on_demand;             /* due_ms is set by pixel_buffer_update_next only */
    /* Members under the handoff's lock, for GL buffers: */
    enum pixel_buffer_holder holder;
    struct device_pointer lent;  /* the mapped buffer */
    struct device_event *mapped; /* kernels wait for it */
};

void pixel_buffer_init(struct pixel_buffer *pixel_buffer, struct handoff *handoff,
                       struct readback *readback, struct slices *slices);

/* --- the owner's thread --- */

/* Lends the buffer. Called before a picture is submitted, and after pixel_buffer_take. */
void pixel_buffer_lend(struct pixel_buffer *pixel_buffer, struct device_pointer rgba,
                       struct device_event *mapped);
/* Takes the buffer if it was offered; returns true in that case. */
bool pixel_buffer_take(struct pixel_buffer *pixel_buffer);

/* --- the driver's thread; the functions return false on failure, see slices->error --- */

/* Starts a picture in the GL buffer that was lent, or in `rgba` for a target in host memory. */
bool pixel_buffer_start(struct pixel_buffer *pixel_buffer, bool gl, struct device_pointer rgba);
/* Lets the owner see nothing before pixel_buffer_update_next, which is called once rgba has been
 * painted. Called after pixel_buffer_start. */
void pixel_buffer_on_demand(struct pixel_buffer *pixel_buffer);
/* Returns true if rgba may be painted: it exists, and no part of it is being sent. */
bool pixel_buffer_is_paintable(const struct pixel_buffer *pixel_buffer);
/* Shows the result of all launches so far with the next tick. */
void pixel_buffer_update_next(struct pixel_buffer *pixel_buffer);
/* Exchanges the buffer if due; called between launches. Sets *repaint if rgba is new and lacks the
 * samples that are already done. */
bool pixel_buffer_tick(struct pixel_buffer *pixel_buffer, double now_ms, bool *repaint);
/* Gets a lent buffer back to complete it. Waits for the owner until *stop is set. */
bool pixel_buffer_await(struct pixel_buffer *pixel_buffer, const atomic_bool *stop, bool *repaint);

#endif
