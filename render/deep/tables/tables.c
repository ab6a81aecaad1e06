/* Series approximation (K. I. Martin, "Superfractalthing maths", 2013), by the same steps and
 * segments as a single orbit's: its arithmetic is that of polynomials in u = c / c_most, cut after
 * SERIES_DEGREE, with one exponent for all coefficients. As |u| < 1 the sum of their sizes bounds
 * what the polynomial can be. */
#include "render/deep/tables/tables.h"
#include "render/deep/perturbed_point.h"
#include "render/deep/perturbed_trace.h"
#include "render/parallel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/trace_walk.h"

#define ROUNDS_MOST 16384 /* a few milliseconds; inside the set a series never ends */
#define LOST_LOG2   (-50) /* of the bound, in the highest coefficients */
/* share of |Z|: orbits within it do not leave the reference; for |Z| of at least DIP */
#define STAY_SHARE     0x1p-9
#define DIP            0x1p-6
#define STAY_SHARE_DIP 0x1p-2 /* share of |Z| below DIP: orbits within it do not rebase */

#define NEAR_ZERO_LOG2 (-6) /* near 0 orbits rebase, and do not leave the reference */

#define COEFFICIENTS (SERIES_DEGREE + 1)

/* The sum of a_k u^k, times 2^log2; `bound` of the sum of |a_k| is below 1. */
struct polynomial {
    double a[COEFFICIENTS][2];
    int32_t log2;
};

static double size(const double a[2]) {
    return fabs(a[0]) + fabs(a[1]);
}

/* Scales so that the bound is in 0.5 .. 1. */
static struct polynomial normal(struct polynomial p) {
    double bound = 0;
    int more;
    for (int k = 0; k < COEFFICIENTS; k++)
        bound += size(p.a[k]);
    frexp(bound, &more);
    for (int k = 0; k < COEFFICIENTS; k++)
        for (int i = 0; i < 2; i++)
            p.a[k][i] = ldexp(p.a[k][i], -more);
    p.log2 = bound == 0 ? EXTENDED_ZERO : p.log2 + more;
    return p;
}

static struct polynomial sum(struct polynomial p, struct polynomial q) {
    struct polynomial to = p.log2 < q.log2 ? q : p;
    const struct polynomial *small = p.log2 < q.log2 ? &p : &q;
    const int32_t apart = small->log2 - to.log2;
    if (apart < -EXTENDED_APART)
        return to;
    for (int k = 0; k < COEFFICIENTS; k++)
        for (int i = 0; i < 2; i++)
            to.a[k][i] += ldexp(small->a[k][i], apart);
    return normal(to);
}

static struct polynomial product(struct polynomial p, struct polynomial q) {
    struct polynomial to = {.log2 = EXTENDED_ZERO};
    if (p.log2 == EXTENDED_ZERO || q.log2 == EXTENDED_ZERO)
        return to;
    to.log2 = p.log2 + q.log2;
    for (int i = 0; i < COEFFICIENTS; i++)
        for (int j = 0; i + j < COEFFICIENTS; j++) {
            to.a[i + j][0] += p.a[i][0] * q.a[j][0] - p.a[i][1] * q.a[j][1];
            to.a[i + j][1] += p.a[i][0] * q.a[j][1] + p.a[i][1] * q.a[j][0];
        }
    return normal(to);
}

/* Returns (re + i im) 2^log2 u^power. */
static struct polynomial term(double re, double im, int32_t log2, int power) {
    struct polynomial p = {.log2 = log2};
    p.a[power][0] = re;
    p.a[power][1] = im;
    return normal(p);
}

static struct polynomial constant(struct extended z) {
    return term(z.re, z.im, z.log2 == EXTENDED_ZERO ? 0 : z.log2, 0);
}

