/* Finds a view's minibrot: merges the segments of a period of the reference. */
#include "render/deep/minibrot.h"
#include "render/deep/perturbed_point.h"
#include "render/deep/tables/tables.h"
#include <complex.h>
#include <math.h>

#define PARTS_MOST 4096    /* of a period; a millisecond */
#define ROUNDED    0x1p-46 /* share that rounding loses of C */
#define CLOSE_MOST (-8.0)  /* log2 of |z / Z| */
#define LOSS_MOST  0x1p-16
/* log2 of a view's radius in units of the minibrot: least and most; and up to which a smaller
 * minibrot is preferred */
#define VIEW_LEAST (-20.0)
#define VIEW_MOST  24.0
#define VIEW_NEAR  3.0
/* log2 of the distance of a nucleus in units of the view's radius, beyond which no point of the
 * view lies in its minibrot: 4 in units of the minibrot, and a margin */
#define NUCLEUS_MOST (4 - VIEW_LEAST)

/* A segment from 0 on, as far as minibrots need it: z' = P_1 x + P_2 x^2 + c (C + Q_1 x) + C2 c^2.
 * With |x| and |c| below their bounds it loses as much as segments do. `c_plain` bounds |c| where
 * segments have no terms in x c. */
struct part {
    struct extended p1, p2, c, q1, c2;
    double x_log2, c_log2, c_plain;
    uint32_t length;
};

/* log2 of the largest |z / Z|, and of what is lost then, as in segments_tmpl.c. */
static int close_log2(const struct perturbed_tables *t) {
    return t->low ? -17 : -8;
}

static int lost_log2(const struct perturbed_tables *t) {
    return t->low ? -102 : -48;
}

static double log2_size(struct extended z) {
    return z.log2 == EXTENDED_ZERO ? -INFINITY : z.log2 + log2(hypot(z.re, z.im));
}

static struct extended times(struct extended a, struct extended b) {
    return extended_product(a, b);
}

static struct extended plus(struct extended a, struct extended b) {
    return extended_sum(a, b);
}

static struct part single_step(void) {
    const struct extended one = extended_make(1, 0, 0), zero = {0, 0, EXTENDED_ZERO};
    return (struct part){one, zero, one, zero, zero, INFINITY, INFINITY, INFINITY, 1};
}

static struct part part_of(const struct segment *s, const struct segment_cross *cross) {
    struct part to = single_step();
    to.p1 = extended_make(s->p[0][0], s->p[0][1], -s->t_log2);
    to.p2 = extended_make(s->p[1][0], s->p[1][1], -2 * s->t_log2);
    to.c = extended_make(s->c_r, s->c_i, s->c_log2);
    to.x_log2 = s->t_log2;
    to.length = (uint32_t)s->length;
    if (!cross || cross->t_c_log2 == SEGMENT_CROSS_NONE) {
        to.c_plain = s->t_c_log2;
        return to;
    }
    const double *c2 = cross->q[SEGMENT_DEGREE - 1];
    to.q1 = extended_make(cross->q[0][0], cross->q[0][1], s->c_log2 - s->t_log2);
    to.c2 = extended_make(c2[0], c2[1], 2 * s->c_log2);
    to.c_log2 = cross->t_c_log2;
    return to;
}

/* Returns the longest part from index m on that does not pass `end`. */
static struct part part_at(const struct perturbed_tables *t, const struct segment_cross *cross,
                           uint32_t m, uint32_t end) {
    const uint32_t list = t->list_at[m];
    for (uint32_t k = list > 0 ? t->list[list].first : 0;
         list > 0 && k-- > t->list[list - 1].first;)
        if ((uint32_t)t->segment[k].length <= end - m)
            return part_of(&t->segment[k], cross ? &cross[k] : NULL);
    return single_step();
}

