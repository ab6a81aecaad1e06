/* Makes reference orbits other than that of z^2 + c over c: of formulas that are a power of z,
 * folded, plus c, or several such steps in turn; and of Julia sets. */
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/deep/reference.h"
#include "render/deep/reference_rest.h"
#include "render/formula/formula.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A complex number. */
struct number {
    mpfr_t re, im;
};

struct making {
    const struct reference_want *want;
    struct reference *reference;
    struct number z, c, u, v, w; /* w is scratch */
    double *orbit, *low;         /* `low`: low parts of wide numbers, or NULL */
    uint64_t count, room;
    struct reference_small *small; /* values below the range of doubles */
    uint32_t small_count, small_room;
    uint32_t number; /* number of the next step */
    /* log2 of the factor of a small distance from Z_0, and its least value */
    double growth_log2, least_log2;
    bool over; /* orbits around it no longer need it from here on */
};

/* --- arithmetic --- */

static void number_init(struct number *number, mpfr_prec_t bits) {
    mpfr_inits2(bits, number->re, number->im, (mpfr_ptr)NULL);
    mpfr_set_zero(number->re, 1);
    mpfr_set_zero(number->im, 1);
}

static void number_finish(struct number *number) {
    mpfr_clears(number->re, number->im, (mpfr_ptr)NULL);
}

static void number_swap(struct number *a, struct number *b) {
    mpfr_swap(a->re, b->re);
    mpfr_swap(a->im, b->im);
}

/* v = v^2 */
static void square(struct making *m) {
    mpfr_fmms(m->w.re, m->v.re, m->v.re, m->v.im, m->v.im, MPFR_RNDN);
    mpfr_mul(m->w.im, m->v.re, m->v.im, MPFR_RNDN);
    mpfr_mul_2ui(m->w.im, m->w.im, 1, MPFR_RNDN);
    number_swap(&m->v, &m->w);
}

/* v = v u */
static void times(struct making *m) {
    mpfr_fmms(m->w.re, m->v.re, m->u.re, m->v.im, m->u.im, MPFR_RNDN);
    mpfr_fmma(m->w.im, m->v.re, m->u.im, m->v.im, m->u.re, MPFR_RNDN);
    number_swap(&m->v, &m->w);
}

/* v = u^power, by the bits of `power`. */
static void take_power(struct making *m, unsigned power) {
    mpfr_set(m->v.re, m->u.re, MPFR_RNDN);
    mpfr_set(m->v.im, m->u.im, MPFR_RNDN);
    for (unsigned bit = power >= 8 ? 4 : power >= 4 ? 2 : 1; bit > 0; bit /= 2) {
        square(m);
        if (power & bit)
            times(m);
    }
}

/* z = f(z) + c */
static void step(struct making *m) {
    const struct step_list *steps = &m->reference->steps;
    const unsigned folds = step_list_folds(steps, m->number);
    mpfr_setsign(m->u.re, m->z.re, !(folds & FOLD_X) && mpfr_signbit(m->z.re), MPFR_RNDN);
    mpfr_setsign(m->u.im, m->z.im, !(folds & FOLD_Y) && mpfr_signbit(m->z.im), MPFR_RNDN);
    if (folds & FOLD_NEGATE)
        mpfr_neg(m->u.im, m->u.im, MPFR_RNDN);
    take_power(m, (unsigned)step_list_power(steps, m->number));
    if (folds & FOLD_RE)
        mpfr_abs(m->v.re, m->v.re, MPFR_RNDN);
    if (folds & FOLD_IM)
        mpfr_abs(m->v.im, m->v.im, MPFR_RNDN);
    mpfr_add(m->z.re, m->v.re, m->c.re, MPFR_RNDN);
    mpfr_add(m->z.im, m->v.im, m->c.im, MPFR_RNDN);
    m->number = step_list_number(steps, m->number + 1);
}

/* --- the orbit --- */

/* Returns the number of orbits: one with a start; otherwise one of 0 for each step that may be
 * next. */
static uint32_t orbits(const struct making *m) {
    return m->want->start ? 1 : m->reference->steps.length;
}

