/* The kernels of maps (render/formula/map.h): a thread takes one pixel a number of steps further, in blocks
 * whose every step is tested. One that something ends in is done again step by step, so that nothing of the
 * step before has to be kept. */
#include "cuda/escape/iterate.cuh"
#include "cuda/escape/orbit_steps.cuh"

/* 2^k */
INLINE double real_power2(double k) {
    return bits_double(double_bits(k + (0x1.8p52 + 1023)) << 52);
}

INLINE float real_power2(float k) {
    return bits_float(float_bits(k + (0x1.8p23f + 127)) << 23);
}

#define real_from(x) ((real)(x))
#define REAL_WHOLE   (sizeof(real) == sizeof(float) ? 0x1.8p23 : 0x1.8p52)
#include "render/formula/map_end.h"

#define MAP_BLOCK      8u
#define MAP_FIRST_SPAN 128u /* steps in which a cycle is looked for first; then twice as many */

/* Of an orbit that may go on; of the size that frame_req_state_size says. */
template <typename real> struct alignas(2 * sizeof(real)) state { real zr, zi, yr, yi; };
static_assert(sizeof(struct state<double>) <= FRAME_STATE_MAX, "a state has room");

/* A block of steps; true: nothing ended in it. Else p is where it was. */
template <int formula, typename real>
INLINE bool map_block(const int power, const real escape, struct map_point<real> *p) {
    const struct map_point<real> start = *p;
    bool ended = false;
#pragma unroll 1
    for (uint32_t k = 0; k < MAP_BLOCK; k++) {
        map_step(formula, power, p);
        ended |= map_ended(formula, p, escape);
    }
    if (ended)
        *p = start;
    return !ended;
}

template <int formula, typename real>
INLINE bool map_back(const struct map_point<real> *p, const struct map_point<real> *then) {
    return orbit_same(p->zr, then->zr) && orbit_same(p->zi, then->zi) &&
           (map_second(formula) == SECOND_NONE ||
            (orbit_same(p->yr, then->yr) && orbit_same(p->yi, then->yi)));
}

/* Takes an orbit that has not ended at most `steps` further; *done says how many, *before where it was one
 * step ago if it has ended. */
template <int formula, typename real>
INLINE enum orbit_end map_advance(const int power, const real escape, bool cycle, uint32_t steps,
                                  struct map_point<real> *p, struct map_point<real> *before,
                                  uint32_t *done) {
    struct map_point<real> then = *p;
    uint32_t span = MAP_FIRST_SPAN, until = span;
    bool going = true;
#pragma unroll 1
    while (going && *done + MAP_BLOCK <= steps) {
        going = map_block<formula>(power, escape, p);
        *done += going ? MAP_BLOCK : 0;
        if (cycle && going && map_back<formula>(p, &then))
            return ORBIT_BOUNDED;
        if (*done >= until) {
            then = *p;
            span *= 2;
            until = *done + span;
        }
    }
    bool ended = false;
#pragma unroll 1
    while (!ended && *done < steps) {
        *before = *p;
        map_step(formula, power, p);
        ++*done;
        ended = map_ended(formula, p, escape);
    }
    return ended ? ORBIT_ESCAPED : ORBIT_GOES_ON;
}

template <typename real> struct mapped {
    struct orbit {
        struct map_point<real> p; /* with the point for c */
    };
    static constexpr int blocks = 0;

    static __device__ __forceinline__ bool load(const struct iterate_args *a, uint32_t pixel,
                                                bool fresh, uint32_t *before, orbit *o) {
        if (fresh)
            return true;
        if (!goes_on(a, a->planes.count[pixel], before))
            return false;
        if (*before > 0) {
            const auto at = ((const struct state<real> *)a->states.memory)[pixel - a->states.first];
            o->p.zr = at.zr;
            o->p.zi = at.zi;
            o->p.yr = at.yr;
            o->p.yi = at.yi;
        }
        return true;
    }

    static __device__ __forceinline__ void place(const struct iterate_args *a, uint32_t x,
                                                 uint32_t y, uint32_t, orbit *o) {
        orbit_place(a->coords, a->aligned, a->width, x, y, &o->p.cr, &o->p.ci);
    }

    template <int formula>
    static __device__ __forceinline__ bool run(const struct iterate_args *a, uint32_t pixel,
                                               uint32_t before, orbit *o, struct work *work) {
        const uint32_t left = a->limit - before;
        const int power = a->recipe.power[0];
        const real escape = (real)a->recipe.escape;
        const bool cycle = a->shortcuts & SHORTCUTS_CYCLE;
        struct map_point<real> p = map_begin(formula, a->recipe.julia != 0, o->p.cr, o->p.ci,
                                             orbit_parameter(a->recipe.parameter_re, real{}),
                                             orbit_parameter(a->recipe.parameter_im, real{}));
        if (before > 0) {
            p.zr = o->p.zr;
            p.zi = o->p.zi;
            p.yr = o->p.yr;
            p.yi = o->p.yi;
        }
        struct map_point<real> last = p;
        uint32_t steps = 0;
        enum orbit_end end = ORBIT_ESCAPED;
        if (before > 0 || norm2(true, p.zr, p.zi) < escape)
            end = map_advance<formula>(power, escape, cycle, a->steps < left ? a->steps : left, &p,
                                       &last, &steps);
        uint32_t count = before + steps;
        float fraction = 0.0f, square = 0.0f;
        if (end == ORBIT_ESCAPED) {
            fraction = map_fraction(formula, power, escape, &last, &p, &square);
            if (a->planes.angle)
                a->planes.angle[pixel] = slope_angle_any(p.zr, p.zi);
        } else if (end == ORBIT_BOUNDED) {
            work->skipped += left - steps;
            count = SAMPLE_NEVER;
        } else {
            count |= SAMPLE_INTERIOR;
            ((struct state<real> *)a->states.memory)[pixel - a->states.first] = {p.zr, p.zi, p.yr,
                                                                                 p.yi};
        }
        const bool finished = end != ORBIT_GOES_ON || steps == left;
        work->steps += steps;
        work->done += finished;
        return put_sample(a, pixel, count, fraction, square, finished);
    }

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t pixel,
                                                   uint32_t before, orbit *o, struct work *work) {
        switch (a->recipe.kind) {
#define MAP_CASE(name, ...)                                                                        \
    case FORMULA_##name:                                                                           \
        return run<FORMULA_##name>(a, pixel, before, o, work);
            FORMULA_MAP_LIST(MAP_CASE)
#undef MAP_CASE
        default:
            __builtin_unreachable();
        }
    }
};

iterate_kernel *map_kernel(enum number_type type, bool list) {
    return type == TYPE_FLOAT ? choose_kernel<mapped<float>>(list)
                              : choose_kernel<mapped<double>>(list);
}
