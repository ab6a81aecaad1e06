/* Counts of maps: their steps in complex numbers of MPFR, as the formulas are defined. */
#include "render/verify/map_count.h"
#include "render/formula/map.h"

#define LEAST_BITS 128
#define MOST_BITS  4096

struct number {
    mpfr_t re, im;
};

/* An orbit, and scratch. */
struct orbit {
    struct number z, c, before, kept, old, t, u, v, product;
    mpfr_t part, other;
};

#define NUMBERS(o)                                                                                 \
    { &o->z, &o->c, &o->before, &o->kept, &o->old, &o->t, &o->u, &o->v, &o->product }

static void orbit_init(struct orbit *o, long bits) {
    struct number *const all[] = NUMBERS(o);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mpfr_inits2(bits, all[i]->re, all[i]->im, (mpfr_ptr)NULL);
        mpfr_set_zero(all[i]->re, 1);
        mpfr_set_zero(all[i]->im, 1);
    }
    mpfr_inits2(bits, o->part, o->other, (mpfr_ptr)NULL);
}

static void orbit_finish(struct orbit *o) {
    struct number *const all[] = NUMBERS(o);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mpfr_clears(all[i]->re, all[i]->im, (mpfr_ptr)NULL);
    mpfr_clears(o->part, o->other, (mpfr_ptr)NULL);
}

static void set(struct number *a, mpfr_srcptr re, mpfr_srcptr im) {
    mpfr_set(a->re, re, MPFR_RNDN);
    mpfr_set(a->im, im, MPFR_RNDN);
}

static void set_real(struct number *a, double re) {
    mpfr_set_d(a->re, re, MPFR_RNDN);
    mpfr_set_zero(a->im, 1);
}

static void add_real(struct number *a, double re) {
    mpfr_add_d(a->re, a->re, re, MPFR_RNDN);
}

/* to += a * times */
static void add(struct orbit *o, struct number *to, const struct number *a, double times) {
    mpfr_mul_d(o->part, a->re, times, MPFR_RNDN);
    mpfr_add(to->re, to->re, o->part, MPFR_RNDN);
    mpfr_mul_d(o->part, a->im, times, MPFR_RNDN);
    mpfr_add(to->im, to->im, o->part, MPFR_RNDN);
}

/* to *= a; both may be the same. */
static void multiply(struct orbit *o, struct number *to, const struct number *a) {
    mpfr_fmms(o->product.re, to->re, a->re, to->im, a->im, MPFR_RNDN);
    mpfr_fmma(o->product.im, to->re, a->im, to->im, a->re, MPFR_RNDN);
    set(to, o->product.re, o->product.im);
}

/* to /= a */
static void divide(struct orbit *o, struct number *to, struct number *a) {
    mpfr_fmma(o->other, a->re, a->re, a->im, a->im, MPFR_RNDN);
    mpfr_neg(a->im, a->im, MPFR_RNDN);
    multiply(o, to, a);
    mpfr_neg(a->im, a->im, MPFR_RNDN);
    mpfr_div(to->re, to->re, o->other, MPFR_RNDN);
    mpfr_div(to->im, to->im, o->other, MPFR_RNDN);
}

/* Returns |a - b|^2; b may be NULL for 0. */
static double norm2(struct orbit *o, const struct number *a, const struct number *b) {
    mpfr_set(o->part, a->re, MPFR_RNDN);
    mpfr_set(o->other, a->im, MPFR_RNDN);
    if (b) {
        mpfr_sub(o->part, o->part, b->re, MPFR_RNDN);
        mpfr_sub(o->other, o->other, b->im, MPFR_RNDN);
    }
    mpfr_fmma(o->part, o->part, o->part, o->other, o->other, MPFR_RNDN);
    return mpfr_get_d(o->part, MPFR_RNDN);
}

