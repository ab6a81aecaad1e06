/* Builds the tables of polynomial segments of an orbit. Steps are appended to the shortest ones,
 * which are merged into longer ones, level upon level, while the orbit is read once. Where it comes
 * near zero, the distance soon matters more than the orbit: segments end there, and their first
 * steps, which are exact, get over it. */
#include "render/deep/segments.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sum that is cut after SEGMENT_DEGREE loses 2^(-8 * 6) of itself while |z| < 2^-8 |Z|. */
#define CLOSE_LOG2  (-8)
#define LOST_LOG2   (-48)
#define SPAN        16       /* steps of the shortest segments, */
#define MERGED      4        /* and how many of one level go into one of the next */
#define KEPT        8        /* the fewest steps that are worth a segment */
#define DIP         0x1p-6   /* of the orbit's least since the segment began, ends it; */
#define DIP_ABOVE   0x1p-3   /* the same for the higher levels */
#define CROSS_LEAST 0x1p-400 /* no segment goes over an index that is nearer zero */
#define LEVELS      20
#define STOP_STEPS  1024 /* between looks at `stop` */

struct number {
    double re, im;
};

/* m 2^log2, 0.5 <= m < 1. */
struct positive {
    double m;
    int log2;
};

struct draft {
    uint32_t start;
    struct segment s;
    struct positive t_c;
    double least; /* of the orbit after the first index, in the higher levels of segments' starts */
    int parts;
};

struct builder {
    struct segments *to;
    uint32_t *start; /* of the list's */
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

static double size(double re, double im) {
    return sqrt(re * re + im * im);
}

/* --- polynomials --- */

typedef double poly[SEGMENT_DEGREE][2];

/* to += a b, both without constant terms, cut. */
static void poly_add_product(poly to, const poly a, const poly b) {
    for (int i = 0; i < SEGMENT_DEGREE - 1; i++)
        for (int j = 0; i + j + 1 < SEGMENT_DEGREE; j++) {
            to[i + j + 1][0] += a[i][0] * b[j][0] - a[i][1] * b[j][1];
            to[i + j + 1][1] += a[i][0] * b[j][1] + a[i][1] * b[j][0];
        }
}

static void poly_add_scaled(poly to, double re, double im, const poly a) {
    for (int k = 0; k < SEGMENT_DEGREE; k++) {
        to[k][0] += re * a[k][0] - im * a[k][1];
        to[k][1] += re * a[k][1] + im * a[k][0];
    }
}

/* (2 Z + p) p */
static void poly_step(poly p, double re, double im) {
    poly e = {{0}};
    poly_add_scaled(e, 2 * re, 2 * im, p);
    poly_add_product(e, p, p);
    memcpy(p, e, sizeof e);
}

static void poly_compose(poly to, const poly outer, const poly inner) {
    poly sum = {{0}};
    poly_add_scaled(sum, outer[SEGMENT_DEGREE - 1][0], outer[SEGMENT_DEGREE - 1][1], inner);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        poly next = {{0}};
        poly_add_product(next, sum, inner);
        poly_add_scaled(next, outer[k][0], outer[k][1], inner);
        memcpy(sum, next, sizeof sum);
    }
    memcpy(to, sum, sizeof sum);
}

/* Makes T 2^shift times as large, and all of the polynomial 2^whole times. */
static void scale(struct segment *s, int shift, int whole) {
    for (int k = 0; k < SEGMENT_DEGREE; k++) {
        s->p[k][0] = ldexp(s->p[k][0], (k + 1) * shift + whole);
        s->p[k][1] = ldexp(s->p[k][1], (k + 1) * shift + whole);
    }
    s->t_log2 += shift;
}

/* How many times T is to be halved where |p_1 x| must stay below `most` times 2^log2, as a power of
 * two. */
static int shift_for(const struct segment *s, double most, int log2) {
    const double p1 = size(s->p[0][0], s->p[0][1]);
    if (p1 == 0)
        return 0;
    const struct positive bound = positive(most / p1, log2);
    return bound.log2 < 1 ? bound.log2 - 1 : 0;
}