static bool grow(struct making *m) {
    const uint64_t all = (m->want->limit + UINT64_C(1)) * orbits(m);
    const uint64_t most = all < UINT32_MAX ? all : UINT32_MAX;
    uint64_t room = m->room + m->room / 2;
    room = room < REFERENCE_ROOM_LEAST ? REFERENCE_ROOM_LEAST : room < most ? room : most;
    const uint64_t bytes = room * 2 * sizeof *m->orbit,
                   all_bytes = m->want->wide ? 2 * bytes : bytes;
    if (all_bytes > reference_bytes_most(m->want) || room == m->room) {
        log_error("the reference orbit has %llu iterations, and more memory than allowed would be "
                  "taken by more: choose a lower iteration limit, or another place",
                  (unsigned long long)m->count);
        return false;
    }
    const bool fits = memory_fits(all_bytes, "a reference orbit");
    double *orbit = fits ? realloc(m->orbit, bytes) : NULL;
    m->orbit = orbit ? orbit : m->orbit;
    double *low = orbit && m->want->wide ? realloc(m->low, bytes) : NULL;
    m->low = low ? low : m->low;
    if (!orbit || (m->want->wide && !low)) {
        log_error("no memory for a longer reference orbit after %llu iterations: choose a lower "
                  "iteration limit",
                  (unsigned long long)m->count);
        return false;
    }
    m->room = room;
    return true;
}

/* Finds out whether an orbit with a start is over at that distance from 0 (struct reference_want);
 * if not, updates the growth of a small distance. */
static void look_ahead(struct making *m, double size) {
    const struct reference_start *start = m->want->start;
    const double power = step_list_power(&m->reference->steps, m->number);
    if (!start)
        return;
    m->over = size == 0 || m->growth_log2 + start->step_log2 >= log2(size) - DO_WITHOUT_BITS ||
              m->growth_log2 < LOST_STEPS * start->step_log2 - REFERENCE_GUARD_BITS;
    if (m->over)
        return;
    m->growth_log2 += log2(power) + (power - 1) * log2(size);
    m->least_log2 = fmin(m->least_log2, m->growth_log2);
}

/* Returns z, rounded. */
static struct orbit_point rounded(const struct making *m) {
    long re_log2 = INT32_MIN, im_log2 = INT32_MIN;
    const double re = mpfr_zero_p(m->z.re) ? 0 : mpfr_get_d_2exp(&re_log2, m->z.re, MPFR_RNDN);
    const double im = mpfr_zero_p(m->z.im) ? 0 : mpfr_get_d_2exp(&im_log2, m->z.im, MPFR_RNDN);
    return orbit_point_join(re, (int32_t)re_log2, im, (int32_t)im_log2);
}

/* Returns the remainder of a number without a double in units of 2^log2, in these units. `rest` is
 * scratch. */
static double low_of(mpfr_srcptr x, double rounded, int32_t log2, mpfr_t rest) {
    mpfr_mul_2si(rest, x, -log2, MPFR_RNDN);
    mpfr_sub_d(rest, rest, rounded, MPFR_RNDN);
    return orbit_low_part(rounded, mpfr_get_d(rest, MPFR_RNDN));
}

/* Stores a value below the range of doubles, at the last index. Returns false if there is no
 * memory. */
static bool add_small(struct making *m, const struct orbit_point *z, double re_low, double im_low) {
    if (m->small_count == m->small_room) {
        const uint32_t room = 2 * m->small_room + REFERENCE_ROOM_LEAST;
        struct reference_small *small = realloc(m->small, room * sizeof *small);
        if (!small) {
            log_error("no memory for a reference orbit: choose a lower iteration limit");
            return false;
        }
        m->small = small;
        m->small_room = room;
    }
    m->small[m->small_count++] = (struct reference_small){
        z->re, z->im, re_low, im_low, z->exponent, (uint32_t)(m->count - 1)};
    return true;
}

