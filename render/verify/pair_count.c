/* Counts in pairs of doubles: the orbit around which points are iterated, and the lanes' points. */
#include "render/verify/pair_count.h"
#include "render/base/log.h"
#include "render/number/fixed_orbit.h"
#include "render/verify/pair_lanes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDE_KERNEL
typedef double real;
#define real_fma(a, b, c) fma(a, b, c)
#include "render/number/wide.h"

#define DIRECT_LOG2 (-34)  /* log2 of the finest pixel step for which no orbit is needed */
#define PLAIN_LOG2  (-860) /* log2 of the finest step for which doubles hold all distances */
#define SPARE_BITS  224    /* bits of the orbit beyond the pixel step and the limit's size */
#define ERROR_LOG2  (-112) /* log2 of the error with which the orbit ends */
#define LENGTH_MOST (1u << 22)
#define ESCAPE      16.0 /* square of the radius at which the orbit ends */
#define DIP_LOG2    (-640)
#define DIP_BITS    192           /* of the numbers in which a lane passes a dip */
#define STEPS       64            /* steps between two looks at the lanes */
#define SCALE_LOG2  64            /* by which the unit of a lane changes */
#define DISC        1024          /* radius of a disc, in distances from an orbit's return */
#define ROUNDED_UP  (1 + 0x1p-40) /* covers the roundings of a distance */
#define FIRST_LOOKS 4 /* looks until the first point is replaced to which an orbit may return */

/* An index m where |Z_m| < 2^DIP_LOG2. Parts and error are in units of 2^unit_log2. Lanes pass a
 * dip one by one, since products with such a Z may leave the range of doubles. */
struct dip {
    int64_t m;
    long unit_log2;
    double re[2], im[2], error;
};

struct pair_around {
    struct dip *dips; /* by rising index */
    size_t dip_count;
    double *members; /* the errors of dips are infinite */
    size_t length;   /* number of indices */
    struct pair_orbit orbit;
    int64_t begin;      /* index where orbits begin */
    mpfr_t re, im;      /* the point of the orbit; 0 without one */
    double radius_log2; /* log2 of the unit of distances; 0 without an orbit */
    int scale_log2;     /* scale of the lanes at their beginning */
    pair_steps *make_steps;
};

bool pair_count_fits(const struct frame_req *req) {
    const struct fractal *fractal = &req->fractal;
    return !fractal_is_map(fractal) && fractal_is_square(fractal) &&
           fractal->formula == FORMULA_mandelbrot && fractal_has_perturbed(fractal);
}

/* --- the orbit --- */

static bool append_dip(struct pair_around *around, const struct fixed_orbit *orbit) {
    const size_t count = around->dip_count;
    struct dip *dips = realloc(around->dips, (count + 1) * sizeof *dips);
    if (!dips) {
        log_error("cannot verify: not enough memory for an orbit");
        return false;
    }
    const long unit = fixed_orbit_exponent(orbit);
    dips[count] =
        (struct dip){.m = (int64_t)around->length,
                     .unit_log2 = unit,
                     .error = exp2(fixed_orbit_error_log2(orbit) - (double)unit + 0.01) + 0x1p-950};
    fixed_orbit_pairs(orbit, unit, dips[count].re, dips[count].im);
    around->dips = dips;
    around->dip_count++;
    return true;
}

static bool append(struct pair_around *around, const struct fixed_orbit *orbit) {
    const bool dip = around->length > 0 && fixed_orbit_exponent(orbit) <= DIP_LOG2;
    if (dip && !append_dip(around, orbit))
        return false;
    const size_t size = PAIR_MEMBERS * sizeof(double);
    if ((around->length & (around->length - 1)) == 0) { /* a power of two, or 0 */
        const size_t room = around->length > 0 ? 2 * around->length : 2;
        double *members = realloc(around->members, room * size);
        if (!members) {
            log_error("cannot verify: not enough memory for an orbit");
            return false;
        }
        around->members = members;
    }
    double *at = around->members + PAIR_MEMBERS * around->length++;
    fixed_orbit_pairs(orbit, 0, at + PAIR_RE, at + PAIR_IM);
    at[PAIR_ERROR] = dip ? INFINITY : exp2(fixed_orbit_error_log2(orbit) + 0.01) + 0x1p-950;
    return true;
}