/* Returns the distance after a segment, from its first step's product. */
static struct polynomial run_segment(const struct segment *s, struct polynomial x,
                                     int32_t c_most_log2) {
    struct polynomial z = {.log2 = EXTENDED_ZERO};
    x.log2 -= x.log2 == EXTENDED_ZERO ? 0 : s->t_log2;
    for (int k = SEGMENT_DEGREE - 1; k >= 0; k--)
        z = product(sum(z, term(s->p[k][0], s->p[k][1], 0, 0)), x);
    return sum(z, term(s->c_r, s->c_i, s->c_log2 + c_most_log2, 1));
}

/* Returns true if cutting the polynomial loses nothing. */
static bool cut_loses_nothing(const struct polynomial *p) {
    return size(p->a[SERIES_DEGREE]) + size(p->a[SERIES_DEGREE - 1]) < ldexp(1, LOST_LOG2);
}

/* Returns true if all orbits stay with the reference: none leaves it, rebases or escapes. */
static bool stays_close(const struct polynomial *z, struct extended Z) {
    if (z->log2 == EXTENDED_ZERO || Z.log2 == EXTENDED_ZERO)
        return Z.log2 != EXTENDED_ZERO;
    const double size = hypot(Z.re, Z.im), whole = ldexp(size, Z.log2);
    return ldexp(1, z->log2 - Z.log2) < (whole < DIP ? STAY_SHARE_DIP : STAY_SHARE) * size &&
           ldexp(1, z->log2) < (2 - whole) / 4;
}

/* Returns true if all orbits pass what the reference passes, as near as struct segment_trace
 * says. */
static bool passes_as(const struct polynomial *z, double zr, double zi) {
    const double size = hypot(zr, zi);
    const double trap = fmin(fmin(fabs(zr), fabs(zi)), fabs(size - 1));
    return z->log2 == EXTENDED_ZERO ||
           ldexp(1, z->log2) < fmin(size * 0x1p-15, fmax(trap, 0x1p-24) * 0x1p-13);
}

/* State of a series for traces; NULL for others. */
struct along {
    const struct segment_trace *segment;
    double c_size;
    struct perturbed_trace *passed;
};

/* Passes index m of the reference, as point number n of orbits at a distance z from it. Returns
 * false if they differ there. */
static bool pass(const struct perturbed_tables *t, const struct along *along, uint32_t m,
                 uint32_t n, const struct polynomial *z, struct perturbed_trace *passed) {
    const struct extended Z = perturbed_reference(t, m);
    double zr, zi;
    extended_get(Z, &zr, &zi);
    if (!passes_as(z, zr, zi))
        return false;
    perturbed_trace_pass_extended(2, along->c_size, n, Z, passed);
    return true;
}

/* Passes all points before the end of a step, which is a segment or a single one, from x. Returns
 * false if orbits differ there. */
static bool pass_step(const struct perturbed_tables *t, const struct along *along,
                      const struct series *s, const struct polynomial *z,
                      const struct polynomial *first, uint32_t found) {
    struct perturbed_trace passed = *along->passed;
    if (s->n > 0 && !pass(t, along, s->m, s->n, z, &passed))
        return false;
    if (found != PERTURBED_SINGLE) {
        if (!pass(t, along, s->m + 1, s->n + 1, first, &passed))
            return false;
        perturbed_trace_along(&along->segment[found], s->n, &passed);
    }
    *along->passed = passed;
    return true;
}

/* Returns the segment that the orbits take. */
static uint32_t find(const struct perturbed_tables *t, const struct along *along, uint32_t m,
                     int32_t x_log2, uint32_t most) {
    if (x_log2 == EXTENDED_ZERO)
        return PERTURBED_SINGLE;
    if (along)
        return perturbed_find_traced(t, along->segment, m, x_log2, most, along->passed->line,
                                     along->passed->cross, along->passed->circle);
    const struct perturbed_index index = perturbed_index_at(t, m);
    return perturbed_find_in(t, &index, x_log2);
}

