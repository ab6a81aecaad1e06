/* Escape-time kernel of powers (scalar). The first steps of each orbit are made at once.
 * Orbits that go on then fly: a few advance in lockstep, so that the processor overlaps their
 * steps. */
#include "cpu/scalar/scalar.h"

#define FLIGHT_BLOCK 16u
#define STOP_POINTS  256u /* points between two reads of `stop` while orbits begin */
typedef struct orbit flyer;
#include "cpu/scalar/flight.h"

INLINE void put_result(struct kernel *k, const int formula, uint32_t id, enum orbit_end end,
                       struct orbit *o, uint32_t count) {
    struct orbit_state *state;
    float norm2, fraction;
    if (end == ORBIT_ESCAPED) {
        fraction = orbit_fraction(k->p->recipe, formula, o, &norm2);
        samples_escape(k->samples, id, count, fraction, norm2);
    } else if (end == ORBIT_GOES_ON && (state = samples_open(k->samples, id, sizeof *state))) {
        *state = (struct orbit_state){o->zr, o->zi};
    }
}

INLINE enum orbit_end advance_orbit(const struct kernel *k, const int formula, struct orbit *o,
                                    uint32_t before, uint32_t steps, uint32_t *made) {
    return orbit_advance(k->p->recipe, formula, k->cycle, o, before, steps,
                         k->p->shortcuts & SHORTCUTS_CARDIOID, made);
}

/* The steps of all formulas are much code, which therefore stands once. */
NOT_INLINED void put_folded(struct kernel *k, uint32_t id, enum orbit_end end, struct orbit *o,
                            uint32_t count) {
    put_result(k, FORMULA_folded, id, end, o, count);
}

NOT_INLINED enum orbit_end advance_folded(const struct kernel *k, struct orbit *o, uint32_t before,
                                          uint32_t steps, uint32_t *made) {
    return advance_orbit(k, FORMULA_folded, o, before, steps, made);
}

/* Continues an orbit by at most `steps` steps and adds their number to *done. */
INLINE enum orbit_end advance(struct kernel *k, const int formula, struct orbit *o, uint32_t steps,
                              uint32_t *done) {
    uint32_t made;
    const enum orbit_end end = formula == FORMULA_folded
                                   ? advance_folded(k, o, *done, steps, &made)
                                   : advance_orbit(k, formula, o, *done, steps, &made);
    *done += made;
    k->executed += made;
    return end;
}

/* Stores the result of an orbit, unless it is proved interior. */
INLINE void put(struct kernel *k, const int formula, uint32_t id, enum orbit_end end,
                struct orbit *o, uint32_t count) {
    if (formula == FORMULA_folded)
        put_folded(k, id, end, o, count);
    else
        put_result(k, formula, id, end, o, count);
}

/* Iterates an orbit from step `done` to its end and stores the result. Returns false if stopped. */
INLINE bool finish(struct kernel *k, const int formula, uint32_t id, struct orbit *o,
                   uint32_t done) {
    enum orbit_end end = ORBIT_GOES_ON;
    do {
        const uint32_t left = k->p->limit - done;
        if (stopped(k->p))
            return false;
        end = advance(k, formula, o, left < STOP_STEPS ? left : STOP_STEPS, &done);
    } while (end == ORBIT_GOES_ON && done < k->p->limit);
    put(k, formula, id, end, o, done);
    return true;
}

/* Makes the first steps of a point's orbit. Returns false if stopped. */
INLINE bool begin(struct kernel *k, const int formula, uint32_t id) {
    const struct tile_points *p = k->p;
    struct orbit o;
    uint32_t done = p->done;
    point_begin(p, id, &o);
    if (formula == FORMULA_mandelbrot && p->shortcuts & SHORTCUTS_CARDIOID && !p->recipe->julia &&
        interior_surely(number_high(o.cr), number_high(o.ci), NUMBER_MARGIN))
        return true;
    if (p->states) {
        o.zr = ((const struct orbit_state *)p->states)[id].zr;
        o.zi = ((const struct orbit_state *)p->states)[id].zi;
    }
    if (p->limit - done < ORBIT_YOUNG + FLIGHT_BLOCK ||
        !(number_norm2(o.cr, o.ci) < (real)p->recipe->safe))
        return finish(k, formula, id, &o, done);
    const enum orbit_end end =
        p->states ? ORBIT_GOES_ON : advance(k, formula, &o, ORBIT_YOUNG, &done);
    if (end == ORBIT_GOES_ON)
        k->waiting[k->size++] = (struct waiting){o, id, done};
    else
        put(k, formula, id, end, &o, done);
    return true;
}