/* Appends the orbit of c, or the Julia set's orbit of re + i im. Returns false if stopped, or if
 * there is no memory. */
static bool follow(struct pair_around *around, const struct frame_req *req, mpfr_srcptr re,
                   mpfr_srcptr im, const atomic_bool *stop) {
    struct fixed_orbit orbit;
    mpfr_t escape;
    int width, height;
    frame_req_whole(req, &width, &height);
    const double bits = fmax(-view_step_log2(&req->view, height), 0) + log2(req->limit + 1.0);
    mpfr_init2(escape, 64);
    mpfr_set_d(escape, ESCAPE, MPFR_RNDN);
    bool ok = fixed_orbit_init(&orbit, (long)(bits + SPARE_BITS) / FIXED_LIMB_BITS + 1,
                               &req->fractal, re, im, escape);
    const size_t last = around->length + req->limit;
    for (bool inside = true; ok && inside; fixed_orbit_step(&orbit, 2, FOLD_NONE)) {
        inside = fixed_orbit_side(&orbit) == FIXED_INSIDE && around->length < last &&
                 around->length < LENGTH_MOST && fixed_orbit_error_log2(&orbit) < ERROR_LOG2;
        ok = append(around, &orbit) && !atomic_load_explicit(stop, memory_order_relaxed);
    }
    fixed_orbit_finish(&orbit);
    mpfr_clear(escape);
    return ok;
}

/* Makes the orbit of a deep view. */
static bool make(struct pair_around *around, const struct frame_req *req, const atomic_bool *stop) {
    const struct view *view = &req->view;
    bool ok;
    mpfr_set_prec(around->re, mpfr_get_prec(view->re));
    mpfr_set_prec(around->im, mpfr_get_prec(view->im));
    mpfr_set(around->re, view->re, MPFR_RNDN);
    mpfr_set(around->im, view->im, MPFR_RNDN);
    if (req->fractal.julia) {
        mpfr_t zero;
        mpfr_init2(zero, 64);
        mpfr_set_zero(zero, 1);
        ok = follow(around, req, zero, zero, stop);
        mpfr_clear(zero);
        around->begin = (int64_t)around->length;
        around->orbit.last = around->begin - 1;
    }
    ok = (!req->fractal.julia || ok) && follow(around, req, view->re, view->im, stop);
    around->orbit.last_of_view = (int64_t)around->length - 1;
    if (!req->fractal.julia)
        around->orbit.last = around->orbit.last_of_view;
    return ok;
}

static pair_steps *best_steps(void) {
#ifdef PAIR_VECTORS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return pair_steps_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return pair_steps_avx2;
#endif
    return pair_steps_base;
}

struct pair_around *pair_around_create(const struct frame_req *req, const atomic_bool *stop) {
    struct pair_around *around = calloc(1, sizeof *around);
    int width, height;
    if (!around)
        return NULL;
    frame_req_whole(req, &width, &height);
    const double step_log2 = view_step_log2(&req->view, height);
    around->make_steps = best_steps();
    mpfr_inits2(64, around->re, around->im, (mpfr_ptr)NULL);
    mpfr_set_zero(around->re, 1);
    mpfr_set_zero(around->im, 1);
    bool ok = true;
    if (step_log2 >= DIRECT_LOG2) {
        around->members = calloc(2 * PAIR_MEMBERS, sizeof *around->members);
        around->orbit.last = around->orbit.last_of_view = 1;
        ok = around->members != NULL;
    } else {
        around->radius_log2 = step_log2 + log2(hypot(width, height) / 2);
        if (step_log2 < PLAIN_LOG2)
            around->scale_log2 = (int)(around->radius_log2 / SCALE_LOG2) * SCALE_LOG2;
        ok = make(around, req, stop);
    }
    for (int i = 0; ok && i < PAIR_MEMBERS; i++)
        around->orbit.z[i] = around->members + i;
    if (ok)
        return around;
    pair_around_destroy(around);
    return NULL;
}

