/* The workers: threads of long-lived OpenMP regions, which sleep while there is nothing to do, and
 * a lock between them and the owner that is only held to hand a task over. */
#ifndef FATHOM_CPU_WORKER_POOL_H
#define FATHOM_CPU_WORKER_POOL_H

#include "cpu/task.h"

struct worker_pool;

/* `low_priority`: they give way to everything else. `scratch_size`: of the kinds' the largest, for
 * each of them. NULL: logged why. */
struct worker_pool *worker_pool_create(int threads, bool low_priority, size_t scratch_size);
/* Whether such tasks are worked on without giving way to everything else. Where all workers do, the
 * first call for eager ones starts as many again that do not. The owner's. */
bool worker_pool_eager(struct worker_pool *pool, bool eager);
/* Stops. Waits for the threads, but not for long: where other programs leave them no processor, they
 * end later by themselves. Then, on any thread, gone(user) frees what steps use; NULL: nothing. */
void worker_pool_destroy(struct worker_pool *pool, void (*gone)(void *user), void *user);

/* Starts on a task, of which the caller keeps a reference until worker_pool_stop. Workers go to
 * the task of theirs with the lowest rank that has work, and to the one that was started first among
 * equals. */
void worker_pool_start(struct worker_pool *pool, struct task *task, int rank);
/* No worker begins with it any more. Does not wait. Not started: does nothing. */
void worker_pool_stop(struct worker_pool *pool, struct task *task);
/* There is work again in a task in which workers had found nothing to do. */
void worker_pool_call(struct worker_pool *pool, struct task *task);

/* Takes the task's source away from it; the caller gets its reference. */
struct task *worker_pool_take_source(struct worker_pool *pool, struct task *task);
/* A reference to the task, or to its source where `older` and there is one. */
struct task *worker_pool_ref(struct worker_pool *pool, struct task *task, bool older);

/* Sleeps until news(user), which steps of the task bring about, or until the time is up. */
void worker_pool_wait(struct worker_pool *pool, const struct task *task,
                      bool (*news)(const void *user), const void *user, double budget_ms);

#endif
