/* The references that pictures go by: the latest are kept for views around them and shared by all
 * handles on one device; each handle makes those that it misses on a thread of its own, or where none can be started
 * on the caller's, which waits for it then, but not for an interrupt. All functions
 * of handles that share are called from one thread. */
#ifndef FATHOM_RENDER_DEEP_REFERENCES_H
#define FATHOM_RENDER_DEEP_REFERENCES_H

#include "render/frame.h"

struct references;
struct perturbation;
struct orbit_engine;

/* NULL: no memory, logged. */
struct references *references_create(void);
struct references *references_another(struct references *references);
/* Lets those that are kept take that much memory together; what is over goes, but for the latest. It
 * is 1 GiB unless said, and 8 are kept at most. For all that share. */
void references_set_bytes(struct references *references, uint64_t bytes);
/* Waits for its thread, which stops within 10 ms. NULL is allowed. */
void references_destroy(struct references *references);

/* What can be said about a picture's reference. */
struct reference_facts {
    bool making;
    double progress; /* meanwhile: 0 .. 1, of the iteration limit */
    double made_ms;  /* from when it was asked for until it was there, or until now */
    uint32_t length; /* of its orbit, in steps; 0: there is none */
    uint32_t period; /* as reference_period's in this picture */
    uint64_t bytes;  /* what it takes with its tables */
    bool wide;       /* the picture is drawn in wide numbers, */
    bool direct;     /* without a reference, though one was asked for */
};

enum references_state {
    REFERENCES_READY,  /* *found is there, a share of the caller's */
    REFERENCES_MAKING, /* ask again */
    REFERENCES_FAILED, /* logged why */
};

/* Finds or begins to make what a request needs (perturbed_home; loose lines take any that is near),
 * and waits for it up to wait_ms. What is being made for another request is given up where it would
 * not do for this one. Where the request is to be drawn in wide numbers if need be, this is then known
 * (doubt_known). *progress is 0 .. 1 meanwhile, of the iteration limit. `engine` as in struct
 * reference_want. */
enum references_state references_get(struct references *references, const struct frame_req *req,
                                     const struct orbit_engine *engine, double wait_ms,
                                     struct perturbation **found, double *progress);
/* Begins to make a reference at the very centre of the request's view, for pictures in motion that come
 * nearer and nearer to it: unless one that is kept serves them in `soon`, a wider view about the same
 * centre, or another one is being made. Never waits. */
void references_prepare(struct references *references, const struct frame_req *req,
                        const struct orbit_engine *engine, const struct view *soon);
/* Nobody waits any more. */
void references_cancel(struct references *references);

#endif
