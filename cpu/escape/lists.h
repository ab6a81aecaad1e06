/* Lists of orbits in memory, in vectors of one (ISA, type): what tile_tmpl.c packs and reads. All
 * lists have room for TILE_SPARE more than there can be, because whole vectors are read and
 * written. */
#ifndef FATHOM_CPU_ESCAPE_LISTS_H
#define FATHOM_CPU_ESCAPE_LISTS_H

#include "cpu/escape/tile.h"
#include "cpu/lanes.h"
#include <string.h>

#define POINTS    (GROUP * LANES) /* of a group */
#define ALL_LANES ((unsigned)((1ull << LANES) - 1))

/* Orbits: c, z, and the point's number in the caller's list, which a float holds exactly. */
struct orbits {
    number *cr, *ci, *zr, *zi, *id;
    size_t size;
};

/* Orbits that were followed to their ends: how many of their steps, from `start` steps on, did not
 * reach the escape radius, and in units of ARRIVAL, SMOOTH_NORM2; and |z|^2 when they did reach
 * that. */
struct endings {
    number *steps, *norm2, *id;
    uint32_t *start;
    size_t size;
};

#define ARRIVAL 4096

/* Writes the lanes of `bits` at p, one after another; most often that is all of them. */
INLINE void pack_number(number *p, unsigned bits, real x) {
    if (bits == ALL_LANES)
        real_store(p, x);
    else
        real_pack(p, bits, x);
}

INLINE void pack(struct orbits *to, unsigned bits, real cr, real ci, real zr, real zi, real id) {
    if (bits == 0)
        return;
    pack_number(to->cr + to->size, bits, cr);
    pack_number(to->ci + to->size, bits, ci);
    pack_number(to->zr + to->size, bits, zr);
    pack_number(to->zi + to->size, bits, zi);
    pack_number(to->id + to->size, bits, id);
    to->size += (size_t)__builtin_popcount(bits);
}

/* Fills the list up to whole groups with lanes that never escape. */
INLINE void pad(struct orbits *list) {
    number *const members[] = {list->cr, list->ci, list->zr, list->zi};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        memset(members[i] + list->size, 0, POINTS * sizeof(number));
}

/* Which lanes of the vector at `first` are there in a list of `size`. */
INLINE unsigned valid_lanes(size_t size, size_t first) {
    return size >= first + LANES ? ALL_LANES : size > first ? (1u << (size - first)) - 1 : 0;
}

#endif