/* Stores z at the next index. Returns false if there is no memory. */
static bool add_index(struct making *m) {
    if (m->count == m->room && !grow(m))
        return false;
    struct orbit_point z = rounded(m);
    double re_low = 0, im_low = 0;
    if (m->want->wide) {
        re_low = low_of(m->z.re, z.re, z.exponent, m->w.re);
        im_low = low_of(m->z.im, z.im, z.exponent, m->w.re);
        m->low[2 * m->count] = ldexp(re_low, z.exponent);
        m->low[2 * m->count + 1] = ldexp(im_low, z.exponent);
    } else if (orbit_leave_circle(&z)) {
        m->reference->moved = true;
    }
    double *to = m->orbit + 2 * m->count++;
    to[0] = ldexp(z.re, z.exponent);
    to[1] = ldexp(z.im, z.exponent);
    look_ahead(m, hypot(to[0], to[1]));
    m->reference->escaped = !(to[0] * to[0] + to[1] * to[1] < REFERENCE_ESCAPE);
    return z.exponent == 0 || add_small(m, &z, re_low, im_low);
}

enum result { DONE, STOPPED, REFUSED };

/* Iterates one orbit from z on. */
static enum result run(struct making *m, const atomic_bool *stop, atomic_uint *progress) {
    const uint64_t end = m->count + m->want->limit;
    if (!add_index(m))
        return REFUSED;
    while (m->count <= end && !m->reference->escaped && !m->over) {
        if (stop && atomic_load_explicit(stop, memory_order_relaxed))
            return STOPPED;
        step(m);
        if (!add_index(m))
            return REFUSED;
        if (progress)
            atomic_store_explicit(progress, (unsigned)((m->count - 1) / orbits(m)),
                                  memory_order_relaxed);
    }
    return DONE;
}

/* Iterates the orbits of 0, each of which begins with another step. */
static enum result run_all(struct making *m, const atomic_bool *stop, atomic_uint *progress) {
    enum result result = run(m, stop, progress);
    if (orbits(m) == 1)
        return result;
    for (uint32_t i = 1; i < orbits(m) && result == DONE; i++) {
        m->reference->begin[i] = (uint32_t)m->count;
        m->number = i;
        mpfr_set_zero(m->z.re, 1);
        mpfr_set_zero(m->z.im, 1);
        result = run(m, stop, progress);
    }
    m->reference->limit = m->want->limit;
    m->reference->escaped = false;
    return result;
}

static void hand_over(struct making *m) {
    struct reference_rest *rest = m->reference->rest;
    m->reference->length = m->count > 0 ? (uint32_t)m->count - 1 : 0;
    m->reference->z = m->orbit;
    m->reference->low = m->low;
    m->reference->small = m->small;
    m->reference->small_count = m->small_count;
    rest->bytes = sizeof *m->reference + sizeof *rest + m->small_room * sizeof *m->small +
                  m->room * (m->low ? 4 : 2) * sizeof *m->orbit;
    rest->least_log2 = (int64_t)floor(m->least_log2);
}

const struct reference *reference_make_folded(const struct reference_want *want,
                                              const atomic_bool *stop, atomic_uint *progress) {
    const mpfr_prec_t bits =
        (mpfr_prec_t)fmax(ceil(REFERENCE_GUARD_BITS - want->step_log2), REFERENCE_BITS_LEAST);
    struct making m = {.want = want, .reference = reference_create_empty(want)};
    if (!m.reference)
        return NULL;
    struct number *const numbers[] = {&m.z, &m.c, &m.u, &m.v, &m.w};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number_init(numbers[i], bits);
    mpfr_set(m.c.re, want->re, MPFR_RNDN);
    mpfr_set(m.c.im, want->im, MPFR_RNDN);
    if (want->start) {
        mpfr_set(m.z.re, want->start->re, MPFR_RNDN);
        mpfr_set(m.z.im, want->start->im, MPFR_RNDN);
    }
    const enum result result = run_all(&m, stop, progress);
    hand_over(&m);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number_finish(numbers[i]);
    if (result == DONE)
        return m.reference;
    reference_unref(m.reference);
    return NULL;
}

/* --- Julia sets: the orbits of 0, and one more --- */

#define TRIES 16 /* at a precision that is enough: usually one or two */

/* Makes the orbit near which views' orbits begin. A rounding error e of Z_k is like moving the
 * start by e / D_k, so where D falls below 1 as many more bits are needed from the beginning; *more
 * is that number. */
