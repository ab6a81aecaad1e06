/* Worker pool: its destruction waits for workers that can end, but not for stuck workers. The
 * memory that steps use is freed once, after the last worker has ended. */
#include "cpu/worker_pool.h"
#include "render/base/clock.h"
#include "tests/shared/check.h"
#include <semaphore.h>

#define THREADS 3

static sem_t inside, go_on;
static atomic_int freed;

static enum task_step no_step(struct task *task, struct task *source, int worker, void *scratch) {
    (void)task, (void)source, (void)worker, (void)scratch;
    return TASK_NONE;
}

static enum task_step stuck_step(struct task *task, struct task *source, int worker,
                                 void *scratch) {
    (void)task, (void)source, (void)worker, (void)scratch;
    sem_post(&inside);
    sem_wait(&go_on);
    return TASK_NONE;
}

static void destroy_task(struct task *task) {
    free(task);
}

static void note_gone(void *user) {
    CHECK(user == &freed);
    atomic_fetch_add(&freed, 1);
}

/* Creates workers and stops their task. Stuck workers are still in their step on return. */
static struct worker_pool *start(const struct task_kind *kind) {
    struct worker_pool *pool = worker_pool_create(THREADS, true, 64);
    struct task *task = malloc(sizeof *task);
    if (!pool || !task)
        abort();
    task_init(task, kind);
    worker_pool_start(pool, task, 0);
    for (int i = 0; i < THREADS && kind->step == stuck_step; i++)
        sem_wait(&inside);
    worker_pool_stop(pool, task);
    task_unref(task);
    return pool;
}

int main(void) {
    static const struct task_kind quick = {no_step, destroy_task};
    static const struct task_kind stuck = {stuck_step, destroy_task};
    sem_init(&inside, 0, 0);
    sem_init(&go_on, 0, 0);
    struct worker_pool *pool = start(&stuck);
    const double start_ms = clock_ms();
    worker_pool_destroy(pool, note_gone, &freed);
    CHECK(atomic_load(&freed) == 0); /* destroying did not wait for stuck workers */
    printf("%.0f ms for workers that do not end\n", clock_ms() - start_ms);
    for (int i = 0; i < THREADS; i++)
        sem_post(&go_on);
    while (atomic_load(&freed) == 0 && clock_ms() - start_ms < 60000)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK(atomic_load(&freed) == 1);

    pool = start(&quick);
    worker_pool_destroy(pool, NULL, NULL);
    return failures > 0;
}
