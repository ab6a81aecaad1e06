/* Perturbation kernel (SIMD): orbits around their reference, a vector of neighbours in lockstep.
 *
 * While all lanes are at the same index and take the same segments, index and segments are
 * broadcast; otherwise each lane looks up its own. Each lane decides for itself, so results do not
 * depend on which points share a vector. */
#include "cpu/deep/kernel.h"

/* Returns the lanes that escape, rebase or leave the reference. */
INLINE unsigned parting_lanes(const struct perturbed_tables *t, struct pair w, struct pair z) {
    const real most_w = pair_most(w), most_z = pair_most(z);
    const lanes escaped = pair_escapes(w, real_set(LEAVE_NORM2(t)));
    const lanes far = lanes_not_less(most_w, real_set(t->tail_from));
    const lanes wide = lanes_not_less(most_z, real_set(PERTURBED_TAIL_SHARE) * most_w);
    return lanes_bits(
        lanes_or(escaped, lanes_or(lanes_less(most_w, most_z), lanes_and(far, wide))));
}

/* Returns the lanes that have made all steps or rounds that they may make here. */
INLINE unsigned lanes_done(const struct group *g) {
    unsigned done = payload_spent(&g->payload);
    EACH_LANE done |= (unsigned)(g->n[l] >= g->most[l]) << l;
    return done & g->alive;
}

INLINE bool same_index(const struct group *g) {
    const uint32_t m = g->m[__builtin_ctz(g->alive)];
    unsigned apart = 0;
    EACH_LANE apart |= (unsigned)(g->m[l] != m) << l;
    return (apart & g->alive) == 0;
}

/* Restarts the estimate of an orbit that has been rebased. */
INLINE void restart(const struct kernel *k, struct group *g, int lane, uint32_t turn) {
#if SCREEN
    const double z[] = {g->z.part[RE][lane], g->z.part[IM][lane]};
    const double c[] = {g->c.part[RE][lane], g->c.part[IM][lane]};
    struct perturbed_screen s = screen_get(&g->payload, lane);
    KERNEL_NAME(restart_)(k->t, turn, z, c, &s);
    screen_put(s, &g->payload, lane);
#else
    (void)k, (void)g, (void)lane, (void)turn;
#endif
}

/* Begins a round of a lane that escapes, rebases, leaves the reference or is done: at W = w. */
static void begin_round(struct kernel *k, struct group *g, int lane, const struct pair_lanes *w,
                        bool escapes) {
    const uint32_t id = g->id[lane];
    const bool done = g->n[lane] >= g->most[lane];
    const double wr = w->part[RE][lane], wi = w->part[IM][lane], most_w = extended_most(wr, wi);
    const double zr = g->z.part[RE][lane], zi = g->z.part[IM][lane];
    double most_z = extended_most(zr, zi);
    if (escapes) {
        payload_turn(&g->payload, lane, zr, zi);
        send_lane(k, g, lane, w, &k->escaped);
        return;
    }
    if (payload_spent(&g->payload) >> lane & 1) {
        leave(g, lane);
        return;
    }
    if (done && !TRACE) {
        payload_turn(&g->payload, lane, zr, zi);
        keep_orbit(k, g, lane, &g->z);
        end_at_limit(k, id, g->m[lane]);
        leave(g, lane);
        return;
    }
    const bool rebases = most_w < most_z || g->m[lane] == k->t->last;
    const uint32_t turn = perturbed_turn(k->t, FOLDED, g->n[lane]);
    if (rebases) {
        payload_land(&g->payload, lane, wr, wi, zr, zi, false);
        for (int i = 0; i < PARTS; i++)
            g->z.part[i][lane] = w->part[i][lane];
        g->m[lane] = perturbed_begin_of(k->t, turn);
        most_z = most_w;
        if (returns(k, id, turn, w, lane)) {
            leave(g, lane);
            return;
        }
    }
    if (done || (most_w >= k->t->tail_from && most_z >= PERTURBED_TAIL_SHARE * most_w)) {
        payload_land(&g->payload, lane, wr, wi, g->z.part[RE][lane], g->z.part[IM][lane], true);
        send_lane(k, g, lane, w, &k->tail);
    } else if (rebases) {
        restart(k, g, lane, turn);
    }
}

/* Returns the lanes where a double lacks range for x, or for z after a round. */
INLINE unsigned lanes_below(const struct perturbed_tables *t, struct pair x, struct pair z) {
    if (t->c_log2 == 0)
        return 0;
    return lanes_bits(lanes_or(lanes_less(pair_most(x), real_set(PERTURBED_X_LEAST)),
                               lanes_less(pair_most(z), real_set(PERTURBED_Z_LEAST))));
}

/* Sends lanes to where their next round is made in extended numbers. */
static void send_below(struct kernel *k, struct group *g, unsigned below) {
    for (; below; below &= below - 1) {
        const int l = __builtin_ctz(below);
        const struct extended at = extended_make(g->z.part[RE][l], g->z.part[IM][l], 0);
        const double scale = at.log2 == EXTENDED_ZERO ? 0.0 : extended_power(-at.log2);
        for (int i = 0; i < PARTS; i++)
            g->z.part[i][l] *= scale;
        send_lane(k, g, l, &g->z, &k->extended);
        k->orbit[g->id[l]].log2 = at.log2;
    }
}

