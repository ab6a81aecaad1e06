/* Builds the tables of polynomial segments of an orbit, compiled for doubles and for wide numbers. Steps are appended to the shortest ones,
 * which are merged into longer ones, level upon level, while the orbit is read once. Where it comes
 * near zero, the distance soon matters more than the orbit: segments end there, and their first
 * steps, which are exact, get over it. */
#include "render/deep/segments.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef SEGMENTS_WIDE
typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define WIDE_KERNEL
#include "render/number/wide.h"
#endif

/* A sum that is cut after SEGMENT_DEGREE loses 2^(-8 * 6) of itself while |z| < 2^-8 |Z|. */
#ifdef SEGMENTS_WIDE
#define CLOSE_LOG2 (-17)
#define LOST_LOG2  (-102)
#else
#define CLOSE_LOG2 (-8)
#define LOST_LOG2  (-48)
#endif
#define SPAN        16       /* steps of the shortest segments, */
#define MERGED      4        /* and how many of one level go into one of the next */
#define KEPT        8        /* the fewest steps that are worth a segment */
#define DIP         0x1p-6   /* of the orbit's least since the segment began, ends it; */
#define DIP_ABOVE   0x1p-3   /* the same for the higher levels */
#define CROSS_LEAST 0x1p-400 /* no segment goes over an index that is nearer zero */
#define LEVELS      20
#define STOP_STEPS  1024 /* between looks at `stop` */

/* m 2^log2, 0.5 <= m < 1. */
struct positive {
    double m;
    int log2;
};

/* --- coefficients --- */

#ifdef SEGMENTS_WIDE
typedef struct wide coefficient;

static coefficient plain(double x) {
    return (struct wide){x, 0};
}

static double high(coefficient x) {
    return x.hi;
}

static coefficient add(coefficient a, coefficient b) {
    return wide_add(a, b);
}

static coefficient subtract(coefficient a, coefficient b) {
    return wide_add(a, wide_negative(b));
}

static coefficient product(coefficient a, coefficient b) {
    return wide_product(a, b);
}

static coefficient shifted(coefficient x, int log2) {
    return (struct wide){ldexp(x.hi, log2), ldexp(x.lo, log2)};
}
#else
typedef double coefficient;

static coefficient plain(double x) {
    return x;
}

static double high(coefficient x) {
    return x;
}

static coefficient add(coefficient a, coefficient b) {
    return a + b;
}

static coefficient subtract(coefficient a, coefficient b) {
    return a - b;
}

static coefficient product(coefficient a, coefficient b) {
    return a * b;
}

static coefficient shifted(coefficient x, int log2) {
    return ldexp(x, log2);
}
#endif

/* Real and imaginary part. */
struct number {
    coefficient re, im;
};

static struct number sum(struct number a, struct number b) {
    return (struct number){add(a.re, b.re), add(a.im, b.im)};
}

static struct number times(struct number a, struct number b) {
    return (struct number){subtract(product(a.re, b.re), product(a.im, b.im)),
                           add(product(a.re, b.im), product(a.im, b.re))};
}

static struct number shifted_number(struct number a, int log2) {
    return (struct number){shifted(a.re, log2), shifted(a.im, log2)};
}

static double size(struct number a) {
    const double re = high(a.re), im = high(a.im);
    return sqrt(re * re + im * im);
}

typedef struct number poly[SEGMENT_DEGREE];

struct draft {
    uint32_t start;
    int32_t length, t_log2, c_log2; /* as in struct segment */
    poly p;
    struct number c;
    struct positive t_c;
    double least; /* of the orbit after the first index, in the higher levels of segments' starts */
    int parts;
};

struct builder {
    struct segments *to;
    const double *orbit, *low; /* the latter of wide numbers */
    uint32_t *start;           /* of the list's */
    size_t room;
    struct draft open[LEVELS];
    bool failed;
};

static struct positive positive(double x, int log2) {
    int more;
    const double m = frexp(x, &more);
    return (struct positive){m, log2 + more};
}

