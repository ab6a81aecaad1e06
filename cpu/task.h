/* Worker task: work that is done in small steps by all workers, until nothing is left or it is
 * stopped. Between two steps a worker switches to a task of higher priority, if there is one. */
#ifndef FATHOM_CPU_TASK_H
#define FATHOM_CPU_TASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct task;

/* Result of a step. */
enum task_step {
    TASK_NONE, /* found nothing to do; nor will other workers, until a call */
    TASK_SOME, /* did something; there may be more */
    TASK_CALL, /* did something; sleeping workers have work as well */
};

struct task_kind {
    /* Does a step. `source`: a reference to task->source that the worker holds, or NULL. `scratch`:
     * the worker's memory, undefined at the start of a step. `worker`: number from 0. */
    enum task_step (*step)(struct task *task, struct task *source, int worker, void *scratch);
    void (*destroy)(struct task *task); /* called after the last reference is dropped */
};

struct task {
    const struct task_kind *kind;
    bool eager; /* part of an animation: low-priority workers may be too slow */
    atomic_int references;
    atomic_bool stop; /* cancelled */
    /* Task whose results it may take over, or NULL. Protected by the pool's lock once it is
     * started. */
    struct task *source;
    /* Pool's state, protected by its lock: */
    struct task *next;
    int rank;       /* priority; lowest first */
    unsigned calls; /* number of calls: reports of new work */
    bool idle;      /* no worker found work, and no call came since */
};

static inline void task_init(struct task *task, const struct task_kind *kind) {
    task->kind = kind;
    task->eager = false;
    task->source = task->next = NULL;
    task->calls = 0;
    atomic_init(&task->references, 1);
    atomic_init(&task->stop, false);
}

static inline void *task_ref(struct task *task) {
    atomic_fetch_add_explicit(&task->references, 1, memory_order_relaxed);
    return task;
}

/* Drops a reference; NULL is allowed. */
static inline void task_unref(struct task *task) {
    if (!task || atomic_fetch_sub_explicit(&task->references, 1, memory_order_acq_rel) != 1)
        return;
    task_unref(task->source);
    task->kind->destroy(task);
}

#endif
