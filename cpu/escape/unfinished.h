/* Orbits that are to go on later: of pixels that have neither escaped nor are known to be interior.
 * They make deepening possible, and raising the limit without starting over. */
#ifndef FATHOM_CPU_ESCAPE_UNFINISHED_H
#define FATHOM_CPU_ESCAPE_UNFINISHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unfinished_orbit {
    uint32_t at;   /* index of the pixel in the planes */
    uint32_t done; /* steps */
    double zr, zi; /* after those; floats are exact in it */
};

/* Zero-initialised it is empty. Not for use by two threads at a time. */
struct unfinished {
    struct unfinished_orbit *orbits;
    size_t size, room;
    bool incomplete; /* there was no memory for some, or nobody wanted them */
};

/* False: no memory; `incomplete` is set. */
bool unfinished_add(struct unfinished *unfinished, struct unfinished_orbit orbit);
/* The fewest steps that an orbit has done, if that is less than `limit`, else `limit`. */
uint32_t unfinished_least(const struct unfinished *unfinished, uint32_t limit);
/* Moves up to `room` orbits that have done that many steps from the list to `taken`. */
size_t unfinished_take(struct unfinished *unfinished, uint32_t done, struct unfinished_orbit *taken,
                       size_t room);
void unfinished_finish(struct unfinished *unfinished);

#endif
