/* Escape-time kernel of maps (scalar). */
#include "cpu/escape/denormals.h"
#include "cpu/scalar/scalar.h"
#include "gpu/kernels/map_orbit.h"

#define FLIGHT_BLOCK MAP_BLOCK
typedef struct map_point flyer;
#include "cpu/scalar/flight.h"

/* Stores the result of an orbit that ended after `done` steps. */
INLINE void put(struct kernel *k, const int formula, uint32_t id, const struct map_point *before,
                struct map_point *z, uint32_t done) {
    const struct recipe *recipe = k->p->recipe;
    float square;
    const float fraction =
        map_fraction(formula, recipe->power[0], (real)recipe->escape, before, z, &square);
    samples_escape(k->samples, id, done, fraction, square);
    if (k->samples->planes.angle)
        k->samples->planes.angle[id] = slope_angle_any(z->zr, z->zi);
}

INLINE void fly_block(const struct kernel *k, const int formula, flyer o[FLIGHT],
                      const struct seat seat[FLIGHT], bool ends[FLIGHT]) {
    const int power = k->p->recipe->power[0];
    const real escape = (real)k->p->recipe->escape;
    struct map_point z[FLIGHT]; /* in registers */
    (void)seat;
    UNROLLED
    for (uint32_t v = 0; v < FLIGHT; v++) {
        z[v] = o[v];
        ends[v] = false;
    }
    ROLLED
    for (uint32_t i = 0; i < FLIGHT_BLOCK; i++)
        UNROLLED for (uint32_t v = 0; v < FLIGHT; v++) {
            map_step(formula, power, &z[v]);
            ends[v] |= map_ended(formula, &z[v], escape);
        }
    UNROLLED
    for (uint32_t v = 0; v < FLIGHT; v++)
        o[v] = z[v];
}

INLINE bool fly_same(const struct kernel *k, const int formula, const flyer *o, const flyer *then,
                     uint32_t since) {
    (void)k;
    (void)since;
    return map_has_returned(formula, o, then);
}

/* The last steps, one by one: at most a block. */
INLINE bool fly_land(struct kernel *k, const int formula, uint32_t id, flyer *o, uint32_t done,
                     bool ends) {
    const struct recipe *recipe = k->p->recipe;
    const uint32_t left = k->p->limit - done, until = left < FLIGHT_BLOCK ? left : FLIGHT_BLOCK;
    struct map_point before = *o;
    struct map_state *state;
    uint32_t steps = 0;
    ends =
        map_run_singly(formula, recipe->power[0], (real)recipe->escape, until, o, &before, &steps);
    k->executed += steps;
    if (ends)
        put(k, formula, id, &before, o, done + steps);
    else if ((state = samples_open(k->samples, id, sizeof *state)))
        *state = (struct map_state){o->zr, o->zi, o->yr, o->yi};
    return true;
}

/* Begins the orbit of a point, which waits unless it ends at once. */
INLINE void begin(struct kernel *k, const int formula, uint32_t id) {
    const struct tile_points *p = k->p;
    real parameter_r, parameter_i;
    number_set(&parameter_r, p->recipe->parameter_re);
    number_set(&parameter_i, p->recipe->parameter_im);
    struct map_point z = map_begin(formula, p->recipe->julia != 0, list_value(p->cr, id),
                                   list_value(p->ci, id), parameter_r, parameter_i);
    if (p->states) {
        const struct map_state was = ((const struct map_state *)p->states)[id];
        z.zr = was.zr;
        z.zi = was.zi;
        z.yr = was.yr;
        z.yi = was.yi;
    } else if (!(norm2(z.zr, z.zi) < (real)p->recipe->escape)) {
        const struct map_point before = z;
        put(k, formula, id, &before, &z, 0);
        return;
    }
    if (p->limit - p->done < FLIGHT_BLOCK)
        fly_land(k, formula, id, &z, p->done, false);
    else
        k->waiting[k->size++] = (struct waiting){z, id, p->done};
}

#define MAP_RUN(name, ...)                                                                         \
    static bool run_##name(struct kernel *k) {                                                     \
        for (uint32_t id = 0; id < k->p->size; id++)                                               \
            begin(k, FORMULA_##name, id);                                                          \
        return fly(k, FORMULA_##name);                                                             \
    }
FORMULA_MAP_LIST(MAP_RUN)
#undef MAP_RUN

bool NAME(map)(const struct tile_points *p, struct tile_samples *samples) {
    struct kernel k = kernel_of(p, samples);
    bool ran = false;
    tile_samples_begin(p, samples);
    const unsigned mode = denormals_avoid(p->recipe);
    switch (p->recipe->kind) {
#define MAP_CASE(name, ...)                                                                        \
    case FORMULA_##name:                                                                           \
        ran = run_##name(&k);                                                                      \
        break;
        FORMULA_MAP_LIST(MAP_CASE)
#undef MAP_CASE
    }
    denormals_restore(mode);
    tile_samples_skip(p, samples, k.executed);
    return ran;
}