void pair_around_destroy(struct pair_around *around) {
    if (!around)
        return;
    mpfr_clears(around->re, around->im, (mpfr_ptr)NULL);
    free(around->dips);
    free(around->members);
    free(around);
}

/* --- a lane --- */

/* A point of an orbit, W = Z + z. */
struct passed {
    int64_t m;
    double re, im;      /* the high parts of z */
    struct wide wr, wi; /* W */
    double error;       /* the error of W beyond that of z */
};

/* State of a lane that is kept from look to look. */
struct keeper {
    struct exact_point *point;
    int scale_log2;
    struct passed passed, middle; /* a point to which the orbit may return; the middle of a disc */
    double nearest, radius;       /* least distance of a return; radius of the disc of `spread` */
    uint32_t looks, looks_most;   /* since `passed`; 0: there is none */
    double c[4];   /* re and im of c, each hi and low, in the unit of the beginning */
    double re, im; /* the point */
};

/* Complex numbers and bounds, in which a lane passes a dip. */
struct bridge {
    mpfr_t zr, zi, Zr, Zi, wr, wi, z, w, a, error, more, part;
};

struct worker {
    const struct pair_queue *queue;
    struct pair_lanes lanes;
    struct keeper keeper[PAIR_LANES];
    struct bridge bridge;
    mpfr_t re, im;
};

/* Stores a number as a pair in units of 2^scale_log2. */
static void take_number(mpfr_t number, int scale_log2, double *hi, double *low) {
    mpfr_mul_2si(number, number, -scale_log2, MPFR_RNDN);
    *hi = mpfr_get_d(number, MPFR_RNDN);
    mpfr_sub_d(number, number, *hi, MPFR_RNDN);
    *low = mpfr_get_d(number, MPFR_RNDN);
}

/* Stores a - b, rounded to a few hundred bits. */
static void take_difference(mpfr_srcptr a, mpfr_srcptr b, int scale_log2, double *hi, double *low) {
    mpfr_t number;
    mpfr_init2(number, 256);
    mpfr_sub(number, a, b, MPFR_RNDN);
    take_number(number, scale_log2, hi, low);
    mpfr_clear(number);
}

/* Begins the orbit of the worker's point in lane i. */
static void begin(struct worker *worker, int i) {
    const struct pair_around *around = worker->queue->around;
    const struct fractal *fractal = &worker->queue->req->fractal;
    struct pair_lanes *l = &worker->lanes;
    struct keeper *keeper = &worker->keeper[i];
    double at[4], zero[4] = {0};
    take_difference(worker->re, around->re, around->scale_log2, &at[0], &at[1]);
    take_difference(worker->im, around->im, around->scale_log2, &at[2], &at[3]);
    const double *z = fractal->julia ? at : zero, *c = fractal->julia ? zero : at;
    if (fractal->julia && around->length == 0) { /* c, as a distance from 0 */
        take_difference(fractal->re, around->re, 0, &zero[0], &zero[1]);
        take_difference(fractal->im, around->im, 0, &zero[2], &zero[3]);
    }
    l->zr[i] = z[0], l->zr_low[i] = z[1], l->zi[i] = z[2], l->zi_low[i] = z[3];
    l->cr[i] = c[0], l->cr_low[i] = c[1], l->ci[i] = c[2], l->ci_low[i] = c[3];
    l->error[i] = PAIR_UNIT * (fabs(z[0]) + fabs(z[2])) + 0x1p-1040;
    l->c_error[i] = PAIR_UNIT * (fabs(c[0]) + fabs(c[2])) + 0x1p-1040;
    l->spread[i] = INFINITY;
    l->scale[i] = ldexp(1, around->scale_log2);
    l->m[i] = around->begin;
    l->n[i] = 0;
    l->limit[i] = worker->queue->req->limit;
    l->end[i] = PAIR_GOES_ON;
    *keeper = (struct keeper){.point = keeper->point,
                              .scale_log2 = around->scale_log2,
                              .looks_most = FIRST_LOOKS,
                              .radius = -1,
                              .c = {c[0], c[1], c[2], c[3]},
                              .re = mpfr_get_d(worker->re, MPFR_RNDN),
                              .im = mpfr_get_d(worker->im, MPFR_RNDN)};
}