static bool positive_less(struct positive a, struct positive b) {
    return a.log2 < b.log2 || (a.log2 == b.log2 && a.m < b.m);
}

/* --- polynomials --- */

/* to += a b, both without constant terms, cut. */
static void poly_add_product(poly to, const poly a, const poly b) {
    for (int i = 0; i < SEGMENT_DEGREE - 1; i++)
        for (int j = 0; i + j + 1 < SEGMENT_DEGREE; j++)
            to[i + j + 1] = sum(to[i + j + 1], times(a[i], b[j]));
}

static void poly_add_scaled(poly to, struct number by, const poly a) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        to[k] = sum(to[k], times(by, a[k]));
}

/* (2 Z + p) p */
static void poly_step(poly p, struct number z) {
    poly e = {{plain(0), plain(0)}};
    poly_add_scaled(e, sum(z, z), p);
    poly_add_product(e, p, p);
    memcpy(p, e, sizeof e);
}

static void poly_compose(poly to, const poly outer, const poly inner) {
    poly whole = {{plain(0), plain(0)}};
    poly_add_scaled(whole, outer[SEGMENT_DEGREE - 1], inner);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        poly next = {{plain(0), plain(0)}};
        poly_add_product(next, whole, inner);
        poly_add_scaled(next, outer[k], inner);
        memcpy(whole, next, sizeof whole);
    }
    memcpy(to, whole, sizeof whole);
}

/* Makes T 2^shift times as large, and all of the polynomial 2^whole times. */
static void scale(struct draft *d, int shift, int whole) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        d->p[k] = shifted_number(d->p[k], (k + 1) * shift + whole);
    d->t_log2 += shift;
}

/* How many times T is to be halved where |p_1 x| must stay below `most` times 2^log2, as a power of
 * two. */
static int shift_for(const struct draft *d, double most, int log2) {
    const double p1 = size(d->p[0]);
    if (p1 == 0)
        return 0;
    const struct positive bound = positive(most / p1, log2);
    return bound.log2 < 1 ? bound.log2 - 1 : 0;
}

/* The same for T_c and |C c|. */
static void bound_t_c(struct draft *d, double most, int log2) {
    const double c = size(d->c);
    if (c == 0)
        return;
    const struct positive bound = positive(most / c, log2 - d->c_log2);
    if (positive_less(bound, d->t_c))
        d->t_c = bound;
}

/* c 2^log2, made normal. */
static struct number normal(struct number c, int log2, int32_t *c_log2) {
    int more = 0;
    const double most = fmax(fabs(high(c.re)), fabs(high(c.im)));
    frexp(most, &more);
    *c_log2 = most > 0 ? log2 + more : 0;
    return shifted_number(c, -more);
}

/* --- growing --- */

/* Its first step: z' = x + c. */
static struct draft begin(uint32_t start) {
    struct draft d = {.start = start, .t_c = {0.5, 1000}, .least = INFINITY};
    d.t_log2 = 2;
    d.p[0].re = plain(4);
    d.length = 1;
    d.c = normal((struct number){plain(1), plain(0)}, 0, &d.c_log2);
    return d;
}

/* The farthest that orbits may get from Z where the series is to be cut, and none may escape. */
static double close_to(double z) {
    return fmin(ldexp(z, CLOSE_LOG2), (2 - z) / 4);
}

static double lost_at(double z) {
    return fmin(ldexp(z, LOST_LOG2), (2 - z) / 4);
}

static void append(struct draft *d, struct number at, double z) {
    bound_t_c(d, lost_at(z), 0);
    scale(d, shift_for(d, close_to(z), 0), 0);
    poly_step(d->p, at);
    const struct number half = times(at, d->c), one = {plain(ldexp(1, -d->c_log2)), plain(0)};
    d->c = normal(sum(shifted_number(half, 1), one), d->c_log2, &d->c_log2);
    d->length++;
    d->least = fmin(d->least, z);
}

