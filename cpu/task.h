/* What the workers do, whatever kind it is: a thing that has been started and is worked on in small
 * steps by all of them, until nothing is left or it is not wanted any more. Between two steps
 * a worker goes to a more urgent one. */
#ifndef FATHOM_CPU_TASK_H
#define FATHOM_CPU_TASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct task;

/* What a step tells its worker. */
enum task_step {
    TASK_NONE, /* there was nothing to do, nor is there for other workers until a call */
    TASK_SOME, /* done; there may be more */
    TASK_CALL, /* done; there is more for sleeping workers as well */
};

struct task_kind {
    /* `source` is a reference to task->source that the worker holds, or NULL; `scratch` the
     * worker's memory, which keeps nothing between steps; workers are numbered from 0. */
    enum task_step (*step)(struct task *task, struct task *source, int worker, void *scratch);
    void (*destroy)(struct task *task); /* after the last reference is gone */
};

struct task {
    const struct task_kind *kind;
    bool eager; /* it moves on the screen, for which workers that give way may be too slow */
    atomic_int references;
    atomic_bool stop; /* it is not wanted any more */
    /* What it may take over from; NULL: none. Under the pool's lock once it is started. */
    struct task *source;
    /* The pool's, under its lock: */
    struct task *next;
    int rank;       /* the lower the more urgent */
    unsigned calls; /* that there is work again */
    bool idle;      /* nothing was found to do, and there was no call since */
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

/* Drops one reference; NULL is allowed. */
static inline void task_unref(struct task *task) {
    if (!task || atomic_fetch_sub_explicit(&task->references, 1, memory_order_acq_rel) != 1)
        return;
    task_unref(task->source);
    task->kind->destroy(task);
}

#endif