/* The same for T_c and |C c|. */
static void bound_t_c(struct draft *d, double most, int log2) {
    const double c = size(d->s.c_r, d->s.c_i);
    if (c == 0)
        return;
    const struct positive bound = positive(most / c, log2 - d->s.c_log2);
    if (positive_less(bound, d->t_c))
        d->t_c = bound;
}

static void set_c(struct segment *s, double re, double im, int log2) {
    int more = 0;
    const double most = fmax(fabs(re), fabs(im));
    frexp(most, &more);
    s->c_r = ldexp(re, -more);
    s->c_i = ldexp(im, -more);
    s->c_log2 = most > 0 ? log2 + more : 0;
}

/* --- growing --- */

/* Its first step: z' = x + c. */
static struct draft begin(uint32_t start) {
    struct draft d = {.start = start, .t_c = {0.5, 1000}, .least = INFINITY};
    d.s.t_log2 = 2;
    d.s.p[0][0] = 4;
    d.s.length = 1;
    set_c(&d.s, 1, 0, 0);
    return d;
}

/* The farthest that orbits may get from Z where the series is to be cut, and none may escape. */
static double close_to(double z) {
    return fmin(ldexp(z, CLOSE_LOG2), (2 - z) / 4);
}

static double lost_at(double z) {
    return fmin(ldexp(z, LOST_LOG2), (2 - z) / 4);
}

static void append(struct draft *d, double re, double im, double z) {
    struct segment *s = &d->s;
    bound_t_c(d, lost_at(z), 0);
    scale(s, shift_for(s, close_to(z), 0), 0);
    poly_step(s->p, re, im);
    const double r = 2 * (re * s->c_r - im * s->c_i), i = 2 * (re * s->c_i + im * s->c_r);
    set_c(s, r + ldexp(1, -s->c_log2), i, s->c_log2);
    s->length++;
    d->least = fmin(d->least, z);
}

/* Appends b, which starts at Z = (re, im). */
static void merge(struct draft *a, const struct draft *b, double re, double im, double z) {
    struct segment *s = &a->s;
    const int shift = shift_for(s, close_to(z), 0);
    const int shift_b = shift_for(s, 0.5 / z, b->s.t_log2);
    bound_t_c(a, lost_at(z), 0);
    bound_t_c(a, 0.5 / z, b->s.t_log2 + LOST_LOG2 - CLOSE_LOG2);
    if (positive_less(b->t_c, a->t_c))
        a->t_c = b->t_c;
    poly_step(s->p, re, im);
    scale(s, shift < shift_b ? shift : shift_b, -b->s.t_log2);
    poly_compose(s->p, b->s.p, s->p);
    /* C = (2 Z C_a) P_1 + C_b */
    const double r = 2 * (re * s->c_r - im * s->c_i), i = 2 * (re * s->c_i + im * s->c_r);
    const double pr = b->s.p[0][0], pi = b->s.p[0][1];
    struct segment x = {0};
    set_c(&x, r * pr - i * pi, r * pi + i * pr, s->c_log2 - b->s.t_log2);
    const int top = x.c_log2 > b->s.c_log2 ? x.c_log2 : b->s.c_log2;
    set_c(s, ldexp(x.c_r, x.c_log2 - top) + ldexp(b->s.c_r, b->s.c_log2 - top),
          ldexp(x.c_i, x.c_log2 - top) + ldexp(b->s.c_i, b->s.c_log2 - top), top);
    s->length += b->s.length;
    a->least = fmin(a->least, z);
    a->parts++;
}

static void keep(struct builder *b, const struct draft *d) {
    struct segments *to = b->to;
    if (to->size == b->room && !b->failed) {
        const size_t room = 2 * (size_t)b->room + 1024;
        struct segment *segment = realloc(to->segment, room * sizeof *segment);
        uint32_t *start = realloc(b->start, room * sizeof *start);
        to->segment = segment ? segment : to->segment;
        b->start = start ? start : b->start;
        b->room = room;
        b->failed = !segment || !start;
    }
    if (b->failed)
        return;
    b->start[to->size] = d->start;
    to->segment[to->size] = d->s;
    to->segment[to->size++].t_c_log2 = d->t_c.log2 - 1;
}