/* to = cos(pi a) */
static void cosine_of_pi(struct orbit *o, struct number *to, const struct number *a) {
    mpfr_const_pi(o->part, MPFR_RNDN);
    mpfr_mul(o->other, a->im, o->part, MPFR_RNDN);
    mpfr_mul(o->part, a->re, o->part, MPFR_RNDN);
    mpfr_sin_cos(to->im, to->re, o->part, MPFR_RNDN);
    mpfr_sinh_cosh(o->part, o->other, o->other, MPFR_RNDN);
    mpfr_mul(to->re, to->re, o->other, MPFR_RNDN);
    mpfr_mul(to->im, to->im, o->part, MPFR_RNDN);
    mpfr_neg(to->im, to->im, MPFR_RNDN);
}

/* --- steps --- */

/* z - (z^n - 1)/(n z^(n - 1)) + c */
static void step_newton(struct orbit *o, uint32_t n) {
    set_real(&o->v, 1);
    for (uint32_t i = 1; i < n; i++)
        multiply(o, &o->v, &o->z);
    set(&o->u, o->v.re, o->v.im);
    multiply(o, &o->u, &o->z);
    add_real(&o->u, -1);
    set_real(&o->t, n);
    multiply(o, &o->v, &o->t);
    divide(o, &o->u, &o->v);
    add(o, &o->z, &o->u, -1);
    add(o, &o->z, &o->c, 1);
}

/* ((z^2 + c - 1)/(2z + c - 2))^2, or with a = c - 1 and b = c - 2
 * ((z^3 + 3az + ab)/(3z^2 + 3bz + ab + 1))^2 */
static void step_magnet(struct orbit *o, bool second) {
    struct number *u = &o->u, *v = &o->v, *a = &o->old; /* `old` is not needed by these maps */
    set(a, o->c.re, o->c.im);
    add_real(a, -1);
    set(u, o->z.re, o->z.im);
    multiply(o, u, &o->z);
    set(v, o->z.re, o->z.im);
    if (second) {
        add(o, u, a, 3);
        multiply(o, u, &o->z); /* z^3 + 3az */
        add(o, v, &o->c, 1);
        add_real(v, -2);
        multiply(o, v, &o->z);
        set(&o->t, o->c.re, o->c.im);
        add_real(&o->t, -2);
        multiply(o, &o->t, a);
        add(o, u, &o->t, 1);
        add(o, v, v, 2);
        add(o, v, &o->t, 1);
        add_real(v, 1);
    } else {
        add(o, u, a, 1);
        add(o, v, v, 1);
        add(o, v, &o->c, 1);
        add_real(v, -2);
    }
    divide(o, u, v);
    set(&o->z, u->re, u->im);
    multiply(o, &o->z, u);
}

/* (2 + 7z - (2 + 5z) cos(pi z))/4 + c */
static void step_collatz(struct orbit *o) {
    cosine_of_pi(o, &o->u, &o->z);
    set_real(&o->v, 2);
    add(o, &o->v, &o->z, 5);
    multiply(o, &o->u, &o->v);
    set_real(&o->v, 2);
    add(o, &o->v, &o->z, 7);
    add(o, &o->v, &o->u, -1);
    set(&o->z, o->c.re, o->c.im);
    add(o, &o->z, &o->v, 0.25);
}

static void step(struct orbit *o, const struct fractal *fractal) {
    const int formula = (int)fractal->formula;
    set(&o->old, o->z.re, o->z.im);
    switch (formula) {
    case FORMULA_lambda:
        add_real(&o->z, -1);
        multiply(o, &o->z, &o->old);
        multiply(o, &o->z, &o->c);
        mpfr_neg(o->z.re, o->z.re, MPFR_RNDN);
        mpfr_neg(o->z.im, o->z.im, MPFR_RNDN);
        break;
    case FORMULA_phoenix:
        multiply(o, &o->z, &o->old);
        mpfr_add(o->z.re, o->z.re, o->c.re, MPFR_RNDN);
        set_real(&o->t, 0);
        mpfr_set(o->t.re, o->c.im, MPFR_RNDN);
        multiply(o, &o->t, &o->before);
        add(o, &o->z, &o->t, 1);
        break;
    case FORMULA_spider:
        multiply(o, &o->z, &o->old);
        add(o, &o->z, &o->c, 1);
        add(o, &o->c, &o->c, -0.5);
        add(o, &o->c, &o->z, 1);
        break;
    case FORMULA_barnsley:
        add_real(&o->z, mpfr_sgn(o->z.re) < 0 ? 1 : -1);
        multiply(o, &o->z, &o->c);
        break;
    case FORMULA_newton:
    case FORMULA_nova:
        step_newton(o, fractal->power + 1);
        break;
    case FORMULA_collatz:
        step_collatz(o);
        break;
    default:
        step_magnet(o, formula == FORMULA_magnet2);
    }
    if (formula != FORMULA_magnet1 && formula != FORMULA_magnet2)
        set(&o->before, o->old.re, o->old.im);
}

