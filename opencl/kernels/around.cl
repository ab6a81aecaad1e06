/* A pixel of a perturbed picture: as a direct one, with rounds in place of steps, as in cuda/deep/perturbed.cu. The build
 * says FOLDED, and SCREENED: 0; 1 for the first of two orbits in doubles, 2 for the one beside it. */

#define BESIDE (SCREENED == 2)

/* Of an orbit that may go on; as many bytes as frame_req_state_size says. */
struct around_state {
    double zr, zi;
    uint m, n;
    int log2;
    uint spare;
};
struct wide_state {
    double zr_hi, zr_lo, zi_hi, zi_lo;
    uint m, n;
};
/* Of a point that is screened, until it is doubtful; m, which tells one from the other, lies where it does there. */
struct screened_state {
    double zr, zi;
    uint m, n;
    int log2;
    uint count; /* of the point itself, once that is known */
    uint not_wide, spare;
};

#if defined NUMBER_WIDE && !SCREENED
#define around_point wide_point
#define around_cycle wide_cycle
#define around_kept  wide_state

INLINE void around_get(struct wide_point *o, const GLOBAL struct wide_state *at) {
    o->zr = wide_of(at->zr_hi, at->zr_lo);
    o->zi = wide_of(at->zi_hi, at->zi_lo);
    o->m = at->m;
    o->n = at->n;
}

INLINE void around_keep(GLOBAL struct wide_state *at, const struct wide_point *o) {
    at->zr_hi = o->zr.hi;
    at->zr_lo = o->zr.lo;
    at->zi_hi = o->zi.hi;
    at->zi_lo = o->zi.lo;
    at->m = o->m;
    at->n = o->n;
}

#define around_begin wide_begin
#define around_run   wide_run

INLINE float around_fraction(const struct perturbed_tables *t, const struct recipe *recipe,
                             struct wide_point *o, float *left) {
    struct wide cr, ci;
    double n2 = norm2(true, o->zr.hi, o->zi.hi);
    int steps = 0;
    wide_place_of(t, o, &cr, &ci);
    for (; n2 < (double)SMOOTH_NORM2 && steps < SMOOTH_STEPS; steps++) {
        wide_step_square(FOLD_NONE, &o->zr, &o->zi, cr, ci);
        n2 = norm2(true, o->zr.hi, o->zi.hi);
    }
    *left = (float)n2;
    return sample_fraction((float)n2, steps, 1.0f);
}
#else
#define around_point perturbed_point
#define around_cycle perturbed_cycle
#define around_kept  around_state

INLINE void around_get(struct perturbed_point *o, const GLOBAL struct around_state *at) {
    o->zr = at->zr;
    o->zi = at->zi;
    o->m = at->m;
    o->n = at->n;
    o->log2 = at->log2;
}

INLINE void around_keep(GLOBAL struct around_state *at, const struct perturbed_point *o) {
    at->zr = o->zr;
    at->zi = o->zi;
    at->m = o->m;
    at->n = o->n;
    at->log2 = o->log2;
}

#define around_begin perturbed_begin

INLINE enum perturbed_end around_run(const struct perturbed_tables *t, struct perturbed_point *o,
                                     uint until, bool cycles, struct perturbed_cycle *cycle,
                                     uint *steps) {
    return perturbed_run(t, FOLDED, o, until, cycles, cycle, steps);
}

INLINE float around_fraction(const struct perturbed_tables *t, const struct recipe *recipe,
                             struct perturbed_point *o, float *left) {
    double cr, ci, n2 = norm2(true, o->zr, o->zi);
    uint steps = 0;
    perturbed_place_of(t, o, &cr, &ci);
    for (; n2 < (double)SMOOTH_NORM2 && steps < SMOOTH_STEPS; steps++) {
        perturbed_direct_step(t, FOLDED, perturbed_turn(t, FOLDED, o->n + steps), &o->zr, &o->zi,
                              cr, ci);
        n2 = norm2(true, o->zr, o->zi);
    }
    *left = (float)n2;
    return sample_fraction((float)n2, (int)steps,
                           FOLDED ? recipe_scale(recipe, o->n + steps) : 1.0f);
}
#endif

#if SCREENED
INLINE bool screened_keep(const struct places *at, uint pixel, const struct perturbed_point *o,
                          uint count, GLOBAL struct screened_state *state) {
    state->zr = o->zr;
    state->zi = o->zi;
    state->m = o->m;
    state->n = o->n;
    state->log2 = o->log2;
    state->count = count;
    state->not_wide = SCREEN_NOT_WIDE;
    at->count[pixel] = SAMPLE_MISSING; /* there is no sample yet */
    return false;
}

