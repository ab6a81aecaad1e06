/* Lists of orbits in memory, packed and read as vectors of one (ISA, type) by tile_tmpl.c. Every
 * list has room for TILE_SPARE more orbits than it can hold, because whole vectors are read and
 * written. */
#ifndef FATHOM_CPU_ESCAPE_LISTS_H
#define FATHOM_CPU_ESCAPE_LISTS_H

#include "cpu/escape/value.h"
#include <string.h>

/* GROUP: number of vectors iterated together, to hide latency. TAIL_VECTORS: the same while every
 * step is tested and counted, which needs more registers. */
#define GROUP        6
#define TAIL_VECTORS 2

#define POINTS    (GROUP * LANES) /* points of a group */
#define ALL_LANES ((unsigned)((1ull << LANES) - 1))

/* Orbits: c and z (see value.h), and the point's number in the caller's list, which a float holds
 * exactly. */
struct orbits {
    number *cr, *ci, *zr, *zi, *id;
    size_t size;
};

/* Orbits that were followed to their ends. `steps`: number of steps inside the escape radius,
 * without the first `start` ones, plus ARRIVAL for every step below SMOOTH_NORM2. `norm2`: first
 * |z|^2 of at least SMOOTH_NORM2. */
struct endings {
    number *steps, *norm2, *id;
    uint32_t *start;
    size_t size;
};

#define ARRIVAL 4096

INLINE void pack(struct orbits *to, unsigned bits, value cr, value ci, value zr, value zi,
                 real id) {
    if (bits == 0)
        return;
    value_pack(to->cr + to->size, bits, cr);
    value_pack(to->ci + to->size, bits, ci);
    value_pack(to->zr + to->size, bits, zr);
    value_pack(to->zi + to->size, bits, zi);
    pack_number(to->id + to->size, bits, id);
    to->size += (size_t)__builtin_popcount(bits);
}

/* Moves `size` coordinates, with all their parts, to p. */
INLINE void list_move(number *p, const number *from, size_t size) {
    for (size_t part = 0; part < PARTS; part++)
        memmove(p + part * TILE_LOW, from + part * TILE_LOW, size * sizeof(number));
}

INLINE void list_zero(number *p, size_t size) {
    for (size_t part = 0; part < PARTS; part++)
        memset(p + part * TILE_LOW, 0, size * sizeof(number));
}

/* Fills the list up to whole groups with lanes that never escape. */
INLINE void pad(struct orbits *list) {
    number *const members[] = {list->cr, list->ci, list->zr, list->zi};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        list_zero(members[i] + list->size, POINTS);
}

/* Returns the lanes of the vector at `first` that lie within a list of `size`. */
INLINE unsigned valid_lanes(size_t size, size_t first) {
    return size >= first + LANES ? ALL_LANES : size > first ? (1u << (size - first)) - 1 : 0;
}

#endif