/* Whether what is open on a level ends before an index with |Z| = z. */
static bool ends(const struct draft *d, double z) {
    return d->parts == MERGED || z < CROSS_LEAST || (d->parts > 1 && z < DIP_ABOVE * d->least);
}

/* Completes a level's segment, the next one of which begins with |Z| = z, and hands it upwards. Only
 * what lies before that index decides, so that longer orbits change nothing. */
static void complete(struct builder *b, int level, const double *orbit, double z) {
    const struct draft *d = &b->open[level];
    if (d->s.length >= KEPT)
        keep(b, d);
    if (level + 1 == LEVELS)
        return;
    struct draft *above = &b->open[level + 1];
    if (above->parts > 0) {
        const double re = orbit[2 * (size_t)d->start], im = orbit[2 * (size_t)d->start + 1];
        merge(above, d, re, im, size(re, im));
    } else {
        *above = *d;
        above->parts = 1;
        above->least = INFINITY;
    }
    if (ends(above, z)) {
        complete(b, level + 1, orbit, z);
        above->parts = 0;
    }
}

/* --- lists --- */

/* Brings those with the same start together; in the order of their levels they are already. */
static bool sort(struct builder *b) {
    struct segments *to = b->to;
    struct segment *sorted = malloc((to->size + 1) * sizeof *sorted);
    uint32_t *at = calloc((size_t)to->length + 2, sizeof *at);
    if (sorted && at) {
        for (uint32_t i = 0; i < to->size; i++)
            at[b->start[i] + 1]++;
        for (uint32_t m = 0; m <= to->length; m++) {
            to->lists += at[m + 1] > 0;
            at[m + 1] += at[m];
        }
        for (uint32_t i = 0; i < to->size; i++)
            sorted[at[b->start[i]]++] = to->segment[i];
    }
    free(to->segment);
    to->segment = sorted;
    to->list_at = at; /* of index m: where m's end */
    return sorted && at;
}

/* From where each index's segments end to their lists. */
static bool make_lists(struct segments *to) {
    to->list = malloc(((size_t)to->lists + 1) * sizeof *to->list);
    if (!to->list)
        return false;
    uint32_t first = 0, lists = 0;
    for (uint32_t m = 0; m <= to->length; m++) {
        const uint32_t end = to->list_at[m];
        to->list_at[m] = end > first ? lists + 1 : 0;
        if (end > first)
            to->list[lists++] = (struct segment_list){m, first};
        first = end;
    }
    to->list[lists] = (struct segment_list){to->length, first};
    return true;
}

bool segments_init(struct segments *segments, const double *orbit, uint32_t length,
                   const atomic_bool *stop) {
    struct builder b = {.to = segments};
    struct draft *d = &b.open[0];
    *segments = (struct segments){.length = length};
    *d = begin(0);
    for (uint32_t m = 1; m <= length && !b.failed; m++) {
        if (stop && m % STOP_STEPS == 0)
            b.failed = atomic_load_explicit(stop, memory_order_relaxed);
        const double re = orbit[2 * (size_t)m], im = orbit[2 * (size_t)m + 1], z = size(re, im);
        const bool dips = d->s.length > 1 && z < DIP * d->least;
        if (dips || d->s.length == SPAN || z >= 2 || z < CROSS_LEAST) {
            complete(&b, 0, orbit, z);
            *d = begin(m);
        } else {
            append(d, re, im, z);
        }
    }
    const bool ok = !b.failed && sort(&b) && make_lists(segments);
    free(b.start);
    if (!ok)
        segments_finish(segments);
    return ok;
}

void segments_finish(struct segments *segments) {
    free(segments->list_at);
    free(segments->list);
    free(segments->segment);
    *segments = (struct segments){0};
}