/* What is known of a pixel after the orbit beside it, of which `count` and `fraction` are. */
INLINE bool screened_judge(const struct opencl_iterate *a, const struct places *at, uint pixel,
                           const struct perturbed_point *o, uint own, uint count, float fraction,
                           GLOBAL struct screened_state *state, struct work *work) {
    const float own_fraction = at->fraction[pixel];
    const enum screen screen = screen_of(own, own_fraction, count, fraction);
    if (screen == SCREEN_OPEN) { /* all over again, should the limit be raised */
        own = a->limit | SAMPLE_INTERIOR;
        screened_keep(at, pixel, o, own, state);
    }
    at->count[pixel] = screen == SCREEN_DOUBTFUL ? SAMPLE_MISSING : own;
    if (screen != SCREEN_DOUBTFUL && at->rgba)
        at->rgba[pixel] = shade(&a->shades, at->table, own, own_fraction);
    work->done += screen != SCREEN_DOUBTFUL;
    return false;
}

/* One of the two orbits in doubles. What the first one found waits in the planes, but for the count, which waits in the
 * state. A list's pixels go on, others begin. */
INLINE bool advance(const struct opencl_iterate *a, const struct places *at, uint x, uint y,
                    bool fresh, uint before, struct work *work) {
    const struct perturbed_tables *t = at->tables;
    const uint pixel = y * a->width + x;
    GLOBAL struct screened_state *state =
        (GLOBAL struct screened_state *)at->states + (pixel - a->first);
    struct perturbed_point o = {0.0, 0.0, 0.0, 0.0, 0, 0, 0};
    struct wide cr, ci;
    uint own = 0;
    if (!fresh && (before > 0 || BESIDE || a->listed)) {
        own = state->count;
        if (before > 0 && state->not_wide != SCREEN_NOT_WIDE)
            return false;
        if (a->listed) {
            o.zr = state->zr;
            o.zi = state->zi;
            o.m = state->m;
            o.n = state->n;
            o.log2 = state->log2;
        }
    }
    number_place(at->coords, a->aligned, a->width, x, y, &cr, &ci);
    o.cr = BESIDE ? cr.hi * SCREEN_BESIDE : cr.hi;
    o.ci = BESIDE ? ci.hi * SCREEN_BESIDE : ci.hi;
    if (!a->listed)
        perturbed_begin(t, &o);
    const uint begun = o.n;
    uint executed = LISTS ? a->steps : ~0u;
    struct perturbed_cycle events = {0.0, 0.0, 0, PERTURBED_CYCLE_FIRST, 0};
    const enum perturbed_end end = around_run(t, &o, a->limit, CYCLE, &events, &executed);
    const uint steps = (o.n < a->limit ? o.n : a->limit) - begun;
    work->steps += executed;
    work->skipped += !BESIDE && steps > executed ? steps - executed : 0;
    if (end == PERTURBED_GOES_ON && o.n < a->limit) {
        screened_keep(at, pixel, &o, own, state);
        return true;
    }
    float fraction = 0.0f, norm2 = 0.0f;
    uint count = end == PERTURBED_RETURNS ? SAMPLE_NEVER : a->limit | SAMPLE_INTERIOR;
    if (end == PERTURBED_ESCAPED && o.n <= a->limit) {
        count = o.n;
        fraction = around_fraction(t, &a->recipe, &o, &norm2);
    }
    if (BESIDE)
        return screened_judge(a, at, pixel, &o, own, count, fraction, state, work);
    put_sample(a, at, pixel, count, fraction, norm2, false);
    return screened_keep(at, pixel, &o, count, state);
}
#else
INLINE bool advance(const struct opencl_iterate *a, const struct places *at, uint x, uint y,
                    bool fresh, uint before, struct work *work) {
    const struct perturbed_tables *t = at->tables;
    const uint pixel = y * a->width + x;
    GLOBAL struct around_kept *state = (GLOBAL struct around_kept *)at->states + (pixel - a->first);
    struct around_point o = {.m = 0, .n = 0};
    struct around_cycle events = {.events = 0, .next = PERTURBED_CYCLE_FIRST};
    number_place(at->coords, a->aligned, a->width, x, y, &o.cr, &o.ci);
    if (before > 0)
        around_get(&o, state);
    else
        around_begin(t, &o);
    uint executed = LISTS ? a->steps : ~0u;
    const enum perturbed_end end = around_run(t, &o, a->limit, CYCLE, &events, &executed);
    float fraction = 0.0f, norm2 = 0.0f;
    uint count = o.n;
    bool final = true;
    if (end == PERTURBED_ESCAPED && count <= a->limit) {
        fraction = around_fraction(t, &a->recipe, &o, &norm2);
    } else if (end == PERTURBED_RETURNS) {
        o.n = a->limit;
        count = SAMPLE_NEVER;
    } else {
        if (end == PERTURBED_ESCAPED) { /* over the limit */
            o.m = PERTURBED_TAIL;
            count = a->limit;
        }
        count = count < SAMPLE_COUNT_MASK ? count : SAMPLE_COUNT_MASK - 1;
        final = count >= a->limit;
        count |= SAMPLE_INTERIOR;
        around_keep(state, &o);
    }
    const uint steps = (o.n < a->limit ? o.n : a->limit) - before;
    work->steps += executed;
    work->skipped += steps > executed ? steps - executed : 0;
    work->done += final;
    return put_sample(a, at, pixel, count, fraction, norm2, final);
}
#endif
