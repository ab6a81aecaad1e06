/* Builds the tables of polynomial segments of an orbit, compiled for doubles and for wide numbers. First
 * the orbit is divided: the shortest segments are some of its steps, longer ones some of the level below. Then
 * each level's polynomials are made, all at once: steps are appended to the shortest ones, which are merged into
 * longer ones. Where the orbit comes near zero, the distance soon matters more than the orbit: segments end
 * there, and their first steps, which are exact, get over it. */
#include "render/deep/extended.h"
#include "render/deep/tables/parallel.h"
#include "render/deep/tables/segments.h"
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
#define PART        256  /* segments that a thread makes at a time */

/* m 2^log2, 0.5 <= m < 1. */
struct positive {
    double m;
    int log2;
};

/* --- coefficients --- */

/* As ldexp, which takes several times as long. */
static double scaled(double x, int log2) {
    return log2 >= -1022 && log2 <= 1023 ? x * extended_power(log2) : ldexp(x, log2);
}

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
    return (struct wide){scaled(x.hi, log2), scaled(x.lo, log2)};
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
    return scaled(x, log2);
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

/* A segment, as struct segment has it. */
struct draft {
    int32_t t_log2, c_log2;
    poly p;
    struct number c;
    struct positive t_c;
};

/* Where a segment of a level is, and what it is made of: steps, or `parts` of the level below it from
 * `first` on. */
struct span {
    uint32_t start, first;
    int32_t length, parts;
};

struct level {
    struct span *span;
    uint32_t size, room;
    /* The one that is open: */
    struct span open;
    double least; /* of the orbit after the first index, in the higher levels of segments' starts */
};

