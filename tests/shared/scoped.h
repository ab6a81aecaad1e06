/* Objects of tests that are finished at the end of their block, also when a check leaves it early.
 * SCOPED(scene, scene) declares `struct scene scene` and calls scene_init(&scene); further
 * arguments go to the init function. */
#ifndef FATHOM_TESTS_SHARED_SCOPED_H
#define FATHOM_TESTS_SHARED_SCOPED_H

#include <stdlib.h>

#define SCOPED_FIRST(first, ...)   first
#define SCOPED_DECLARE(type, name) __attribute__((cleanup(type##_finish))) struct type name

/* Initialises the object with the function `init`. */
#define SCOPED_BY(init, type, ...)                                                                 \
    SCOPED_DECLARE(type, SCOPED_FIRST(__VA_ARGS__, 0));                                            \
    init(&__VA_ARGS__)

#define SCOPED(type, ...)      SCOPED_BY(type##_init, type, __VA_ARGS__)
#define SCOPED_COPY(type, ...) SCOPED_BY(type##_init_copy, type, __VA_ARGS__)

/* Aborts if the init function returns false. */
#define SCOPED_MADE(type, ...)                                                                     \
    SCOPED_DECLARE(type, SCOPED_FIRST(__VA_ARGS__, 0));                                            \
    scoped_require(type##_init(&__VA_ARGS__))

static inline void scoped_require(int made) {
    if (!made)
        abort();
}

#endif