/* Appends b, which starts at Z. */
static void merge(struct draft *a, const struct draft *b, struct number at) {
    const double z = size(at);
    const int shift = shift_for(a, close_to(z), 0);
    const int shift_b = shift_for(a, 0.5 / z, b->t_log2);
    bound_t_c(a, lost_at(z), 0);
    bound_t_c(a, 0.5 / z, b->t_log2 + LOST_LOG2 - CLOSE_LOG2);
    if (positive_less(b->t_c, a->t_c))
        a->t_c = b->t_c;
    poly_step(a->p, at);
    scale(a, shift < shift_b ? shift : shift_b, -b->t_log2);
    poly_compose(a->p, b->p, a->p);
    /* C = (2 Z C_a) P_1 + C_b */
    int32_t log2;
    const struct number before = shifted_number(times(at, a->c), 1);
    const struct number c = normal(times(before, b->p[0]), a->c_log2 - b->t_log2, &log2);
    const int32_t top = log2 > b->c_log2 ? log2 : b->c_log2;
    a->c = normal(sum(shifted_number(c, log2 - top), shifted_number(b->c, b->c_log2 - top)), top,
                  &a->c_log2);
    a->length += b->length;
    a->least = fmin(a->least, z);
    a->parts++;
}

#ifdef SEGMENTS_WIDE
static void put_low(struct segment_low *low, const struct draft *d) {
    for (int k = 0; k < SEGMENT_DEGREE; k++) {
        low->p[k][0] = d->p[k].re.lo;
        low->p[k][1] = d->p[k].im.lo;
    }
    low->c_r = d->c.re.lo;
    low->c_i = d->c.im.lo;
}
#endif

static void put(struct segments *to, uint32_t i, const struct draft *d) {
    struct segment *s = &to->segment[i];
    *s = (struct segment){.t_log2 = d->t_log2,
                          .length = d->length,
                          .t_c_log2 = d->t_c.log2 - 1,
                          .c_log2 = d->c_log2,
                          .c_r = high(d->c.re),
                          .c_i = high(d->c.im)};
    for (int k = 0; k < SEGMENT_DEGREE; k++) {
        s->p[k][0] = high(d->p[k].re);
        s->p[k][1] = high(d->p[k].im);
    }
#ifdef SEGMENTS_WIDE
    put_low(&to->low[i], d);
#endif
}

/* Room for so many more. False: no memory. */
static bool more_room(struct builder *b, size_t room) {
    struct segments *to = b->to;
    struct segment *segment = realloc(to->segment, room * sizeof *segment);
    to->segment = segment ? segment : to->segment;
    uint32_t *start = realloc(b->start, room * sizeof *start);
    b->start = start ? start : b->start;
    b->room = room;
#ifdef SEGMENTS_WIDE
    struct segment_low *low = realloc(to->low, room * sizeof *low);
    to->low = low ? low : to->low;
    return segment && start && low;
#else
    return segment && start;
#endif
}

static void keep(struct builder *b, const struct draft *d) {
    struct segments *to = b->to;
    if (to->size == b->room && !b->failed)
        b->failed = !more_room(b, 2 * (size_t)b->room + 1024);
    if (b->failed)
        return;
    b->start[to->size] = d->start;
    put(to, to->size++, d);
}

/* Whether what is open on a level ends before an index with |Z| = z. */
static bool ends(const struct draft *d, double z) {
    return d->parts == MERGED || z < CROSS_LEAST || (d->parts > 1 && z < DIP_ABOVE * d->least);
}

static struct number orbit_at(const struct builder *b, uint32_t m) {
    const double *z = b->orbit + 2 * (size_t)m;
#ifdef SEGMENTS_WIDE
    const double *low = b->low + 2 * (size_t)m;
    return (struct number){{z[0], low[0]}, {z[1], low[1]}};
#else
    return (struct number){z[0], z[1]};
#endif
}

/* Completes a level's segment, the next one of which begins with |Z| = z, and hands it upwards. Only
 * what lies before that index decides, so that longer orbits change nothing. */
