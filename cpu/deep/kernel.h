/* Perturbation kernel (SIMD): its memory, the vectors of orbits, and the lists of points between
 * its stages.
 *
 * The kernel is compiled once per instruction set for each orbit that CMakeLists.txt names, which
 * is a number (number.h), a step (step.h) and a payload (payload.h). Stages are:
 *   extended: orbits whose distance from the reference is below a double's range, one by one;
 *   around: orbits around the reference, a vector of neighbours in lockstep (around_tmpl.c);
 *   tail: orbits that have left the reference, whose own z is iterated;
 *   follow: orbits that have escaped, up to the radius where their sample is taken. */
#ifndef FATHOM_CPU_DEEP_KERNEL_H
#define FATHOM_CPU_DEEP_KERNEL_H

#include "cpu/deep/entry.h"
#include "cpu/deep/payload.h"
#include "cpu/escape/tile.h"
#include "render/deep/perturbed_point.h"

#define STOP_ROUNDS 1024u /* rounds between reads of `stop` */

/* |W|^2 where orbits leave the stage around the reference. */
#ifdef TILE_TYPE_WIDE
#define LEAVE_NORM2(t) 4.0
#else
#define LEAVE_NORM2(t) (TRACE ? (double)SMOOTH_NORM2 : (t)->escape)
#endif

_Static_assert(sizeof(struct orbit) <= FRAME_STATE_MAX, "a state has room");

/* Place of an orbit at one of its rebases or blocks of the tail: struct perturbed_cycle. */
struct cycle {
    double z[PARTS];
    uint32_t events, next, turn;
};

struct list {
    uint16_t *id;
    size_t size;
};

/* The memory of all points, in struct tile_scratch. */
struct memory {
    struct orbit orbit[TILE_POINTS_MAX];
    struct payload_point payload[TILE_POINTS_MAX];
    struct cycle cycle[TILE_POINTS_MAX];
    uint16_t list[5][TILE_POINTS_MAX];
};
_Static_assert(sizeof(struct memory) <= sizeof(struct tile_scratch), "there is room");

struct kernel {
    const struct tile_points *p;
    const struct perturbed_tables *t;
    const struct segment_trace *traces; /* of all segments; for traces only */
    const struct sample_planes *planes;
    struct tile_samples *samples; /* of counts only */
    struct orbit *orbit;
    struct payload_point *payload;
    struct cycle *cycle;
    struct list extended, around, tail, escaped; /* points for each stage */
    struct list again;         /* points for `around` that wait for others at their index */
    uint64_t rounds, executed; /* calls of stopped; steps, in which a segment is one */
};

/* A vector of orbits. Lanes that do not live have z = 0 and m = 0. */
struct group {
    struct pair_lanes z, c; /* c in units of 2^c_log2 */
    struct payload_lanes payload;
    _Alignas(64) uint32_t m[LANES], n[LANES];
    uint32_t most[LANES]; /* steps up to which an orbit goes around the reference */
    uint32_t id[LANES];
    unsigned alive;
    bool together; /* the living lanes are at the same index, and may take the same segment */
};

/* A vector of orbits in registers. */
struct flight {
    struct pair z;
    struct payload payload;
};

INLINE void add(struct list *list, uint32_t id) {
    list->id[list->size++] = (uint16_t)id;
}

INLINE bool stopped(struct kernel *k) {
    return k->rounds++ % STOP_ROUNDS == 0 && atomic_load_explicit(k->p->stop, memory_order_relaxed);
}

/* Returns part i of a point's c. */
INLINE double part_of_c(const struct kernel *k, uint32_t id, int i) {
    const double *c = i < IM ? k->p->cr : k->p->ci;
    return c[id + (size_t)(i % IM) * TILE_LOW];
}

/* Returns part i of what a point's steps add: Julia sets' orbits share c, once they have begun. */
INLINE double part_of_own_c(const struct kernel *k, uint32_t id, int i) {
    return k->t->julia ? 0 : part_of_c(k, id, i);
}

/* Returns an orbit as a point in doubles, and the orbit of such a point. */
INLINE struct perturbed_point point_of(const struct kernel *k, uint32_t id) {
    const struct orbit *o = &k->orbit[id];
    struct perturbed_point p = {.zr = o->z[RE], .zi = o->z[IM], .m = o->m, .n = o->n};
    p.cr = part_of_own_c(k, id, RE);
    p.ci = part_of_own_c(k, id, IM);
    p.log2 = o->log2;
    return p;
}

