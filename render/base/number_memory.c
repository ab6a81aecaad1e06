/* Gives GMP and MPFR memory functions that end in a message, because neither takes failure. */
#include "render/base/number_memory.h"
#include "render/base/log.h"
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *have(void *memory, size_t size) {
    if (memory)
        return memory;
    log_error("not enough memory: cannot allocate %zu bytes for a number", size);
    fflush(stderr);
    _exit(1); /* what is half done is of no use, and files without a name go with the process */
}

static void *allocate(size_t size) {
    return have(malloc(size), size);
}

static void *reallocate(void *old, size_t old_size, size_t size) {
    (void)old_size;
    return have(realloc(old, size), size);
}

static void release(void *memory, size_t size) {
    (void)size;
    free(memory);
}

void number_memory_watch(void) {
    mp_set_memory_functions(allocate, reallocate, release);
}