/* Stores a vector after `rounds` rounds. Lanes of `below` go to another stage. */
INLINE void end_rounds(struct kernel *k, struct group *g, const struct flight *f, uint32_t rounds,
                       unsigned below) {
    flight_store(g, f);
    payload_count(&g->payload, rounds);
    k->executed += rounds * (unsigned)__builtin_popcount(g->alive);
    if (below)
        send_below(k, g, below);
}

/* Returns how many steps, and rounds, all living lanes have left. */
INLINE uint32_t steps_left(const struct group *g) {
    uint32_t least = UINT32_MAX;
    EACH_LANE if (g->alive >> l & 1) {
        const uint32_t left = g->n[l] < g->most[l] ? g->most[l] - g->n[l] : 0;
        least = left < least ? left : least;
    }
    return least;
}

INLINE uint32_t rounds_left(const struct group *g) {
    uint32_t least = STOP_ROUNDS;
    if (TRACE)
        EACH_LANE if (g->alive >> l & 1) {
            const uint32_t left = TRACE_ROUNDS_MAX - g->payload.rounds[l];
            least = left < least ? left : least;
        }
    return least;
}

/* Returns z after a round from x. */
INLINE struct pair round_land(struct round *r, struct pair x, struct pair c) {
    if (!source_has_any(&r->source))
        return r->single;
    const struct pair z = source_land(&r->source, x, c, &r->slope);
    return r->source.each ? pair_select(lanes_of(r->source.each->plain), r->single, z) : z;
}

/* Sets what traces need of the end of a round of `length` steps from index m. */
INLINE void find_ends_at(const bool take_turns, uint32_t m, uint32_t turn, uint32_t length,
                         struct pair z, struct round *r) {
    const uint32_t last = perturbed_turn(r->t, take_turns, turn + length - 1);
    r->length = real_set(length);
    r->last = turns_one(r->t, take_turns, last);
    r->next = pair_add(reference_at(r->t, m + 1), r->single);
    r->end = pair_add(reference_at(r->t, m + length), z);
}

/* Makes rounds of lanes at one index until they diverge. Returns the lanes whose next round
 * begin_round begins. */
INLINE unsigned run_together(struct kernel *k, struct group *g, const bool take_turns) {
    const struct perturbed_tables *t = k->t;
    const struct pair c = pair_load(&g->c);
    const struct pair plain = pair_scale(c, real_set(extended_any_power(t->c_log2)));
    const unsigned alive = g->alive;
    const int first = __builtin_ctz(alive);
    const uint32_t most = steps_left(g), rounds_most = rounds_left(g);
    uint32_t m = g->m[first], turn = perturbed_turn(t, take_turns, g->n[first]);
    uint32_t steps = 0, rounds = 0;
    unsigned special = 0, below = 0;
    struct flight f = flight_load(g);
    while (rounds < rounds_most && m != t->last && steps < most) {
        struct round r = {.t = t, .source = {t, k->traces, NONE, NULL}};
        const struct pair Z = reference_at(t, m);
        r.w = pair_add(Z, f.z);
        special = parting_lanes(t, r.w, f.z) & alive;
        if (special)
            break;
        const struct pair x = first_step(t, turn, Z, f.z);
        r.reference = Z;
        r.z = f.z;
        r.x = x;
        const int64_t found = find_together(&r.source, alive, m, x, &f.payload);
        if (found == APART) {
            g->together = false;
            break;
        }
        r.source.found = found;
        r.single = pair_add(x, plain);
        const struct pair z = round_land(&r, x, c);
        below = lanes_below(t, x, z) & alive;
        if (below)
            break;
        const uint32_t length = found == NONE ? 1 : (uint32_t)t->segment[found].length;
        r.turns = turns_one(t, take_turns, turn);
        if (TRACE)
            find_ends_at(take_turns, m, turn, length, z, &r);
        f.z = z;
        payload_round(&r, &f.payload);
        payload_fit(t, alive, &f.payload);
        m += length;
        steps += length;
        rounds++;
        turn = perturbed_turn(t, take_turns, turn + length);
    }
    EACH_LANE g->m[l] = alive >> l & 1 ? m : 0;
    EACH_LANE g->n[l] += steps;
    end_rounds(k, g, &f, rounds, below);
    return m == t->last ? g->alive : (special & g->alive) | lanes_done(g);
}

/* Finds the segments of lanes at x. */
INLINE void find_apart(const struct group *g, const struct source *from, struct pair x,
                       const struct payload *p, struct lane_segments *s) {
    int64_t found[LANES];
    find_each(from, g->alive, g->m, x, p, found);
    s->plain = s->crossing = 0;
    EACH_LANE s->plain |= (unsigned)(found[l] == NONE) << l;
    EACH_LANE s->length[l] = g->alive >> l & 1;
    if (s->plain == ALL_LANES)
        return;
    EACH_LANE s->at[l] = found[l] == NONE ? 0 : (uint32_t)found[l];
    EACH_LANE if (found[l] != NONE) {
        const struct segment *of = &from->t->segment[found[l]];
        s->length[l] = (uint32_t)of->length;
        s->crossing |= (unsigned)perturbed_crosses(from->t, of) << l;
    }
}