static const struct reference *make_second(const struct reference_want *julia,
                                           const atomic_bool *stop, double *more) {
    struct reference_want want = *julia;
    for (int i = 0; i < TRIES; i++) {
        want.step_log2 = julia->step_log2 - *more;
        const struct reference *second = reference_make(&want, NULL, stop, NULL);
        if (!second || (double)second->rest->least_log2 >= -*more)
            return second;
        *more = 1 - (double)second->rest->least_log2;
        reference_unref(second);
    }
    log_error("the orbit of this Julia set's centre comes too close to 0 too often");
    return NULL;
}

/* Makes the orbit of the critical point. Points that are rebased to this orbit may be as near to 0
 * as pixels are to one another. The step raises this distance to the power. */
static const struct reference *make_first(const struct reference_want *julia, double more,
                                          const atomic_bool *stop, atomic_uint *progress) {
    struct reference_want want = *julia;
    const double step = fmin(julia->step_log2, 0);
    want.start = NULL;
    want.whole = true;
    want.step_log2 = step_list_most_power(&want.steps) * (step - fmin(more, -step));
    return reference_make(&want, NULL, stop, progress);
}

static struct reference_julia *julia_of(const struct reference_want *want) {
    struct reference_julia *julia = calloc(1, sizeof *julia);
    if (!julia)
        return NULL;
    mpfr_init2(julia->re, mpfr_get_prec(want->re));
    mpfr_init2(julia->im, mpfr_get_prec(want->im));
    mpfr_set(julia->re, want->re, MPFR_RNDN);
    mpfr_set(julia->im, want->im, MPFR_RNDN);
    return julia;
}

/* Grows an array by `more` bytes. Returns the memory behind the old ones, or NULL if there is none;
 * the array is then unchanged. */
static void *grown(const void **array, uint64_t bytes, uint64_t more) {
    void *room = realloc((void *)*array, bytes + more);
    if (room)
        *array = room;
    return room;
}

/* Appends the second reference's orbit to those of the first one, which has no other holder yet.
 * Returns false if there is no memory. */
static bool join(struct reference *first, const struct reference *second,
                 const struct reference_want *want) {
    const uint64_t a = first->length + UINT64_C(1), b = second->length + UINT64_C(1);
    const size_t pair = 2 * sizeof *first->z, one = sizeof *first->small;
    struct reference_julia *julia = julia_of(want);
    first->julia = julia;
    if (!julia || a + b >= UINT32_MAX || !grown((const void **)&first->z, a * pair, b * pair) ||
        (second->low && !grown((const void **)&first->low, a * pair, b * pair)) ||
        !grown((const void **)&first->small, first->small_count * one,
               (second->small_count + UINT64_C(1)) * one))
        return false;
    memcpy((double *)first->z + 2 * a, second->z, b * pair);
    if (second->low)
        memcpy((double *)first->low + 2 * a, second->low, b * pair);
    struct reference_small *small = (struct reference_small *)first->small + first->small_count;
    for (uint32_t i = 0; i < second->small_count; i++) {
        small[i] = second->small[i];
        small[i].index += (uint32_t)a;
    }
    julia->first = (uint32_t)a;
    first->length = (uint32_t)(a + b - 1);
    first->small_count += second->small_count;
    first->limit = want->limit;
    first->escaped = false;
    first->moved |= second->moved;
    first->step_log2 = want->step_log2;
    first->rest->bytes += second->rest->bytes;
    mpfr_set_prec(first->re, mpfr_get_prec(want->start->re));
    mpfr_set_prec(first->im, mpfr_get_prec(want->start->im));
    mpfr_set(first->re, want->start->re, MPFR_RNDN);
    mpfr_set(first->im, want->start->im, MPFR_RNDN);
    return true;
}

const struct reference *reference_make_julia(const struct reference_want *want,
                                             const atomic_bool *stop, atomic_uint *progress) {
    require(want->start, NULL);
    double more = 0;
    const struct reference *second = make_second(want, stop, &more);
    const struct reference *first = second ? make_first(want, more, stop, progress) : NULL;
    if (first && !join((struct reference *)first, second, want)) {
        log_error(
            "no memory for the reference orbit of a Julia set: choose a lower iteration limit");
        reference_unref(first);
        first = NULL;
    }
    reference_unref(second);
    return first;
}