/* Gives lane i the next point that has to be iterated. Returns false if there are no more. */
static bool refill(struct worker *worker, int i) {
    const struct pair_queue *queue = worker->queue;
    struct exact_point *point = NULL;
    while (!atomic_load_explicit(queue->stop, memory_order_relaxed) &&
           (point = queue->next(queue->user))) {
        exact_place(queue->req, point, worker->re, worker->im);
        worker->keeper[i].point = point;
        if (!exact_is_known(queue->req, worker->re, worker->im, point)) {
            begin(worker, i);
            return true;
        }
        queue->done(queue->user, point);
    }
    worker->keeper[i].point = NULL;
    return false;
}

/* --- dips --- */

static void set_pair(mpfr_t number, double hi, double low, long unit_log2) {
    mpfr_set_d(number, hi, MPFR_RNDN);
    mpfr_add_d(number, number, low, MPFR_RNDN);
    mpfr_mul_2si(number, number, unit_log2, MPFR_RNDN);
}

static void set_bound(mpfr_t number, double bound, long unit_log2) {
    mpfr_set_d(number, bound, MPFR_RNDU);
    mpfr_mul_2si(number, number, unit_log2, MPFR_RNDU);
}

/* Computes E' of the step from b->error, for which |z|, |W| and |2 Z| + |z| (in `a`) are set. */
static void bound_dip(struct bridge *b, const struct dip *dip, bool rebased, double c) {
    set_bound(b->more, rebased ? 0 : 2 * dip->error, dip->unit_log2); /* what 2 Z + z is off */
    mpfr_mul_d(b->part, b->a, 2 * PAIR_UNIT, MPFR_RNDU);
    mpfr_add(b->more, b->more, b->part, MPFR_RNDU);
    mpfr_add(b->part, b->z, b->error, MPFR_RNDU);
    mpfr_mul(b->more, b->more, b->part, MPFR_RNDU);
    mpfr_mul_2ui(b->w, b->w, 1, MPFR_RNDU);
    mpfr_add(b->w, b->w, b->error, MPFR_RNDU);
    mpfr_mul(b->error, b->error, b->w, MPFR_RNDU);
    mpfr_add(b->error, b->error, b->more, MPFR_RNDU);
    mpfr_mul_d(b->error, b->error, 1 + 0x1p-40, MPFR_RNDU); /* roundings of |W| and |z| */
    set_bound(b->part, 2 * PAIR_UNIT * c, 0);
}

/* Rebases z if it is larger than W, or at the last index, and prepares the bounds. Returns true if
 * it did. */
static bool rebase_dip(struct bridge *b, const struct dip *dip, const struct pair_orbit *orbit) {
    mpfr_add(b->wr, b->Zr, b->zr, MPFR_RNDN);
    mpfr_add(b->wi, b->Zi, b->zi, MPFR_RNDN);
    mpfr_hypot(b->w, b->wr, b->wi, MPFR_RNDU);
    mpfr_hypot(b->z, b->zr, b->zi, MPFR_RNDU);
    mpfr_hypot(b->a, b->Zr, b->Zi, MPFR_RNDU);
    mpfr_mul_2ui(b->a, b->a, 1, MPFR_RNDU);
    mpfr_add(b->a, b->a, b->z, MPFR_RNDU);
    if (mpfr_cmp(b->w, b->z) >= 0 && dip->m != orbit->last && dip->m != orbit->last_of_view)
        return false;
    mpfr_mul_d(b->part, b->a, PAIR_UNIT, MPFR_RNDU);
    mpfr_add(b->error, b->error, b->part, MPFR_RNDU);
    set_bound(b->part, dip->error, dip->unit_log2);
    mpfr_add(b->error, b->error, b->part, MPFR_RNDU);
    mpfr_swap(b->zr, b->wr);
    mpfr_swap(b->zi, b->wi);
    mpfr_set(b->z, b->w, MPFR_RNDU);
    mpfr_set(b->a, b->w, MPFR_RNDU);
    mpfr_set_zero(b->Zr, 1);
    mpfr_set_zero(b->Zi, 1);
    return true;
}