/* Appends b, which starts at Z (segments_cross.h). */
static void append(const struct perturbed_tables *t, struct part *a, const struct part *b,
                   struct extended Z) {
    const int close = close_log2(t), lost = lost_log2(t) / 2;
    const struct extended twice = extended_twice(Z);
    const struct extended e1 = times(twice, a->p1);
    const struct extended e2 = plus(times(twice, a->p2), times(a->p1, a->p1));
    const struct extended f0 = times(twice, a->c);
    const struct extended f1 = plus(times(twice, a->q1), extended_twice(times(a->p1, a->c)));
    const struct extended g = plus(times(twice, a->c2), times(a->c, a->c));
    const double z = log2_size(Z);
    a->x_log2 = fmin(a->x_log2, fmin(z + close - log2_size(a->p1), b->x_log2 - log2_size(e1)));
    a->c_log2 = fmin(fmin(a->c_log2, b->c_log2),
                     fmin(z + lost - log2_size(a->c), b->x_log2 + lost - close - log2_size(f0)));
    a->c_plain = fmin(a->c_plain, b->c_plain);
    a->c2 = plus(plus(times(b->p1, g), times(times(b->p2, f0), f0)), plus(times(b->q1, f0), b->c2));
    a->q1 =
        plus(plus(times(b->p1, f1), extended_twice(times(b->p2, times(e1, f0)))), times(b->q1, e1));
    a->p2 = plus(times(b->p1, e2), times(b->p2, times(e1, e1)));
    a->p1 = times(b->p1, e1);
    a->c = plus(times(b->p1, f0), b->c);
    a->length += b->length;
}

static struct extended quotient(struct extended a, struct extended b) {
    const double norm2 = b.re * b.re + b.im * b.im;
    return times(a, extended_make(b.re / norm2, -b.im / norm2, -b.log2));
}

static double complex number(struct extended z) {
    double re, im;
    extended_get(z, &re, &im);
    return re + im * I;
}

static struct complex_double parts_of(double complex z) {
    return (struct complex_double){creal(z), cimag(z)};
}

/* Makes the minibrot of a whole period, which ends at Z, for a view whose radius in units of the
 * minibrot is 2^view. `loss` is 0 if the period loses too much. */
static struct minibrot of_period(const struct perturbed_tables *t, const struct part *p,
                                 struct extended Z, double view) {
    const struct minibrot none = {.loss = 0};
    const struct extended by_c = times(p->p1, p->c), start = times(p->p1, Z);
    if (log2_size(start) > fmax(view, 1) + 1)
        return none; /* no |C| < 2 */
    const double complex k0 = number(start);
    const double reach = fmin(cabs(k0) + 2, exp2(view));
    /* log2, while |w| < 2 and |C| < 2: of |z / Z|; of |c| relative to its bounds */
    const double close = close_log2(t) + 2 - 2 * log2_size(p->p1) - p->x_log2;
    const double c = log2(reach) - log2_size(by_c);
    const double along = lost_log2(t) / 2 + c - p->c_log2, plain = lost_log2(t) + c - p->c_plain;
    if (!(close < CLOSE_MOST && along < 0 && plain < 0))
        return none;
    const double complex a = number(quotient(p->p2, times(p->p1, times(p->p1, p->p1))));
    const double complex q = number(quotient(p->q1, times(p->p1, by_c)));
    const double complex k2 = number(quotient(times(p->p1, p->c2), times(by_c, by_c)));
    const double complex grow = 1 + q * k0;
    const struct minibrot m = {
        .start = parts_of(k0),
        .slope = parts_of(number(times(by_c, extended_make(creal(grow), cimag(grow), t->c_log2)))),
        .curve = parts_of((k2 + q) / (grow * grow)),
        .a = parts_of(a),
        .loss = ROUNDED * (2 + cabs(k0)) + 8 * exp2(2 * close) + 8 * exp2(plain) +
                8 * exp2(along) * (exp2(along) + exp2(close)) +
                (cabs(q * k2) * reach * reach + 48 * cabs(a * q)) * reach,
    };
    return m.loss < LOSS_MOST ? m : none;
}

struct minibrot minibrot_find(const struct perturbed_tables *t, const struct segment_cross *cross,
                              const struct reference_cut *cuts, uint32_t size) {
    struct minibrot m = {.loss = 0};
    uint32_t parts = 0, first = 0;
    while (first < size && cuts[first].radius_log2 > t->c_most_log2 + NUCLEUS_MOST)
        first++;
    struct part whole = part_at(t, cross, 0, first < size ? cuts[first].index : 0);
    for (uint32_t i = first; i < size; i++) {
        for (; whole.length < cuts[i].index && parts < PARTS_MOST; parts++) {
            const struct part next = part_at(t, cross, whole.length, cuts[i].index);
            append(t, &whole, &next, perturbed_reference(t, whole.length));
        }
        const double view = log2_size(times(whole.p1, whole.c)) + t->c_most_log2;
        if (whole.length < cuts[i].index || view > (m.loss > 0 ? VIEW_NEAR : VIEW_MOST))
            break;
        const struct minibrot found =
            of_period(t, &whole, perturbed_reference(t, whole.length), view);
        if (view > VIEW_LEAST && found.loss > 0)
            m = found;
    }
    return m;
}
