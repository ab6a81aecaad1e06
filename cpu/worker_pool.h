/* Worker pool: threads of long-lived OpenMP regions that sleep while there is no work. The lock
 * between them and the owner is held only to hand over a task. */
#ifndef FATHOM_CPU_WORKER_POOL_H
#define FATHOM_CPU_WORKER_POOL_H

#include "cpu/task.h"

struct worker_pool;

/* Creates a pool. `low_priority`: the threads give way to all other programs. `scratch_size`:
 * [bytes] largest scratch of all task kinds, allocated for each thread. Returns NULL on failure,
 * which is logged. */
struct worker_pool *worker_pool_create(int threads, bool low_priority, size_t scratch_size);
/* Returns true if tasks, eager ones or others, run at normal priority. In a low-priority pool the
 * first call with `eager` starts as many threads again at normal priority. Owner's thread. */
bool worker_pool_eager(struct worker_pool *pool, bool eager);
/* Stops the pool. Waits for the threads, but not for long: under full load they end later. The last
 * thread then calls gone(user), which frees what steps use, unless `gone` is NULL. */
void worker_pool_destroy(struct worker_pool *pool, void (*gone)(void *user), void *user);

/* Starts a task. The caller keeps a reference until worker_pool_stop. Workers take the task of the
 * lowest rank that has work, and the earliest started of several. */
void worker_pool_start(struct worker_pool *pool, struct task *task, int rank);
/* Prevents workers from starting steps of the task. Does not wait. No effect if it is not
 * started. */
void worker_pool_stop(struct worker_pool *pool, struct task *task);
/* Reports new work in a task in which workers had found nothing to do. */
void worker_pool_call(struct worker_pool *pool, struct task *task);

/* Removes the task's source; the caller takes over the reference. */
struct task *worker_pool_take_source(struct worker_pool *pool, struct task *task);
/* Returns a reference to the task, or to its source if `older` is set and there is a source. */
struct task *worker_pool_ref(struct worker_pool *pool, struct task *task, bool older);

/* Sleeps until news(user) is true, which steps of the task cause, or until the budget is used
 * up. */
void worker_pool_wait(struct worker_pool *pool, const struct task *task,
                      bool (*news)(const void *user), const void *user, double budget_ms);

#endif