static struct series make(const struct perturbed_tables *t, uint32_t first, uint32_t limit,
                          const struct along *along) {
    const int32_t c_most_log2 = t->c_most_log2;
    const struct polynomial c = term(1, 0, c_most_log2, 1);
    struct polynomial z = {.log2 = EXTENDED_ZERO};
    struct series s = {.log2 = EXTENDED_ZERO, .m = first};
    if (t->julia)
        z = c;
    for (int rounds = 0; rounds < ROUNDS_MOST && s.n < limit; rounds++) {
        struct polynomial at = z;
        uint32_t m = s.m, length = 1;
        struct extended Z = perturbed_reference(t, m);
        if (m == t->last) {
            at = sum(at, constant(Z));
            if (at.log2 > NEAR_ZERO_LOG2 || along)
                break;
            m = 0;
            Z = perturbed_reference(t, 0);
        } else if (m > 0 && !stays_close(&z, Z)) {
            break;
        }
        const struct polynomial x = product(sum(constant(extended_twice(Z)), at), at);
        const uint32_t found = find(t, along, m, x.log2, limit - s.n);
        struct polynomial next = x;
        if (!t->julia && (found == PERTURBED_SINGLE || along))
            next = sum(x, c);
        if (found == PERTURBED_SINGLE) {
            at = next;
        } else {
            at = run_segment(&t->segment[found], x, c_most_log2);
            length = (uint32_t)t->segment[found].length;
        }
        if (!cut_loses_nothing(&at) || (along && !pass_step(t, along, &s, &z, &next, found)))
            break;
        z = at;
        s.m = m + length;
        s.n += length;
    }
    memcpy(s.a, z.a, sizeof s.a);
    s.log2 = z.log2;
    s.unit = extended_power(t->c_log2 - c_most_log2);
    return s;
}

struct series series_make(const struct perturbed_tables *t, uint32_t first, uint32_t limit) {
    return make(t, first, limit, NULL);
}

struct series series_make_traced(const struct perturbed_tables *t, uint32_t first, uint32_t limit,
                                 const struct segment_trace *segment,
                                 struct perturbed_trace *begun) {
    const struct along along = {segment, perturbed_trace_size(trace_square(t->re, t->im)), begun};
    *begun = perturbed_trace_none();
    return make(t, first, limit, &along);
}

/* --- what segments pass --- */

/* The shortest segments are traced step by step, independently of one another. Longer segments
 * follow, from the last to the first, and combine the traces of their parts. */
#define PART 1024 /* lists that a thread takes at a time */

struct maker {
    const struct segments *of;
    const struct segment_orbits *orbits;
    double c_size;
    struct segment_trace *to;
};

static double square_at(const struct maker *m, uint32_t index) {
    const double *z = m->orbits->z + 2 * (size_t)index;
    return trace_square(z[0], z[1]);
}

/* Returns the power of the step from an index. */
static int power_at(const struct segment_orbits *o, uint32_t index) {
    uint32_t i = o->steps->length - 1;
    while (index < o->begin[i])
        i--;
    const bool begins_anywhere = o->first > 0 && index >= o->first;
    const uint32_t number = begins_anywhere ? index - o->first : i + index - o->begin[i];
    return step_list_power(o->steps, step_list_number(o->steps, number));
}

static struct segment_trace none(const struct maker *m, uint32_t start) {
    return (struct segment_trace){.square = TRACE_FAR,
                                  .line = TRACE_FAR,
                                  .cross = TRACE_FAR,
                                  .circle = TRACE_FAR,
                                  .size = perturbed_trace_size(square_at(m, start + 1))};
}

static void pass_index(const struct maker *m, uint32_t start, uint32_t index,
                       struct segment_trace *t) {
    const double re = m->orbits->z[2 * (size_t)index], im = m->orbits->z[2 * (size_t)index + 1];
    const double square = trace_square(re, im), size = perturbed_trace_size(square);
    t->nearest = square < t->square ? index - start : t->nearest;
    t->square = real_least(square, t->square);
    t->line = trace_line(im, t->line);
    t->cross = trace_cross(re, im, t->cross);
    t->circle = trace_circle(size, t->circle);
    t->stripe += trace_stripe(re, im, square);
    t->triangle += trace_triangle(power_at(m->orbits, index - 1), size, t->size, m->c_size);
    t->size = size;
}

