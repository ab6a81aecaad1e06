/* Unfinished orbits: orbits to be resumed, of pixels that neither escaped nor are proved interior.
 * They allow deepening, and raising the limit without starting again. */
#ifndef FATHOM_CPU_ESCAPE_UNFINISHED_H
#define FATHOM_CPU_ESCAPE_UNFINISHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Header of an entry; state_size bytes that only the kernel interprets follow it. */
struct unfinished_orbit {
    uint32_t at;   /* index of the pixel in the planes */
    uint32_t done; /* steps */
};

/* List of orbits. Zero-initialised except for state_size it is empty. One thread at a time. */
struct unfinished {
    unsigned char *orbits;
    size_t size, room;
    size_t state_size;
};

/* Returns the i-th orbit, and its state in *state. */
struct unfinished_orbit unfinished_get(const struct unfinished *unfinished, size_t i,
                                       const void **state);
/* Adds an orbit. Returns false without memory. */
bool unfinished_add(struct unfinished *unfinished, struct unfinished_orbit orbit,
                    const void *state);
/* Returns the fewest steps that any orbit has done, at most `limit`. */
uint32_t unfinished_least(const struct unfinished *unfinished, uint32_t limit);
/* Moves up to `room` orbits that have done `done` steps from the list to `at` and `states`. Returns
 * their number. */
size_t unfinished_take(struct unfinished *unfinished, uint32_t done, uint32_t *at, void *states,
                       size_t room);
void unfinished_finish(struct unfinished *unfinished);

#endif
