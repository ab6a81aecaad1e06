/* The workers: threads of one long-lived OpenMP region, which sleep while there is nothing to do,
 * and a lock between them and the owner that is only held to hand a task over. */
#ifndef FATHOM_CPU_WORKER_POOL_H
#define FATHOM_CPU_WORKER_POOL_H

#include "cpu/task.h"

struct worker_pool;

/* `scratch_size`: of the kinds' the largest, for each of them. NULL: logged why. */
struct worker_pool *worker_pool_create(int threads, bool low_priority, size_t scratch_size);
/* Stops, and waits for the threads. */
void worker_pool_destroy(struct worker_pool *pool);

/* Starts on a task, of which the caller keeps a reference until worker_pool_stop. */
void worker_pool_start(struct worker_pool *pool, struct task *task);
/* No worker begins with it any more. Does not wait. */
void worker_pool_stop(struct worker_pool *pool);
/* Wakes workers that had found nothing to do: there is work again. */
void worker_pool_call(struct worker_pool *pool);

/* Takes the task's source away from it; the caller gets its reference. */
struct task *worker_pool_take_source(struct worker_pool *pool, struct task *task);
/* A reference to the task, or to its source where `older` and there is one. */
struct task *worker_pool_ref(struct worker_pool *pool, struct task *task, bool older);

/* Sleeps until news(user), which workers' steps bring about, or until the time is up. */
void worker_pool_wait(struct worker_pool *pool, bool (*news)(const void *user), const void *user,
                      double budget_ms);

#endif