/* Adds what the segment that begins at `at` passes, except its first two indices. */
static void pass_segment(uint32_t start, uint32_t at, const struct segment_trace *other,
                         struct segment_trace *t) {
    t->nearest = other->square < t->square ? at - start + other->nearest : t->nearest;
    t->square = real_least(other->square, t->square);
    t->line = real_least(other->line, t->line);
    t->cross = real_least(other->cross, t->cross);
    t->circle = real_least(other->circle, t->circle);
    t->stripe += other->stripe;
    t->triangle += other->triangle;
    t->size = other->size;
}

/* log2: T 2^-CLOSE keeps distances below 2^-15 |Z|, as T keeps them below 2^-8 |Z| */
#define CLOSE      8
#define NEAR       7       /* log2: keeps distances below 2^-13, as |Z| < 2 */
#define HALF       (-5)    /* log2: keeps distances below 1/2 */
#define NEAR_LEAST 0x1p-24 /* a trap that is nearer counts as being this near */
#define HALF_LEAST 0x1p-36

/* Returns log2 of how far below T distances are less than `least` by that factor. */
static int16_t log2_below(int less, double least) {
    int log2;
    frexp(least, &log2);
    const int shift = less + 1 - log2;
    return (int16_t)(shift > CLOSE ? shift : CLOSE);
}

static void set_bounds(struct segment_trace *t) {
    const double least = fmin(t->cross, t->circle);
    t->near = log2_below(NEAR, fmax(least, NEAR_LEAST));
    t->far = log2_below(HALF, fmax(least, HALF_LEAST));
}

static void make_shortest(void *user, uint32_t first, uint32_t end) {
    const struct maker *m = user;
    for (uint32_t i = first; i < end; i++) {
        const struct segment_list *list = &m->of->list[i];
        const struct segment *s = &m->of->segment[list->first];
        struct segment_trace t = none(m, list->start);
        for (uint32_t k = 2; k < (uint32_t)s->length; k++)
            pass_index(m, list->start, list->start + k, &t);
        set_bounds(&t);
        m->to[list->first] = t;
    }
}

/* Returns the longest segment before number `below` that starts at an index and ends no later than
 * `end`; `below` if there is none. */
static uint32_t longest(const struct maker *m, uint32_t index, uint32_t end, uint32_t below) {
    const struct segments *of = m->of;
    const uint32_t number = of->list_at[index];
    if (number == 0)
        return below;
    const struct segment_list *list = &of->list[number - 1];
    uint32_t found = below;
    for (uint32_t k = list->first; k < list[1].first && k != below; k++)
        if (index + (uint32_t)of->segment[k].length <= end)
            found = k;
    return found;
}

static void make_longer(const struct maker *m, const struct segment_list *list, uint32_t number) {
    const struct segment *s = &m->of->segment[number];
    const uint32_t start = list->start, end = start + (uint32_t)s->length;
    struct segment_trace t = none(m, start);
    for (uint32_t at = start + 2; at < end;) {
        const uint32_t part = longest(m, at - 2, end, number);
        if (part == number) {
            pass_index(m, start, at++, &t);
        } else {
            pass_segment(start, at - 2, &m->to[part], &t);
            at += (uint32_t)m->of->segment[part].length - 2;
        }
    }
    set_bounds(&t);
    m->to[number] = t;
}

struct segment_trace *segment_traces_make(const struct segments *segments,
                                          const struct segment_orbits *orbits, double re,
                                          double im) {
    struct maker m = {.of = segments, .orbits = orbits};
    m.c_size = perturbed_trace_size(trace_square(re, im));
    m.to = malloc((segments->size + (size_t)1) * sizeof *m.to);
    if (!m.to)
        return NULL;
    parallel_for(segments->lists, PART, make_shortest, &m);
    for (uint32_t i = segments->lists; i-- > 0;)
        for (uint32_t k = segments->list[i].first + 1; k < segments->list[i + 1].first; k++)
            make_longer(&m, &segments->list[i], k);
    return m.to;
}
