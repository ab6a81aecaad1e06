/* Where a picture's pixels go, and when its owner gets to see them before it is complete.
 *
 * A GL buffer is handed over between two launches: the driver's thread offers it and goes on with
 * samples only, the owner unmaps and shows it, maps it again and gives it back, and the driver's
 * thread paints all samples into it. A target in host memory is sent through the outbox instead. */
#ifndef FATHOM_CUDA_CANVAS_H
#define FATHOM_CUDA_CANVAS_H

#include "cuda/outbox.h"
#include "cuda/slices.h"

enum canvas_holder {
    CANVAS_DRAWN,   /* mapped; kernels may write to it */
    CANVAS_OFFERED, /* mapped, but no kernel writes to it any more */
    CANVAS_AWAY,    /* unmapped, the owner's */
};

struct canvas {
    struct meeting *meeting;
    struct outbox *outbox;
    struct slices *slices;
    /* The driver's: */
    bool gl;
    uint32_t *rgba; /* what the next launch writes to; NULL: samples only */
    bool leaving;   /* to be offered when all launches up to last_use have ended */
    uint64_t last_use;
    double due_ms, interval_ms; /* when the owner shall see something next, and after that */
    bool on_demand;             /* ... which is when canvas_show says so */
    /* Under the meeting's lock, for GL buffers: */
    enum canvas_holder holder;
    uint32_t *lent;     /* the mapped buffer */
    cudaEvent_t mapped; /* kernels wait for it */
};

void canvas_init(struct canvas *canvas, struct meeting *meeting, struct outbox *outbox,
                 struct slices *slices);

/* --- the owner's thread --- */

/* Before a picture is submitted, and after canvas_take: lends the buffer. */
void canvas_give(struct canvas *canvas, uint32_t *rgba, cudaEvent_t mapped);
/* True: it was offered, and is the owner's now. */
bool canvas_take(struct canvas *canvas);

/* --- the driver's thread; false: failed, see slices->error --- */

/* Starts a picture; `host_rgba` is device memory to draw to for a target in host memory, NULL for
 * the GL buffer that was lent. */
bool canvas_start(struct canvas *canvas, uint32_t *host_rgba);
/* After that: the owner sees nothing before canvas_show, which is for when rgba has been painted. */
void canvas_on_demand(struct canvas *canvas);
/* Whether rgba may be painted: it is there, and nothing of it is on its way. */
bool canvas_free(const struct canvas *canvas);
/* With the next tick the owner gets to see what all launches so far make of it. */
void canvas_show(struct canvas *canvas);
/* To be called between launches. *repaint: rgba is new, and lacks what is done already. */
bool canvas_tick(struct canvas *canvas, double now_ms, bool *repaint);
/* Gets a lent buffer back to complete it, waiting for the owner until *stop is set. */
bool canvas_regain(struct canvas *canvas, const atomic_bool *stop, bool *repaint);

#endif