/* Makes the step of lane i from a dip, after which the lane may have another unit. */
static void pass_dip(struct worker *worker, int i, const struct dip *dip) {
    struct pair_lanes *l = &worker->lanes;
    struct keeper *keeper = &worker->keeper[i];
    struct bridge *b = &worker->bridge;
    const int unit = worker->queue->around->scale_log2;
    set_pair(b->zr, l->zr[i], l->zr_low[i], keeper->scale_log2);
    set_pair(b->zi, l->zi[i], l->zi_low[i], keeper->scale_log2);
    set_pair(b->Zr, dip->re[0], dip->re[1], dip->unit_log2);
    set_pair(b->Zi, dip->im[0], dip->im[1], dip->unit_log2);
    set_bound(b->error, l->error[i], keeper->scale_log2);
    const bool rebased = rebase_dip(b, dip, &worker->queue->around->orbit);
    const double c = fabs(keeper->c[0]) + fabs(keeper->c[2]);
    bound_dip(b, dip, rebased, c);
    mpfr_mul_2si(b->part, b->part, unit, MPFR_RNDU); /* the error of c, and of adding it */
    mpfr_add(b->error, b->error, b->part, MPFR_RNDU);
    /* z (2 Z + z) + c */
    mpfr_mul_2ui(b->Zr, b->Zr, 1, MPFR_RNDN);
    mpfr_mul_2ui(b->Zi, b->Zi, 1, MPFR_RNDN);
    mpfr_add(b->Zr, b->Zr, b->zr, MPFR_RNDN);
    mpfr_add(b->Zi, b->Zi, b->zi, MPFR_RNDN);
    mpfr_fmms(b->wr, b->Zr, b->zr, b->Zi, b->zi, MPFR_RNDN);
    mpfr_fmma(b->wi, b->Zr, b->zi, b->Zi, b->zr, MPFR_RNDN);
    set_pair(b->zr, keeper->c[0], keeper->c[1], unit);
    set_pair(b->zi, keeper->c[2], keeper->c[3], unit);
    mpfr_add(b->zr, b->zr, b->wr, MPFR_RNDN);
    mpfr_add(b->zi, b->zi, b->wi, MPFR_RNDN);
    /* the new unit, in which the larger part is about 1 */
    long most = mpfr_regular_p(b->zr) ? (long)mpfr_get_exp(b->zr) : unit;
    if (mpfr_regular_p(b->zi) && mpfr_get_exp(b->zi) > most)
        most = (long)mpfr_get_exp(b->zi);
    most = most < unit ? unit : most > 0 ? 0 : most;
    keeper->scale_log2 = (int)(most / SCALE_LOG2) * SCALE_LOG2;
    take_number(b->zr, keeper->scale_log2, &l->zr[i], &l->zr_low[i]);
    take_number(b->zi, keeper->scale_log2, &l->zi[i], &l->zi_low[i]);
    mpfr_mul_2si(b->error, b->error, -keeper->scale_log2, MPFR_RNDU);
    l->error[i] =
        mpfr_get_d(b->error, MPFR_RNDU) + PAIR_UNIT * (fabs(l->zr[i]) + fabs(l->zi[i])) + 0x1p-1040;
    l->cr[i] = ldexp(keeper->c[0], unit - keeper->scale_log2);
    l->cr_low[i] = ldexp(keeper->c[1], unit - keeper->scale_log2);
    l->ci[i] = ldexp(keeper->c[2], unit - keeper->scale_log2);
    l->ci_low[i] = ldexp(keeper->c[3], unit - keeper->scale_log2);
    l->c_error[i] = PAIR_UNIT * (fabs(l->cr[i]) + fabs(l->ci[i])) + 0x1p-1040;
    l->scale[i] = ldexp(1, keeper->scale_log2);
    l->spread[i] = INFINITY;
    keeper->looks = 0;
    l->m[i] = rebased ? 1 : l->m[i] + 1;
    l->n[i]++;
}

/* Returns the first dip from index m on, or NULL. */
static const struct dip *next_dip(const struct pair_around *around, int64_t m) {
    size_t low = 0, high = around->dip_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (around->dips[middle].m < m)
            low = middle + 1;
        else
            high = middle;
    }
    return low < around->dip_count ? &around->dips[low] : NULL;
}

