/* Linked into the program when it is built with sanitizers: keeps libraries loaded until the end, so
 * that a report about one can name it and tests/lsan.supp can match; and tells tests/soak.sh how many bytes
 * are allocated and not freed, which the process's size does not: sanitizers keep what was freed. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Of the sanitizers' allocator; not every compiler has a header for it. */
size_t __sanitizer_get_current_allocated_bytes(void);

#define INTERVAL_NS 50000000

int dlclose(void *handle) {
    (void)handle;
    return 0;
}

/* Into a file as long as ever, so that no reader finds it empty. */
static void *tell(void *user) {
    FILE *file = user;
    for (;;) {
        rewind(file);
        fprintf(file, "%20zu\n", __sanitizer_get_current_allocated_bytes());
        fflush(file);
        nanosleep(&(struct timespec){.tv_nsec = INTERVAL_NS}, NULL);
    }
    return NULL;
}

__attribute__((constructor)) static void start_telling(void) {
    const char *path = getenv("SOAK_ALLOCATED");
    FILE *file = path ? fopen(path, "we") : NULL;
    pthread_t thread;
    if (file && pthread_create(&thread, NULL, tell, file) == 0)
        pthread_detach(thread);
}