/* --- in flight --- */

#define EACH_SEAT UNROLLED for (uint32_t v = 0; v < FLIGHT; v++)

/* Makes a block of steps of a power. */
INLINE void fly_power(flyer o[FLIGHT], const int power, const unsigned folds) {
    value zr[FLIGHT], zi[FLIGHT], cr[FLIGHT], ci[FLIGHT]; /* in registers */
    EACH_SEAT {
        zr[v] = o[v].zr;
        zi[v] = o[v].zi;
        cr[v] = o[v].cr;
        ci[v] = o[v].ci;
    }
    ROLLED
    for (uint32_t i = 0; i < FLIGHT_BLOCK; i++)
        EACH_SEAT {
            if (power == 2)
                number_square(folds, &zr[v], &zi[v], cr[v], ci[v]);
            else
                number_power(power, folds, &zr[v], &zi[v], cr[v], ci[v]);
        }
    EACH_SEAT {
        o[v].zr = zr[v];
        o[v].zi = zi[v];
    }
}

/* Makes a block of steps of a recipe that is looked up. */
NOT_INLINED void fly_recipe(const struct recipe *recipe, flyer o[FLIGHT],
                            const struct seat seat[FLIGHT]) {
    const int power = recipe->length == 1 ? recipe->power[0] : 0;
    switch (power) {
#define FLY_CASE(power)                                                                            \
    case power:                                                                                    \
        fly_power(o, power, recipe->folds[0]);                                                     \
        return;
        RECIPE_POWERS(FLY_CASE)
#undef FLY_CASE
    }
    for (uint32_t v = 0; v < FLIGHT; v++) {
        const struct orbit_point z =
            orbit_power_steps(recipe, seat[v].done % recipe->length, FLIGHT_BLOCK, o[v].zr, o[v].zi,
                              o[v].cr, o[v].ci);
        o[v].zr = z.r;
        o[v].zi = z.i;
    }
}

INLINE void fly_block(const struct kernel *k, const int formula, flyer o[FLIGHT],
                      const struct seat seat[FLIGHT], bool ends[FLIGHT]) {
    const struct recipe *recipe = k->p->recipe;
    const uint32_t kind = formula == FORMULA_folded ? recipe->kind : (uint32_t)formula;
    switch (kind) {
#define FLY_CASE(name, text, folds, interior)                                                      \
    case FORMULA_##name:                                                                           \
        fly_power(o, 2, folds);                                                                    \
        break;
        FORMULA_LIST(FLY_CASE)
#undef FLY_CASE
    default:
        fly_recipe(recipe, o, seat);
    }
    EACH_SEAT ends[v] = !orbit_inside(recipe, &o[v]);
}

INLINE bool fly_same(const struct kernel *k, const int formula, const flyer *o, const flyer *then,
                     uint32_t since) {
    const uint32_t length = formula == FORMULA_folded ? k->p->recipe->length : 1;
    return number_word(o->zr) == number_word(then->zr) && number_same(o->zr, then->zr) &&
           number_same(o->zi, then->zi) && (length == 1 || since % length == 0);
}

INLINE bool fly_land(struct kernel *k, const int formula, uint32_t id, flyer *o, uint32_t done,
                     bool ends) {
    uint32_t steps = 0;
    if (!ends)
        return finish(k, formula, id, o, done);
    o->number = formula == FORMULA_folded ? done % k->p->recipe->length : 0;
    orbit_run_singly(k->p->recipe, formula, o, FLIGHT_BLOCK, &steps);
    k->executed += steps;
    put(k, formula, id, ORBIT_ESCAPED, o, done + steps);
    return true;
}

/* --- the list --- */

INLINE bool run(struct kernel *k, const int formula) {
    for (uint32_t id = 0; id < k->p->size; id++)
        if ((id % STOP_POINTS == 0 && stopped(k->p)) || !begin(k, formula, id))
            return false;
    return fly(k, formula);
}

bool NAME(tile)(const struct tile_points *p, struct tile_samples *samples) {
    struct kernel k = kernel_of(p, samples);
    tile_samples_begin(p, samples);
    const bool ran = p->recipe->kind == FORMULA_mandelbrot ? run(&k, FORMULA_mandelbrot)
                                                           : run(&k, FORMULA_folded);
    tile_samples_skip(p, samples, k.executed);
    return ran;
}
