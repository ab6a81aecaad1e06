/* Orbits that are to go on later: of pixels that have neither escaped nor are known to be interior.
 * They make deepening possible, and raising the limit without starting over. */
#ifndef FATHOM_CPU_ESCAPE_UNFINISHED_H
#define FATHOM_CPU_ESCAPE_UNFINISHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Before the state, bytes that only the kernel understands. */
struct unfinished_orbit {
    uint32_t at;   /* index of the pixel in the planes */
    uint32_t done; /* steps */
};

/* Zero-initialised but for state_size it is empty. Not for use by two threads at a time. */
struct unfinished {
    unsigned char *orbits;
    size_t size, room;
    size_t state_size;
};

/* The i-th; its state follows it. */
struct unfinished_orbit unfinished_get(const struct unfinished *unfinished, size_t i,
                                       const void **state);
/* False: no memory. */
bool unfinished_add(struct unfinished *unfinished, struct unfinished_orbit orbit,
                    const void *state);
/* The fewest steps that an orbit has done, if that is less than `limit`, else `limit`. */
uint32_t unfinished_least(const struct unfinished *unfinished, uint32_t limit);
/* Moves up to `room` orbits that have done that many steps from the list to `at` and `states`. */
size_t unfinished_take(struct unfinished *unfinished, uint32_t done, uint32_t *at, void *states,
                       size_t room);
void unfinished_finish(struct unfinished *unfinished);

#endif
