/* Scalar kernels: orbits in flight. A few orbits advance in lockstep, so that the processor
 * overlaps their steps. The includer defines `flyer`, which is an orbit, FLIGHT_BLOCK, which is the
 * number of steps between two tests, and
 *   fly_block(k, formula, o, seat, ends): makes a block of steps of all orbits. ends[v] receives
 *     whether orbit v ends in the block;
 *   fly_same(k, formula, o, then, since): returns true if an orbit is at `then`, `since` steps ago;
 *   fly_land(k, formula, id, o, done, ends): iterates an orbit to its end and stores its result.
 *     `ends` says that it ends in the next block. Returns false if stopped. */
#ifndef FATHOM_CPU_SCALAR_FLIGHT_H
#define FATHOM_CPU_SCALAR_FLIGHT_H

#include "cpu/scalar/scalar.h"

#define FLIGHT      4u
#define STOP_BLOCKS 1024u /* blocks between two reads of `stop` */

/* Orbit that waits for its flight, after `done` steps. */
struct waiting {
    flyer o;
    uint32_t id, done;
};
_Static_assert(sizeof(struct waiting) * TILE_POINTS_MAX <= sizeof(struct tile_scratch), "room");
struct kernel {
    const struct tile_points *p;
    struct tile_samples *samples;
    struct waiting *waiting;
    size_t size; /* of `waiting` */
    uint64_t executed;
    bool cycle; /* whether cycles are detected */
};

INLINE struct kernel kernel_of(const struct tile_points *p, struct tile_samples *samples) {
    return (struct kernel){.p = p,
                           .samples = samples,
                           .waiting = (struct waiting *)p->scratch->bytes,
                           .cycle = p->shortcuts & SHORTCUTS_CYCLE};
}

/* Place of an orbit in flight. Cycle detection (Brent): an earlier place of the orbit, its step,
 * and the number of steps until the next one. */
struct seat {
    uint32_t id, done, then, span;
    bool taken;
    flyer place;
};

INLINE void fly_block(const struct kernel *k, const int formula, flyer o[FLIGHT],
                      const struct seat seat[FLIGHT], bool ends[FLIGHT]);
INLINE bool fly_same(const struct kernel *k, const int formula, const flyer *o, const flyer *then,
                     uint32_t since);
INLINE bool fly_land(struct kernel *k, const int formula, uint32_t id, flyer *o, uint32_t done,
                     bool ends);

/* Gives free seats the next waiting orbits. Returns false if all seats stay free. */
INLINE bool fly_board(struct kernel *k, size_t *next, flyer o[FLIGHT], struct seat seat[FLIGHT]) {
    const flyer none = {0};
    bool any = false;
    for (uint32_t v = 0; v < FLIGHT; v++) {
        if (!seat[v].taken && *next < k->size) {
            const struct waiting *from = &k->waiting[(*next)++];
            o[v] = from->o;
            seat[v] =
                (struct seat){from->id, from->done, from->done, ORBIT_FIRST_SPAN, true, from->o};
        } else if (!seat[v].taken) {
            o[v] = none;
        }
        any = any || seat[v].taken;
    }
    return any;
}

/* Returns true if an orbit is where it was before, so that it never ends. */
INLINE bool fly_returns(const struct kernel *k, const int formula, const flyer *o,
                        struct seat *seat) {
    const uint32_t since = seat->done - seat->then;
    if (fly_same(k, formula, o, &seat->place, since))
        return true;
    if (since >= seat->span) {
        seat->place = *o;
        seat->then = seat->done;
        seat->span *= 2;
    }
    return false;
}

/* Tests an orbit after a block that began at `before`. Returns false if stopped. */
INLINE bool fly_test(struct kernel *k, const int formula, struct seat *seat, bool ends, flyer *o,
                     flyer *before) {
    if (ends) {
        seat->taken = false;
        return fly_land(k, formula, seat->id, before, seat->done, true);
    }
    seat->done += FLIGHT_BLOCK;
    k->executed += FLIGHT_BLOCK;
    seat->taken = !(k->cycle && fly_returns(k, formula, o, seat));
    if (!seat->taken || k->p->limit - seat->done >= FLIGHT_BLOCK)
        return true;
    seat->taken = false;
    return fly_land(k, formula, seat->id, o, seat->done, false);
}

/* Flies all waiting orbits. Returns false if stopped. */
INLINE bool fly(struct kernel *k, const int formula) {
    flyer o[FLIGHT], before[FLIGHT];
    struct seat seat[FLIGHT] = {{.taken = false}};
    size_t next = 0;
    for (uint32_t blocks = 0; fly_board(k, &next, o, seat); blocks++) {
        bool ends[FLIGHT];
        if (blocks % STOP_BLOCKS == 0 && stopped(k->p))
            return false;
        memcpy(before, o, sizeof before);
        fly_block(k, formula, o, seat, ends);
        for (uint32_t v = 0; v < FLIGHT; v++)
            if (seat[v].taken && !fly_test(k, formula, &seat[v], ends[v], &o[v], &before[v]))
                return false;
    }
    return true;
}

#endif