struct builder {
    struct segments *to;
    const double *orbit, *low; /* the latter of wide numbers */
    const atomic_bool *stop;   /* may be NULL */
    struct level level[LEVELS];
    struct draft *draft, *below; /* of the level that is being made, and of the one below it */
    uint32_t *next;              /* of an index: where its next segment goes */
    int making;                  /* the level */
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
    if (shift == 0 && whole == 0)
        return;
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

/* A first step: z' = x + c. */
static struct draft begin(void) {
    struct draft d = {.t_c = {0.5, 1000}, .t_log2 = 2};
    d.p[0].re = plain(4);
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

static void append(struct draft *d, struct number at) {
    const double z = size(at);
    bound_t_c(d, lost_at(z), 0);
    scale(d, shift_for(d, close_to(z), 0), 0);
    poly_step(d->p, at);
    const struct number half = times(at, d->c), one = {plain(ldexp(1, -d->c_log2)), plain(0)};
    d->c = normal(sum(shifted_number(half, 1), one), d->c_log2, &d->c_log2);
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

static void put(struct segments *to, uint32_t i, const struct draft *d, int32_t length) {
    struct segment *s = &to->segment[i];
    *s = (struct segment){.t_log2 = d->t_log2,
                          .length = length,
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

static struct number orbit_at(const struct builder *b, uint32_t m) {
    const double *z = b->orbit + 2 * (size_t)m;
#ifdef SEGMENTS_WIDE
    const double *low = b->low + 2 * (size_t)m;
    return (struct number){{z[0], low[0]}, {z[1], low[1]}};
#else
    return (struct number){z[0], z[1]};
#endif
}

/* --- where they are --- */

static bool stopped(const struct builder *b) {
    return b->stop && atomic_load_explicit(b->stop, memory_order_relaxed);
}

/* Whether what is open on a level ends before an index with |Z| = z: at the escape in any case. */
static bool ends(const struct level *at, double z) {
    return at->open.parts == MERGED || z < CROSS_LEAST || z >= 2 ||
           (at->open.parts > 1 && z < DIP_ABOVE * at->least);
}

/* Completes a level's segment, the next one of which begins with |Z| = z, and hands it upwards. Only
 * what lies before that index decides, so that longer orbits change nothing. */
static void complete(struct builder *b, int level, double z) {
    struct level *at = &b->level[level];
    if (at->size == at->room) {
        at->room = 2 * at->room + 64;
        struct span *span = realloc(at->span, at->room * sizeof *span);
        at->span = span ? span : at->span;
        b->failed |= !span;
    }
    if (b->failed)
        return;
    at->span[at->size++] = at->open;
    if (level + 1 == LEVELS)
        return;
    struct level *above = at + 1;
    if (above->open.parts == 0) {
        above->open = (struct span){at->open.start, at->size - 1, 0, 0};
        above->least = INFINITY;
    } else {
        above->least = fmin(above->least, size(orbit_at(b, at->open.start)));
    }
    above->open.length += at->open.length;
    above->open.parts++;
    if (ends(above, z)) {
        complete(b, level + 1, z);
        above->open.parts = 0;
    }
}

/* All segments' places. */
static void divide(struct builder *b) {
    struct level *steps = &b->level[0];
    steps->open = (struct span){.length = 1};
    steps->least = INFINITY;
    for (uint32_t m = 1; m <= b->to->length && !b->failed; m++) {
        const double z = size(orbit_at(b, m));
        const bool dips = steps->open.length > 1 && z < DIP * steps->least;
        if (m % STOP_STEPS == 0)
            b->failed = stopped(b);
        if (dips || steps->open.length == SPAN || z >= 2 || z < CROSS_LEAST) {
            complete(b, 0, z);
            steps->open = (struct span){.start = m, .length = 1};
            steps->least = INFINITY;
        } else {
            steps->open.length++;
            steps->least = fmin(steps->least, z);
        }
    }
}

/* --- what they are --- */

/* Those of a level from `first` up to `end`. */
static void make_drafts(void *user, uint32_t first, uint32_t end) {
    const struct builder *b = user;
    const struct level *at = &b->level[b->making];
    for (uint32_t i = first; i < end && !stopped(b); i++) {
        const struct span *span = &at->span[i];
        struct draft d = b->making == 0 ? begin() : b->below[span->first];
        if (b->making == 0)
            for (uint32_t m = span->start + 1; m < span->start + (uint32_t)span->length; m++)
                append(&d, orbit_at(b, m));
        else
            for (uint32_t k = span->first + 1; k < span->first + (uint32_t)span->parts; k++)
                merge(&d, &b->below[k], orbit_at(b, at[-1].span[k].start));
        b->draft[i] = d;
    }
}

/* Makes a level's segments, and puts those that are kept where they belong. */
static void make_level(struct builder *b, int level) {
    const struct level *at = &b->level[level];
    b->making = level;
    b->draft = malloc((at->size + (size_t)1) * sizeof *b->draft);
    b->failed |= !b->draft;
    if (!b->failed)
        parallel_for(at->size, PART, make_drafts, b);
    b->failed |= stopped(b);
    for (uint32_t i = 0; i < at->size && !b->failed; i++)
        if (at->span[i].length >= KEPT)
            put(b->to, b->next[at->span[i].start]++, &b->draft[i], at->span[i].length);
    free(b->below);
    b->below = b->draft;
}

/* --- lists --- */

/* Room for the segments, which lie in the order of their starts, then of their levels: list_at is where an
 * index's begin. */
static bool count(struct builder *b) {
    struct segments *to = b->to;
    const size_t indices = to->length + (size_t)2;
    uint32_t *at = to->list_at = calloc(indices, sizeof *at);
    if (!at)
        return false;
    for (int level = 0; level < LEVELS; level++)
        for (uint32_t i = 0; i < b->level[level].size; i++)
            at[b->level[level].span[i].start + 1] += b->level[level].span[i].length >= KEPT;
    for (uint32_t m = 0; m <= to->length; m++) {
        to->lists += at[m + 1] > 0;
        at[m + 1] += at[m];
    }
    to->size = at[to->length + 1];
    to->segment = malloc((to->size + (size_t)1) * sizeof *to->segment);
    b->next = malloc(indices * sizeof *b->next);
    if (b->next)
        memcpy(b->next, at, indices * sizeof *b->next);
#ifdef SEGMENTS_WIDE
    to->low = malloc((to->size + (size_t)1) * sizeof *to->low);
    return b->next && to->segment && to->low;
#else
    return b->next && to->segment;
#endif
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

static bool build(struct builder *b, uint32_t length) {
    struct segments *segments = b->to;
    *segments = (struct segments){.length = length};
    divide(b);
    b->failed = b->failed || !count(b);
    for (int level = 0; level < LEVELS && !b->failed && b->level[level].size > 0; level++)
        make_level(b, level);
    const bool ok = !b->failed && make_lists(segments);
    free(b->next);
    free(b->below);
    for (int level = 0; level < LEVELS; level++)
        free(b->level[level].span);
    if (!ok)
        segments_finish(segments);
    return ok;
}

#ifdef SEGMENTS_WIDE
bool segments_init_wide(struct segments *segments, const double *orbit, const double *low,
                        uint32_t length, const atomic_bool *stop) {
    struct builder b = {.to = segments, .orbit = orbit, .low = low, .stop = stop};
    return build(&b, length);
}
#else
bool segments_init(struct segments *segments, const double *orbit, uint32_t length,
                   const atomic_bool *stop) {
    struct builder b = {.to = segments, .orbit = orbit, .stop = stop};
    return build(&b, length);
}

/* Appends `b`, of the indices behind those of `a`. False: no memory; both are there as before. */
static bool join(struct segments *a, const struct segments *b) {
    const size_t first = a->length + (size_t)1, indices = first + b->length + 1;
    struct segments to = {.list_at = malloc(indices * sizeof *to.list_at),
                          .list = malloc(((size_t)a->lists + b->lists + 1) * sizeof *to.list),
                          .segment = malloc(((size_t)a->size + b->size + 1) * sizeof *to.segment),
                          .length = (uint32_t)(indices - 1),
                          .lists = a->lists + b->lists,
                          .size = a->size + b->size};
    if (!to.list_at || !to.list || !to.segment) {
        segments_finish(&to);
        return false;
    }
    memcpy(to.list_at, a->list_at, first * sizeof *to.list_at);
    memcpy(to.list, a->list, a->lists * sizeof *to.list);
    memcpy(to.segment, a->segment, a->size * sizeof *to.segment);
    memcpy(to.segment + a->size, b->segment, b->size * sizeof *to.segment);
    for (uint32_t m = 0; m <= b->length; m++)
        to.list_at[first + m] = b->list_at[m] > 0 ? b->list_at[m] + a->lists : 0;
    for (uint32_t i = 0; i <= b->lists; i++)
        to.list[a->lists + i] =
            (struct segment_list){(uint32_t)first + b->list[i].start, a->size + b->list[i].first};
    segments_finish(a);
    *a = to;
    return true;
}

bool segments_init_two(struct segments *segments, const double *orbit, uint32_t first,
                       uint32_t length, const atomic_bool *stop) {
    struct segments second;
    if (!segments_init(segments, orbit, first - 1, stop))
        return false;
    if (!segments_init(&second, orbit + 2 * (size_t)first, length - first, stop) ||
        !join(segments, &second)) {
        segments_finish(segments);
        segments_finish(&second);
        return false;
    }
    segments_finish(&second);
    for (uint32_t i = 0; i < segments->size; i++) {
        struct segment *s = &segments->segment[i];
        s->c_r = s->c_i = 0;
        s->c_log2 = 0;
        s->t_c_log2 = INT32_MAX;
    }
    return true;
}

void segments_finish(struct segments *segments) {
    free(segments->list_at);
    free(segments->list);
    free(segments->segment);
    free(segments->low);
    *segments = (struct segments){0};
}
#endif
