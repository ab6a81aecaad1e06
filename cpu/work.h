/* What the workers do, whatever kind it is: a thing that has been started and is worked on in small
 * steps by all of them, until nothing is left or nobody wants it any more. */
#ifndef FATHOM_CPU_WORK_H
#define FATHOM_CPU_WORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct work;

/* What a step tells its worker. */
enum work_step {
    WORK_NONE, /* there was nothing to do; sleep until called */
    WORK_SOME, /* done; there may be more */
    WORK_CALL, /* done; there is more for those who sleep as well */
};

struct work_kind {
    /* `source` is a reference to work->source that the worker holds, or NULL; `scratch` the worker's
     * memory, which keeps nothing between steps; workers are numbered from 0. */
    enum work_step (*step)(struct work *work, struct work *source, int worker, void *scratch);
    void (*destroy)(struct work *work); /* after the last reference is gone */
};

struct work {
    const struct work_kind *kind;
    atomic_int references;
    atomic_bool stop; /* nobody wants it any more */
    /* What it may take over from; NULL: none. Under the crew's lock once it is started. */
    struct work *source;
};

static inline void work_init(struct work *work, const struct work_kind *kind) {
    work->kind = kind;
    work->source = NULL;
    atomic_init(&work->references, 1);
    atomic_init(&work->stop, false);
}

static inline void *work_ref(struct work *work) {
    atomic_fetch_add_explicit(&work->references, 1, memory_order_relaxed);
    return work;
}

/* Drops one reference; NULL is allowed. */
static inline void work_unref(struct work *work) {
    if (!work || atomic_fetch_sub_explicit(&work->references, 1, memory_order_acq_rel) != 1)
        return;
    work_unref(work->source);
    work->kind->destroy(work);
}

#endif