/* Sets what traces need of the end of a round, with lanes at their indices after it. */
INLINE void find_ends(const struct group *g, const struct lane_segments *s, const bool take_turns,
                      struct pair z, struct round *r) {
    _Alignas(64) double length[LANES];
    uint32_t last[LANES];
    EACH_LANE length[l] = s->length[l];
    EACH_LANE last[l] = g->n[l] - 1;
    r->length = real_load(length);
    r->last = turns_of(r->t, take_turns, g->alive, last);
    r->end = pair_add(reference_each(r->t, g->m), z);
}

/* Returns lanes whose next round begin_round begins. */
INLINE unsigned special_lanes(const struct kernel *k, const struct group *g, struct pair w,
                              struct pair z) {
    unsigned special = parting_lanes(k->t, w, z) | lanes_done(g);
    EACH_LANE special |= (unsigned)(g->m[l] == k->t->last) << l;
    return special & g->alive;
}

/* Makes rounds of lanes at different indices until all are at one index. Returns the lanes whose
 * next round begin_round begins. */
INLINE unsigned run_apart(struct kernel *k, struct group *g, const bool take_turns) {
    const struct perturbed_tables *t = k->t;
    const struct pair c = pair_load(&g->c);
    const struct pair plain = pair_scale(c, real_set(extended_any_power(t->c_log2)));
    const uint32_t rounds_most = rounds_left(g);
    struct flight f = flight_load(g);
    struct lane_segments s;
    unsigned special = 0, below = 0;
    uint32_t rounds = 0;
    while (rounds < rounds_most && !g->together) {
        struct round r = {.t = t, .source = {t, k->traces, NONE, &s}};
        const struct pair Z = reference_each(t, g->m);
        r.w = pair_add(Z, f.z);
        special = special_lanes(k, g, r.w, f.z);
        if (special)
            break;
        r.turns = turns_of(t, take_turns, g->alive, g->n);
        const struct pair x = first_steps(t, &r.turns, 0, Z, f.z);
        r.reference = Z;
        r.z = f.z;
        r.x = x;
        r.single = pair_add(x, plain);
        if (TRACE)
            r.next = pair_add(reference_next(t, g->m), r.single);
        find_apart(g, &r.source, x, &f.payload, &s);
        const struct pair z = round_land(&r, x, c);
        below = lanes_below(t, x, z) & g->alive;
        if (below)
            break;
        EACH_LANE g->m[l] += s.length[l];
        EACH_LANE g->n[l] += s.length[l];
        if (TRACE)
            find_ends(g, &s, take_turns, z, &r);
        f.z = z;
        payload_round(&r, &f.payload);
        payload_fit(t, g->alive, &f.payload);
        rounds++;
        g->together = same_index(g);
    }
    end_rounds(k, g, &f, rounds, below);
    return (special & g->alive) | lanes_done(g);
}

static unsigned run_rounds(struct kernel *k, struct group *g) {
    if (takes_turns(k->t))
        return g->together ? run_together(k, g, true) : run_apart(k, g, true);
    return g->together ? run_together(k, g, false) : run_apart(k, g, false);
}

/* If only some lanes have rebased, stores the rebased lanes for later groups, which begin together.
 * Returns true if all remaining lanes are at the same index. */
static bool set_aside(struct kernel *k, struct group *g) {
    unsigned begins = 0;
    EACH_LANE {
        const uint32_t turn = perturbed_turn(k->t, FOLDED, g->n[l]);
        begins |= (unsigned)(g->m[l] == perturbed_begin_of(k->t, turn)) << l;
    }
    begins &= g->alive;
    if (begins != g->alive)
        for (; begins; begins &= begins - 1)
            send_lane(k, g, __builtin_ctz(begins), &g->z, &k->again);
    return same_index(g);
}

bool KERNEL_NAME(around_)(struct kernel *k) {
    struct group g = {.alive = 0};
    for (size_t next = 0; g.alive || next < k->around.size;) {
        if (!g.alive) {
            g = (struct group){.alive = 0};
            load_idle(k, &k->around, &next, &g);
            g.together = same_index(&g);
        }
        if (atomic_load_explicit(k->p->stop, memory_order_relaxed))
            return false;
        unsigned special = run_rounds(k, &g);
        if (!special)
            continue;
        struct pair_lanes w;
        const struct pair at = pair_add(reference_each(k->t, g.m), pair_load(&g.z));
        const unsigned escaped = lanes_bits(pair_escapes(at, real_set(LEAVE_NORM2(k->t))));
        pair_store(&w, at);
        for (; special; special &= special - 1) {
            const int l = __builtin_ctz(special);
            begin_round(k, &g, l, &w, escaped >> l & 1);
        }
        if (g.alive)
            g.together = same_index(&g) || set_aside(k, &g);
    }
    return true;
}