INLINE struct orbit orbit_of(const struct perturbed_point *p) {
    return (struct orbit){.z[RE] = p->zr, .z[IM] = p->zi, .m = p->m, .n = p->n, .log2 = p->log2};
}

static inline void kernel_take_memory(struct kernel *k) {
    struct memory *memory = (struct memory *)k->p->scratch->bytes;
    struct list *const lists[] = {&k->extended, &k->around, &k->tail, &k->escaped, &k->again};
    k->orbit = memory->orbit;
    k->payload = memory->payload;
    k->cycle = memory->cycle;
    for (int i = 0; i < 5; i++)
        *lists[i] = (struct list){.id = memory->list[i]};
}

/* Gives a lane an orbit. */
INLINE void load_lane(const struct kernel *k, struct group *g, int lane, uint32_t id) {
    const struct orbit *o = &k->orbit[id];
    for (int i = 0; i < PARTS; i++) {
        g->z.part[i][lane] = o->z[i];
        g->c.part[i][lane] = part_of_own_c(k, id, i);
    }
    payload_take(&k->payload[id], &g->payload, lane);
    g->m[lane] = o->m == PERTURBED_TAIL ? 0 : o->m;
    g->n[lane] = o->n;
    g->most[lane] = TRACE ? k->planes->count[id] : k->p->limit;
    g->id[lane] = id;
    g->alive |= 1u << lane;
}

/* Gives idle lanes the next orbits of a list. */
static void load_idle(const struct kernel *k, const struct list *list, size_t *next,
                      struct group *g) {
    for (unsigned idle = ALL_LANES & ~g->alive; idle && *next < list->size; idle &= idle - 1)
        load_lane(k, g, __builtin_ctz(idle), list->id[(*next)++]);
}

INLINE void leave(struct group *g, int lane) {
    g->alive &= ~(1u << lane);
    for (int i = 0; i < PARTS; i++)
        g->z.part[i][lane] = 0;
    g->m[lane] = 0;
}

/* Stores a lane's orbit with that z. */
INLINE void keep_orbit(const struct kernel *k, const struct group *g, int lane,
                       const struct pair_lanes *z) {
    struct orbit *o = &k->orbit[g->id[lane]];
    *o = (struct orbit){.m = g->m[lane], .n = g->n[lane]};
    for (int i = 0; i < PARTS; i++)
        o->z[i] = z->part[i][lane];
    payload_keep(&g->payload, lane, &k->payload[g->id[lane]]);
}

/* Stores a lane's orbit for a stage. */
static inline void send_lane(const struct kernel *k, struct group *g, int lane,
                             const struct pair_lanes *z, struct list *stage) {
    keep_orbit(k, g, lane, z);
    add(stage, g->id[lane]);
    leave(g, lane);
}

/* Ends an orbit at the limit, from where it may go on. */
INLINE void end_at_limit(const struct kernel *k, uint32_t id, uint32_t m) {
    struct tile_samples *samples = k->samples;
#if SCREEN
    samples->screen[id] = (uint8_t)screen_judge_open(&k->payload[id].screen);
#endif
    if (!samples || !samples->undecided)
        return;
    const size_t to = samples->undecided_size++;
    samples->undecided[to] = (uint16_t)id;
    ((struct orbit *)samples->states)[to] = k->orbit[id];
    ((struct orbit *)samples->states)[to].m = m;
}

/* Returns true if a lane's orbit never escapes: it is at z again before step number `turn`, or its
 * point lies inside a minibrot (perturbed_returns). */
INLINE bool returns(const struct kernel *k, uint32_t id, uint32_t turn, const struct pair_lanes *z,
                    int lane) {
    struct cycle *c = &k->cycle[id];
    if (!(k->p->shortcuts & SHORTCUTS_CYCLE))
        return false;
    bool same = c->events > 0;
    for (int i = 0; i < PARTS; i++)
        same = same && c->z[i] == z->part[i][lane];
    if (same && c->turn == turn)
        return true;
    if (++c->events < c->next)
        return false;
    c->next *= 2;
    c->turn = turn;
    for (int i = 0; i < PARTS; i++)
        c->z[i] = z->part[i][lane];
    const double *cr = k->p->cr, *ci = k->p->ci;
    return !FOLDED && !SLOPE && !TRACE &&
           minibrot_decides(&k->t->minibrot, c->events, cr[id], ci[id]);
}

INLINE struct flight flight_load(const struct group *g) {
    return (struct flight){pair_load(&g->z), payload_load(&g->payload)};
}

INLINE void flight_store(struct group *g, const struct flight *f) {
    pair_store(&g->z, f->z);
    payload_store(&g->payload, &f->payload);
}

#endif