/* Returns true if W of lane i, at a dip, is surely inside the escape radius. */
static bool is_inside(const struct pair_lanes *l, int i) {
    return (fabs(l->zr[i]) + fabs(l->zi[i]) + l->error[i]) * l->scale[i] < 1.9;
}

/* Lets lanes at a dip pass it, or end there. Returns the number of steps, up to STEPS, until a lane
 * may be at another dip. */
static int pass_dips(struct worker *worker) {
    const struct pair_around *around = worker->queue->around;
    struct pair_lanes *l = &worker->lanes;
    int64_t steps = around->dip_count > 0 && around->dips[0].m < STEPS ? around->dips[0].m : STEPS;
    for (int i = 0; around->dip_count > 0 && i < PAIR_LANES; i++) {
        if (!worker->keeper[i].point || l->end[i] != PAIR_GOES_ON)
            continue;
        const struct dip *dip = next_dip(around, l->m[i]);
        while (dip && dip->m == l->m[i] && l->n[i] < l->limit[i] && is_inside(l, i)) {
            pass_dip(worker, i, dip);
            dip = next_dip(around, l->m[i]);
        }
        if (dip && dip->m == l->m[i] && l->n[i] == l->limit[i] && is_inside(l, i)) {
            l->end[i] = PAIR_INTERIOR;
            l->count[i] = l->n[i];
            l->last_error[i] = l->error[i] * l->scale[i];
        }
        if (dip && dip->m > l->m[i] && dip->m - l->m[i] < steps)
            steps = dip->m - l->m[i];
    }
    return (int)steps;
}

/* Changes the unit of a lane as its distance grows. */
static void rescale(struct pair_lanes *l, struct keeper *keeper, int i) {
    double *const members[] = {l->zr, l->zr_low, l->zi,    l->zi_low, l->cr,     l->cr_low,
                               l->ci, l->ci_low, l->error, l->spread, l->c_error};
    while (keeper->scale_log2 < 0 && fabs(l->zr[i]) + fabs(l->zi[i]) > 0x1p64) {
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            members[k][i] *= 0x1p-64;
        keeper->scale_log2 += SCALE_LOG2;
        l->scale[i] = ldexp(1, keeper->scale_log2);
    }
}

/* Returns where lane i is. */
static struct passed pass(const struct worker *worker, int i) {
    const struct pair_lanes *l = &worker->lanes;
    const double *const *z = worker->queue->around->orbit.z;
    const int64_t m = PAIR_MEMBERS * l->m[i];
    const struct wide Zr = {z[PAIR_RE][m], z[PAIR_RE_LOW][m]};
    const struct wide Zi = {z[PAIR_IM][m], z[PAIR_IM_LOW][m]};
    return (struct passed){l->m[i],
                           l->zr[i],
                           l->zi[i],
                           wide_add(Zr, (struct wide){l->zr[i], l->zr_low[i]}),
                           wide_add(Zi, (struct wide){l->zi[i], l->zi_low[i]}),
                           z[PAIR_ERROR][m] + 8 * PAIR_UNIT};
}

/* Returns at least the distance of two points, of which at the same index z has more bits. */
static double distance(const struct passed *a, const struct passed *b) {
    if (a->m == b->m)
        return hypot(a->re - b->re, a->im - b->im) * ROUNDED_UP +
               0x1p-51 * (fabs(a->re) + fabs(a->im) + fabs(b->re) + fabs(b->im));
    return hypot((a->wr.hi - b->wr.hi) + (a->wr.lo - b->wr.lo),
                 (a->wi.hi - b->wi.hi) + (a->wi.lo - b->wi.lo)) *
               ROUNDED_UP +
           a->error + b->error;
}

/* Checks whether lane number `i` has returned to its disc, so that the orbit never escapes. A new
 * disc begins where the orbit comes nearer to an earlier point than it was before. */
