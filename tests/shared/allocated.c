/* Allocation meter: linked into the program when it is built with the address sanitizer. It reports
 * to tests/window/soak.sh how many bytes fathom itself has allocated and not freed. The process
 * size is no measure, as the sanitizer keeps freed memory. The sum of all allocations is none
 * either, as a software OpenGL keeps megabytes of shaders and textures for as long as it likes. The
 * sanitizer stores the caller with every block, which identifies fathom's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Declared here, since not every compiler has a header for them. */
int __sanitizer_install_malloc_and_free_hooks(void (*after)(const volatile void *, size_t),
                                              void (*before)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *block);

#define INTERVAL_NS 50000000
#define CALLERS     4096 /* cached callers; a power of two */

static atomic_llong allocated;

/* Returns true if the caller is the program, or a library that allocates only for it. */
static bool is_ours(const void *caller) {
    static const char *const libraries[] = {"/libmpfr.", "/libgmp.", "/libpng16."};
    Dl_info here, there;
    if (!dladdr(caller, &there) || !dladdr((const void *)is_ours, &here))
        return false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strstr(there.dli_fname, libraries[i]))
            return true;
    return there.dli_fbase == here.dli_fbase;
}

static bool allocated_by_us(const volatile void *block) {
    static atomic_uintptr_t known[CALLERS]; /* twice the caller, plus 1 if it is ours */
    void *stack[2];                         /* the sanitizer's own frame, and its caller */
    int thread;
    if (__asan_get_alloc_stack((void *)block, stack, 2, &thread) < 2)
        return false;
    const void *caller = stack[1];
    atomic_uintptr_t *place = &known[((uintptr_t)caller >> 2) % CALLERS];
    uintptr_t entry = atomic_load(place);
    if (entry >> 1 != (uintptr_t)caller) {
        entry = (uintptr_t)caller << 1 | is_ours(caller);
        atomic_store(place, entry);
    }
    return entry & 1;
}

static void add(const volatile void *block, size_t size) {
    if (allocated_by_us(block))
        allocated += (long long)size;
}

static void subtract(const volatile void *block) {
    if (block && allocated_by_us(block))
        allocated -= (long long)__sanitizer_get_allocated_size(block);
}

/* Writes the number with constant width, so that no reader finds an empty file. */
static void *tell(void *user) {
    FILE *file = user;
    for (;;) {
        rewind(file);
        fprintf(file, "%20lld\n", allocated);
        fflush(file);
        nanosleep(&(struct timespec){.tv_nsec = INTERVAL_NS}, NULL);
    }
    return NULL;
}

__attribute__((constructor)) static void process_age_telling(void) {
    const char *path = getenv("SOAK_ALLOCATED");
    FILE *file = path ? fopen(path, "we") : NULL;
    pthread_t thread;
    if (file && __sanitizer_install_malloc_and_free_hooks(add, subtract) &&
        pthread_create(&thread, NULL, tell, file) == 0)
        pthread_detach(thread);
}