static void complete(struct builder *b, int level, double z) {
    const struct draft *d = &b->open[level];
    if (d->length >= KEPT)
        keep(b, d);
    if (level + 1 == LEVELS)
        return;
    struct draft *above = &b->open[level + 1];
    if (above->parts > 0) {
        merge(above, d, orbit_at(b, d->start));
    } else {
        *above = *d;
        above->parts = 1;
        above->least = INFINITY;
    }
    if (ends(above, z)) {
        complete(b, level + 1, z);
        above->parts = 0;
    }
}

/* --- lists --- */

/* Brings what belongs to segments, `bytes` each, into the order of their starts, `at` being the first
 * of each. */
static void *sorted(const struct builder *b, void *from, size_t bytes, const uint32_t *at) {
    const struct segments *to = b->to;
    char *in_order = malloc((to->size + (size_t)1) * bytes);
    uint32_t *next = malloc((to->length + (size_t)2) * sizeof *next);
    if (in_order && next) {
        memcpy(next, at, (to->length + (size_t)2) * sizeof *next);
        for (uint32_t i = 0; i < to->size; i++)
            memcpy(in_order + next[b->start[i]]++ * bytes, (const char *)from + i * bytes, bytes);
    } else {
        free(in_order);
        in_order = NULL;
    }
    free(next);
    free(from);
    return in_order;
}

/* Brings those with the same start together; in the order of their levels they are already. */
static bool sort(struct builder *b) {
    struct segments *to = b->to;
    uint32_t *at = calloc((size_t)to->length + 2, sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < to->size; i++)
        at[b->start[i] + 1]++;
    for (uint32_t m = 0; m <= to->length; m++) {
        to->lists += at[m + 1] > 0;
        at[m + 1] += at[m];
    }
    to->segment = sorted(b, to->segment, sizeof *to->segment, at);
    bool ok = to->segment;
#ifdef SEGMENTS_WIDE
    to->low = sorted(b, to->low, sizeof *to->low, at);
    ok = ok && to->low;
#endif
    to->list_at = at; /* of index m: where m's begin */
    return ok;
}

/* From where each index's segments begin to their lists. */
static bool make_lists(struct segments *to) {
    to->list = malloc(((size_t)to->lists + 1) * sizeof *to->list);
    if (!to->list)
        return false;
    uint32_t lists = 0;
    for (uint32_t m = 0; m <= to->length; m++) {
        const uint32_t first = to->list_at[m], end = to->list_at[m + 1];
        to->list_at[m] = end > first ? lists + 1 : 0;
        if (end > first)
            to->list[lists++] = (struct segment_list){m, first};
    }
    to->list[lists] = (struct segment_list){to->length, to->size};
    return true;
}

static bool build(struct builder *b, uint32_t length, const atomic_bool *stop) {
    struct segments *segments = b->to;
    struct draft *d = &b->open[0];
    *segments = (struct segments){.length = length};
    *d = begin(0);
    for (uint32_t m = 1; m <= length && !b->failed; m++) {
        if (stop && m % STOP_STEPS == 0)
            b->failed = atomic_load_explicit(stop, memory_order_relaxed);
        const struct number at = orbit_at(b, m);
        const double z = size(at);
        const bool dips = d->length > 1 && z < DIP * d->least;
        if (dips || d->length == SPAN || z >= 2 || z < CROSS_LEAST) {
            complete(b, 0, z);
            *d = begin(m);
        } else {
            append(d, at, z);
        }
    }
    const bool ok = !b->failed && sort(b) && make_lists(segments);
    free(b->start);
    if (!ok)
        segments_finish(segments);
    return ok;
}

#ifdef SEGMENTS_WIDE
bool segments_init_wide(struct segments *segments, const double *orbit, const double *low,
                        uint32_t length, const atomic_bool *stop) {
    struct builder b = {.to = segments, .orbit = orbit, .low = low};
    return build(&b, length, stop);
}
#else
bool segments_init(struct segments *segments, const double *orbit, uint32_t length,
                   const atomic_bool *stop) {
    struct builder b = {.to = segments, .orbit = orbit};
    return build(&b, length, stop);
}

void segments_finish(struct segments *segments) {
    free(segments->list_at);
    free(segments->list);
    free(segments->segment);
    free(segments->low);
    *segments = (struct segments){0};
}
#endif