static void look_for_cycle(struct worker *worker, int i) {
    struct pair_lanes *l = &worker->lanes;
    struct keeper *keeper = &worker->keeper[i];
    if (l->scale[i] < 1)
        return;
    const struct passed now = pass(worker, i);
    if (keeper->looks > 0) {
        if (distance(&now, &keeper->middle) + l->spread[i] <= keeper->radius) {
            l->end[i] = PAIR_INTERIOR;
            return;
        }
        const double nearer = distance(&now, &keeper->passed);
        if (nearer < keeper->nearest / 2) {
            keeper->nearest = nearer;
            keeper->middle = now;
            keeper->radius = DISC * nearer + 4 * (l->error[i] + now.error);
            l->spread[i] = keeper->radius * ROUNDED_UP + fabs(l->zr_low[i]) + fabs(l->zi_low[i]);
        }
    }
    if (keeper->looks++ < keeper->looks_most)
        return;
    keeper->looks = 1;
    keeper->looks_most *= 2;
    keeper->passed = keeper->middle = now;
    keeper->nearest = INFINITY;
    keeper->radius = -1;
    l->spread[i] = INFINITY;
}

/* Stores the end of lane i in its point. */
static void take_end(struct worker *worker, int i) {
    const struct pair_lanes *l = &worker->lanes;
    const struct keeper *keeper = &worker->keeper[i];
    struct exact_point *point = keeper->point;
    const int64_t end = l->end[i];
    if (end == PAIR_ESCAPED || end == PAIR_INTERIOR) {
        point->state = end == PAIR_ESCAPED ? EXACT_ESCAPED : EXACT_INTERIOR;
        point->count = end == PAIR_ESCAPED ? (uint32_t)l->count[i] : worker->queue->req->limit;
        point->bits = 106;
        point->growth_log2 = log2(l->last_error[i] / PAIR_UNIT);
        if (worker->queue->around->length >
            0) /* each step has added about PAIR_UNIT of c, or less */
            point->growth_log2 +=
                6 - log2((double)l->count[i] + 1) - worker->queue->around->radius_log2;
    }
    if (end == PAIR_ESCAPED)
        exact_set_fraction(worker->queue->req, point, keeper->re, keeper->im, l->last_re[i],
                           l->last_im[i]);
    worker->queue->done(worker->queue->user, point);
}

/* Looks at all lanes. Returns false if none has a point. */
static bool look(struct worker *worker) {
    bool any = false;
    for (int i = 0; i < PAIR_LANES; i++) {
        struct keeper *keeper = &worker->keeper[i];
        if (!keeper->point)
            continue;
        if (worker->lanes.end[i] == PAIR_GOES_ON) {
            rescale(&worker->lanes, keeper, i);
            look_for_cycle(worker, i);
        }
        bool on = worker->lanes.end[i] == PAIR_GOES_ON;
        if (!on) {
            take_end(worker, i);
            on = refill(worker, i);
        }
        any |= on;
    }
    return any;
}

void pair_count(const struct pair_queue *queue) {
    struct worker *worker = calloc(1, sizeof *worker);
    bool any = false;
    if (!worker) {
        log_error("cannot verify: not enough memory");
        return;
    }
    worker->queue = queue;
    struct bridge *b = &worker->bridge;
    mpfr_inits2(64, worker->re, worker->im, (mpfr_ptr)NULL);
    mpfr_inits2(DIP_BITS, b->zr, b->zi, b->Zr, b->Zi, b->wr, b->wi, b->z, b->w, b->a, b->error,
                b->more, b->part, (mpfr_ptr)NULL);
    for (int i = 0; i < PAIR_LANES; i++) {
        worker->lanes.end[i] = PAIR_UNSURE;
        any |= refill(worker, i);
    }
    while (any && !atomic_load_explicit(queue->stop, memory_order_relaxed)) {
        const int steps = pass_dips(worker);
        queue->around->make_steps(&worker->lanes, &queue->around->orbit, steps);
        any = look(worker);
    }
    for (int i = 0; any && i < PAIR_LANES; i++)
        if (worker->keeper[i].point)
            queue->done(queue->user, worker->keeper[i].point);
    mpfr_clears(worker->re, worker->im, b->zr, b->zi, b->Zr, b->Zi, b->wr, b->wi, b->z, b->w, b->a,
                b->error, b->more, b->part, (mpfr_ptr)NULL);
    free(worker);
}
