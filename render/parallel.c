/* Threads that live for one loop. */
#include "render/parallel.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define THREADS_MOST 16

struct loop {
    void (*part)(void *user, uint32_t begin, uint32_t end);
    void *user;
    uint32_t count, size, parts;
    atomic_uint next;
};

static void *take_parts(void *user) {
    struct loop *loop = user;
    uint32_t i;
    while ((i = atomic_fetch_add(&loop->next, 1)) < loop->parts) {
        const uint32_t begin = i * loop->size, left = loop->count - begin;
        loop->part(loop->user, begin, begin + (left < loop->size ? left : loop->size));
    }
    return NULL;
}

void parallel_for(uint32_t count, uint32_t size,
                  void (*part)(void *user, uint32_t begin, uint32_t end), void *user) {
    struct loop loop = {part, user, count, size, count / size + (count % size > 0), 0};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t thread[THREADS_MOST];
    int threads = 0;
    while (threads + 1 < processors && threads + 1u < loop.parts && threads < THREADS_MOST &&
           pthread_create(&thread[threads], NULL, take_parts, &loop) == 0)
        threads++;
    take_parts(&loop);
    while (threads > 0)
        pthread_join(thread[--threads], NULL);
}
