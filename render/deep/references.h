/* Reference cache: the references that pictures are drawn around. The latest ones are kept, and all
 * handles on one device share them. A handle makes a missing reference on a thread of its own; if
 * no thread can be started, it makes the reference on the caller's thread, which an interrupt
 * releases. All functions of handles that share are called from one thread. */
#ifndef FATHOM_RENDER_DEEP_REFERENCES_H
#define FATHOM_RENDER_DEEP_REFERENCES_H

#include "render/frame.h"

struct references;
struct perturbation;
struct orbit_engine;

/* Each reference is iterated by at most `threads` threads (render/deep/crew.h). Returns NULL if
 * there is no memory, which is logged. */
struct references *references_create(unsigned threads);
struct references *references_another(struct references *references);
/* Limits the memory of all kept references together; the least recently used ones are released, the
 * latest stays. Default: 1 GiB, and at most 8 references. Applies to all handles that share. */
void references_set_bytes(struct references *references, uint64_t bytes);
/* Waits for the handle's thread, which stops within 10 ms. NULL is allowed. */
void references_destroy(struct references *references);

/* Facts about a picture's reference. */
struct reference_facts {
    bool making;
    double progress; /* while it is made: 0 .. 1, of the iteration limit */
    double made_ms;  /* [ms] from the request until the reference was ready, or until now */
    uint32_t length; /* [steps] length of its orbit; 0: there is no reference */
    uint32_t period; /* reference_period in this picture */
    uint64_t bytes;  /* memory of the reference and its tables */
    /* false: the picture is drawn as requested; otherwise by this route, in these numbers, and, if
     * `mixed` is true, in a way that no precision but "auto" requests */
    bool decided, mixed;
    enum route route;
    enum number_type type;
};

enum references_state {
    REFERENCES_READY,  /* *found is a share that the caller releases */
    REFERENCES_MAKING, /* call again */
    REFERENCES_FAILED, /* the reason is logged */
};

/* Finds the reference that a request needs (perturbed_home; lines in motion take any near it), or
 * starts making it and waits up to wait_ms. A reference in the making for another request is
 * abandoned if it does not serve this one. If it is open how the request is drawn (widen), READY
 * also means that doubt_find_known has an answer; direct requests get a reference for that alone,
 * of one step. *progress is 0 .. 1, of the iteration limit. `engine` is as in struct
 * reference_want. */
enum references_state references_get(struct references *references, const struct frame_req *req,
                                     const struct orbit_engine *engine, double wait_ms,
                                     struct perturbation **found, double *progress);
/* Prefetches a reference at the exact centre of the request's view, for a continuing zoom. Does
 * nothing if a kept reference serves `soon`, a wider view around the same centre, or if another one
 * is in the making. Never waits. */
void references_prepare(struct references *references, const struct frame_req *req,
                        const struct orbit_engine *engine, const struct view *soon);
/* Stops the reference in the making. */
void references_cancel(struct references *references);

#endif