/* --- a point --- */

static void begin(struct orbit *o, const struct fractal *fractal, mpfr_srcptr re, mpfr_srcptr im) {
    const int begins = map_begins((int)fractal->formula);
    set(&o->z, re, im);
    set(&o->c, fractal->julia ? fractal->re : re, fractal->julia ? fractal->im : im);
    if (!fractal->julia && begins < BEGINS_POINT)
        set_real(&o->z, begins == BEGINS_HALF ? 0.5 : begins == BEGINS_ONE ? 1 : 0);
    if (!fractal->julia && begins == BEGINS_FREE)
        set_real(&o->c, 0);
}

static bool has_converged(struct orbit *o, int formula) {
    set_real(&o->t, 1);
    return map_converges(formula) &&
           norm2(o, &o->z, map_ends(formula) == ENDS_SETTLED ? &o->before : &o->t) < MAP_CLOSE;
}

/* Returns true if z is what it was at an earlier step, and the rest of the state follows from it.
 * Then the orbit never ends. */
static bool repeats(struct orbit *o, int formula, uint32_t n) {
    if (map_second(formula) == SECOND_NONE && mpfr_equal_p(o->z.re, o->kept.re) &&
        mpfr_equal_p(o->z.im, o->kept.im) && n > 1)
        return true;
    if ((n & (n - 1)) == 0)
        set(&o->kept, o->z.re, o->z.im);
    return false;
}

/* Iterates in numbers of some bits. Returns false if stopped. */
static bool iterate(const struct frame_req *req, mpfr_srcptr re, mpfr_srcptr im, long bits,
                    struct exact_point *point, const atomic_bool *stop) {
    const struct fractal *fractal = &req->fractal;
    const int formula = (int)fractal->formula;
    struct orbit o;
    struct recipe recipe;
    fractal_recipe(fractal, TYPE_DOUBLE, &recipe); /* for its escape radius */
    orbit_init(&o, bits);
    begin(&o, fractal, re, im);
    bool ended = !(norm2(&o, &o.z, NULL) < recipe.escape), going = true;
    uint32_t n = 0;
    for (; !ended && n < req->limit && going; n++) {
        step(&o, fractal);
        ended = !(norm2(&o, &o.z, NULL) < recipe.escape) || has_converged(&o, formula);
        going = !atomic_load_explicit(stop, memory_order_relaxed);
        if (!ended && repeats(&o, formula, n))
            n = req->limit - 1;
    }
    point->state = ended ? EXACT_ESCAPED : EXACT_INTERIOR;
    point->count = n;
    point->bits = bits;
    orbit_finish(&o);
    return going;
}

void map_count(const struct frame_req *req, struct exact_point *point, const atomic_bool *stop) {
    mpfr_t re, im;
    mpfr_inits2(64, re, im, (mpfr_ptr)NULL);
    exact_place(req, point, re, im);
    struct exact_point next = *point;
    bool ok = iterate(req, re, im, LEAST_BITS, &next, stop), same = false;
    for (long bits = LEAST_BITS; ok && !same && bits < MOST_BITS; bits += bits / 2) {
        *point = next;
        ok = iterate(req, re, im, bits + bits / 2, &next, stop);
        same = next.state == point->state && next.count == point->count;
    }
    point->growth_log2 = 0;
    if (!ok)
        point->state = EXACT_OPEN;
    mpfr_clears(re, im, (mpfr_ptr)NULL);
}
