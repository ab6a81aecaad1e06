/* Builds the tables of polynomial segments of an orbit; compiled for doubles, for wide numbers, and
 * for the steps of all formulas. First the orbit is divided: the shortest segments are some of its
 * steps, longer ones some of the level below. Then each level's polynomials are made, all at once:
 * steps are appended to the shortest ones, and those are merged into longer ones. Where the orbit
 * comes near zero, the distance soon matters more than the orbit: segments end there, and the first
 * steps of the next ones, which are exact, cross such places. */
#if !defined SEGMENTS_FOLDED || defined SEGMENTS_WIDE
#define SEGMENTS_BOUND_GROWTH
#endif
#ifndef SEGMENTS_NAME
#define SEGMENTS_NAME segments_init
#endif
#include "render/deep/tables/segments_step.h"
#include "render/parallel.h"
#include <stdlib.h>

/* A sum that is cut after SEGMENT_DEGREE loses 2^(-8 * 6) of itself while |z| < 2^-8 |Z|. */
#ifdef SEGMENTS_WIDE
#define CLOSE_LOG2       (-17)
#define LOST_LOG2        (-102)
#define CROSS_LEAST_LOG2 (-900) /* terms in x c and c^2 do not pay where T_c is smaller */
#else
#define CLOSE_LOG2       (-8)
#define LOST_LOG2        (-48)
#define CROSS_LEAST_LOG2 PERTURBED_CROSS_LEAST
#endif
#define CLEAR  0x1p6 /* a fold counts as so many times farther than 0: see far_at */
#define SPAN   16    /* [steps] of the shortest segments */
#define MERGED 4     /* segments of a level in one of the next */
#define KEPT   8     /* [steps] shorter segments are not worth it */
/* a segment ends where |Z| is below this share of its least value so far */
#define DIP       0x1p-6
#define DIP_ABOVE 0x1p-3 /* DIP of the higher levels */
#ifdef SEGMENTS_FOLDED
#define CROSS_LEAST 0x1p-50 /* no segment crosses an index that is nearer to zero, or to a fold */
#ifdef SEGMENTS_WIDE
#define HAS_CROSS true
#else
#define HAS_CROSS false /* there are no terms in x c and c^2 */
#endif
#else
#define CROSS_LEAST 0x1p-400
#define HAS_CROSS   true
#endif
#define LEVELS     20
#define STOP_STEPS 1024 /* steps between reads of `stop` */
#define PART       256  /* segments that a thread makes at a time */

/* Place and parts of a segment: its steps, or `parts` segments of the level below, from `first`
 * on. */
struct span {
    uint32_t start, first;
    int32_t length, parts;
};

struct level {
    struct span *span;
    uint32_t size, room;
    /* The open one: */
    struct span open;
    double least; /* least |Z| after its first index; in the higher levels, of its parts' starts */
};

struct builder {
    struct segments *to;
    const struct step_list *steps; /* NULL: z^2 + c */
    uint32_t number;               /* number of the orbit's first step */
    const double *orbit, *low;     /* `low` for wide numbers only */
    bool cross;                    /* with terms in x c and c^2 */
    const atomic_bool *stop;       /* may be NULL */
    struct level level[LEVELS];
    struct draft *draft, *below; /* of the level in the making, and of the level below it */
    uint32_t *next;              /* of an index: where its next segment goes */
    int making;                  /* the level */
    bool failed;
};

/* An index of the orbit: Z, and the step from there. */
struct place {
    struct number z;
    struct form form;
};

static struct place place_at(const struct builder *b, uint32_t m) {
    const double *z = b->orbit + 2 * (size_t)m;
#ifdef SEGMENTS_WIDE
    const double *low = b->low + 2 * (size_t)m;
    struct place place = {{{z[0], low[0]}, {z[1], low[1]}}, {2, FOLD_NONE}};
#else
    struct place place = {{z[0], z[1]}, {2, FOLD_NONE}};
#endif
#ifdef SEGMENTS_FOLDED
    const uint32_t number = step_list_number(b->steps, b->number + m);
    place.form.power = (unsigned)step_list_power(b->steps, number);
    place.form.folds = step_list_folds(b->steps, number);
#endif
    return place;
}

/* Makes T 2^shift times as large, and the whole polynomial 2^whole times. */
static void scale(struct draft *d, int shift, int whole) {
    if (shift == 0 && whole == 0)
        return;
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        d->p[k] = shifted_number(d->p[k], (k + 1) * shift + whole);
    if (d->cross)
        cross_scale(d, shift, 0);
    d->t_log2 += shift;
}

/* Returns how many times T must be halved so that |p_1 x| stays below `most` times 2^log2. */
static int shift_for(const struct draft *d, double most, int log2) {
    const double p1 = size(d->p[0]);
    if (p1 == 0)
        return 0;
    const struct positive bound = positive(most / p1, log2);
    return bound.log2 < 1 ? bound.log2 - 1 : 0;
}

/* Bounds a T_c by what c adds, in the same way. */
static void bound_t_c(const struct draft *d, struct positive *t_c, double most, int log2) {
    double c = 0;
    for (int i = 0; i < C_TERMS; i++)
        c += size(d->c[i]);
    if (c == 0)
        return;
    *t_c = lesser(positive(most / c, log2 - d->c_log2), *t_c);
}

/* Makes what c adds normal, in units of 2^log2. */
static void normal(struct draft *d, int log2) {
    double most = 0;
    int more = 0;
    for (int i = 0; i < C_TERMS; i++)
        most = fmax(most, fmax(fabs(high(d->c[i].re)), fabs(high(d->c[i].im))));
    frexp(most, &more);
    d->c_log2 = most > 0 ? log2 + more : 0;
    for (int i = 0; i < C_TERMS; i++)
        d->c[i] = shifted_number(d->c[i], -more);
    if (d->cross)
        cross_scale(d, 0, -more);
}

/* --- growing --- */

/* Returns a first step: z' = x + c. */
static struct draft begin(bool cross) {
    struct draft d = {.t_c = {0.5, 1000}, .t_log2 = 2, .t_cross = {0.5, 1000}, .cross = cross};
    for (int i = 0; i < C_SQUARES; i++)
        d.c2[i].log2 = EXTENDED_ZERO;
    d.p[0].re = plain(4);
    d.c[0].re = plain(1);
    normal(&d, 0);
    return d;
}

/* Returns how far a distance from Z may be without crossing a fold. */
#ifdef SEGMENTS_FOLDED
static double fold_distance(const struct place *at) {
    const struct form *form = &at->form;
    double re, im, most = INFINITY;
    const struct number u = folded(form, at->z, &re, &im);
    const double grow = growth_at(form, at->z);
    if (form->folds & FOLD_X)
        most = fmin(most, fabs(high(at->z.re)));
    if (form->folds & FOLD_Y)
        most = fmin(most, fabs(high(at->z.im)));
    if (form->folds & (FOLD_RE | FOLD_IM)) {
        poly none = {{plain(0), plain(0)}};
        const struct number v = power_over(form->power, none, u);
        if (form->folds & FOLD_RE)
            most = fmin(most, fabs(high(v.re)) / grow);
        if (form->folds & FOLD_IM)
            most = fmin(most, fabs(high(v.im)) / grow);
    }
    return most;
}
#else
static double fold_distance(const struct place *at) {
    (void)at;
    return INFINITY;
}
#endif

/* Returns how far |Z| is from 2 at least, or 0 or less if |Z| >= 2. */
static double room_at(const struct place *at) {
#ifdef SEGMENTS_WIDE
    return -wide_norm2_above(at->z.re, at->z.im, 4) / 4;
#else
    return 2 - size(at->z);
#endif
}

/* Returns how far orbits may be from Z where the series is cut, so that none escapes or is folded
 * in another way. */
static double largest_distance(const struct place *at, double share) {
    return fmin(fmin(size(at->z) * share, room_at(at) / 4), fold_distance(at) / 4);
}

/* Returns how much faster the series of a power grows than that of the square. */
static double terms(const struct form *form) {
    return form->power > 2 ? form->power - 1 : 1;
}

static double close_distance(const struct place *at) {
    return largest_distance(at, ldexp(1, CLOSE_LOG2) / terms(&at->form));
}

/* Bounds both T_c by the distance that c adds where the series is cut: what is left out is of its
 * order, or of the order of its square. */
static void bound_by_c(struct draft *d, const struct place *at) {
    bound_t_c(d, &d->t_c, largest_distance(at, ldexp(1, LOST_LOG2)), 0);
    bound_t_c(d, &d->t_cross, largest_distance(at, ldexp(2, LOST_LOG2 / 2)), -1);
}

static void append(struct draft *d, const struct place *at) {
    bound_by_c(d, at);
    scale(d, shift_for(d, close_distance(at), 0), 0);
    step_over(&at->form, d, at->z);
    d->c[0] = sum(d->c[0], (struct number){plain(ldexp(1, -d->c_log2)), plain(0)});
    normal(d, d->c_log2);
}

/* Combines what c adds: in a, which b multiplies by its first coefficient, and in b. */
static void merge_c(struct draft *a, const struct draft *b) {
    const int32_t b_log2 = b->c_log2;
    rows other = {{{0, 0}}};
    if (a->cross)
        cross_merge(a, b, other);
    for (int i = 0; i < C_TERMS; i++)
        a->c[i] = times(a->c[i], b->p[0]);
    normal(a, a->c_log2 - b->t_log2);
    const int32_t a_log2 = a->c_log2, top = a_log2 > b_log2 ? a_log2 : b_log2;
    for (int i = 0; i < C_TERMS; i++)
        a->c[i] = sum(shifted_number(a->c[i], a_log2 - top), shifted_number(b->c[i], b_log2 - top));
    if (a->cross)
        cross_add(a, a_log2 - top, other, b_log2 - top);
    normal(a, top);
}

/* Appends `next`, which starts at Z. */
static void merge(struct draft *a, const struct draft *next, const struct place *at) {
    const double grow = growth_at(&at->form, at->z);
    const int shift = shift_for(a, close_distance(at), 0);
    const int shift_next = shift_for(a, 1 / grow, next->t_log2);
    bound_by_c(a, at);
    bound_t_c(a, &a->t_c, 1 / grow, next->t_log2 + LOST_LOG2 - CLOSE_LOG2);
    bound_t_c(a, &a->t_cross, 1 / grow, next->t_log2 + LOST_LOG2 / 2 - CLOSE_LOG2);
    a->t_c = lesser(a->t_c, next->t_c);
    a->t_cross = lesser(a->t_cross, next->t_cross);
    a->cross = a->cross && next->cross;
    step_over(&at->form, a, at->z);
    scale(a, shift < shift_next ? shift : shift_next, -next->t_log2);
#ifdef SEGMENTS_FOLDED
    if (next->conjugate)
        flip(a, 1, -1);
#endif
    merge_c(a, next);
    poly_compose(a->p, next->p, a->p);
}

#ifdef SEGMENTS_BOUND_GROWTH
/* Bounds T and T_c of a whole segment by the growth of its coefficients: where an orbit hardly
 * attracts or repels, they grow with the segment's length, and Z does not show it. */
static void bound_by_growth(struct draft *d) {
    const int growth = growth_log2(d), bound = growth < CLOSE_LOG2 ? growth : CLOSE_LOG2;
    scale(d, bound - growth, 0);
    bound_t_c(d, &d->t_cross, size(d->p[0]), LOST_LOG2 / 2 - bound);
    d->cross = d->cross && d->t_cross.log2 >= CROSS_LEAST_LOG2;
}
#endif

#ifdef SEGMENTS_WIDE
static void put_low(struct segment_low *low, const struct draft *d) {
    for (int k = 0; k < SEGMENT_LOW_DEGREE; k++) {
        low->p[k][0] = d->p[k].re.lo;
        low->p[k][1] = d->p[k].im.lo;
    }
    low->c_r = d->c[0].re.lo;
    low->c_i = d->c[0].im.lo;
}
#endif

static void put_segment(struct segments *to, uint32_t i, const struct draft *d, int32_t length) {
    struct segment *s = &to->segment[i];
    *s = (struct segment){.t_log2 = d->t_log2,
                          .length = length,
                          .t_c_log2 = d->t_c.log2 - 1,
                          .c_log2 = d->c_log2,
                          .c_r = high(d->c[0].re),
                          .c_i = high(d->c[0].im)};
    for (int k = 0; k < SEGMENT_DEGREE; k++) {
        s->p[k][0] = high(d->p[k].re);
        s->p[k][1] = high(d->p[k].im);
    }
    if (to->cross)
        put_cross(&to->cross[i], to->cross_bar ? &to->cross_bar[i] : NULL, d);
#ifdef SEGMENTS_WIDE
    put_low(&to->low[i], d);
#endif
#ifdef SEGMENTS_FOLDED
    to->bar[i] = (struct segment_bar){
        .c_r = high(d->c[1].re), .c_i = high(d->c[1].im), .sign = d->conjugate ? -1 : 1};
#ifdef SEGMENTS_WIDE
    to->bar[i].low_r = d->c[1].re.lo;
    to->bar[i].low_i = d->c[1].im.lo;
#endif
#endif
}

/* --- where they are --- */

static bool stopped(const struct builder *b) {
    return b->stop && atomic_load_explicit(b->stop, memory_order_relaxed);
}

/* The distance from |Z| = 2; and the distance from where distances soon matter more: from 0, or
 * from a fold, times CLEAR. */
struct nearness {
    double room, near;
};

static struct nearness nearness_at(const struct builder *b, uint32_t m) {
    const struct place at = place_at(b, m);
    return (struct nearness){room_at(&at), fmin(size(at.z), CLEAR * fold_distance(&at))};
}

/* Returns true if no segment crosses an index: also at the escape. */
static bool is_bound(struct nearness z) {
    return z.near < CROSS_LEAST || z.room <= 0;
}

/* Returns true if the open segment of a level ends before an index. */
static bool open_segment_ends(const struct level *at, struct nearness z) {
    return at->open.parts == MERGED || is_bound(z) ||
           (at->open.parts > 1 && z.near < DIP_ABOVE * at->least);
}

/* Completes a level's open segment and passes it to the level above. The level's next segment
 * begins at z. Only indices before z decide, so that longer orbits have the same segments. */
static void complete(struct builder *b, int level, struct nearness z) {
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
        above->least = fmin(above->least, nearness_at(b, at->open.start).near);
    }
    above->open.length += at->open.length;
    above->open.parts++;
    if (open_segment_ends(above, z)) {
        complete(b, level + 1, z);
        above->open.parts = 0;
    }
}

/* Places all segments. */
static void divide(struct builder *b) {
    struct level *steps = &b->level[0];
    steps->open = (struct span){.length = 1};
    steps->least = INFINITY;
    for (uint32_t m = 1; m <= b->to->length && !b->failed; m++) {
        const struct nearness z = nearness_at(b, m);
        const bool dips = steps->open.length > 1 && z.near < DIP * steps->least;
        if (m % STOP_STEPS == 0)
            b->failed = stopped(b);
        if (dips || steps->open.length == SPAN || is_bound(z)) {
            complete(b, 0, z);
            steps->open = (struct span){.start = m, .length = 1};
            steps->least = INFINITY;
        } else {
            steps->open.length++;
            steps->least = fmin(steps->least, z.near);
        }
    }
}

/* --- what they are --- */

/* Makes the segments of a level from `first` up to `end`. */
static void make_drafts(void *user, uint32_t first, uint32_t end) {
    const struct builder *b = user;
    const struct level *at = &b->level[b->making];
    for (uint32_t i = first; i < end && !stopped(b); i++) {
        const struct span *span = &at->span[i];
        struct draft d = b->making == 0 ? begin(b->cross) : b->below[span->first];
        if (b->making == 0)
            for (uint32_t m = span->start + 1; m < span->start + (uint32_t)span->length; m++) {
                const struct place place = place_at(b, m);
                append(&d, &place);
            }
        else
            for (uint32_t k = span->first + 1; k < span->first + (uint32_t)span->parts; k++) {
                const struct place place = place_at(b, at[-1].span[k].start);
                merge(&d, &b->below[k], &place);
            }
#ifdef SEGMENTS_BOUND_GROWTH
        bound_by_growth(&d);
#endif
        b->draft[i] = d;
    }
}

/* Makes a level's segments, and stores those that are kept. */
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
            put_segment(b->to, b->next[at->span[i].start]++, &b->draft[i], at->span[i].length);
    free(b->below);
    b->below = b->draft;
}

/* --- lists --- */

/* Makes room for the segments, which lie in the order of their starts, then of their levels:
 * list_at is where those of an index begin. */
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
    if (b->cross)
        to->cross = malloc((to->size + (size_t)1) * sizeof *to->cross);
    b->next = malloc(indices * sizeof *b->next);
    if (b->next)
        memcpy(b->next, at, indices * sizeof *b->next);
    bool ok = b->next && to->segment && (!b->cross || to->cross);
#if defined SEGMENTS_FOLDED
    if (b->cross)
        ok = ok && (to->cross_bar = calloc(to->size + (size_t)1, sizeof *to->cross_bar));
#endif
#ifdef SEGMENTS_WIDE
    ok = ok && (to->low = malloc((to->size + (size_t)1) * sizeof *to->low));
#endif
#ifdef SEGMENTS_FOLDED
    ok = ok && (to->bar = malloc((to->size + (size_t)1) * sizeof *to->bar));
#endif
    return ok;
}

/* Makes lists from where each index's segments begin. */
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

/* Makes the segments of the orbit Z_from .. Z_last, whose first step has that number, after those
 * of earlier orbits. Returns false if nothing is left. */
static bool add_orbit(struct builder *b, const struct segment_orbits *orbits, uint32_t number,
                      uint32_t from, uint32_t last) {
    struct segments *all = b->to, more;
    struct builder own = {.to = from > 0 ? &more : all,
                          .steps = orbits->steps,
                          .number = number,
                          .orbit = orbits->z + 2 * (size_t)from,
                          .low = orbits->low ? orbits->low + 2 * (size_t)from : NULL,
                          .cross = b->cross,
                          .stop = b->stop};
    bool ok = build(&own, last - from);
    if (from == 0)
        return ok;
    ok = ok && segments_join(all, &more);
    segments_finish(&more);
    if (!ok)
        segments_finish(all);
    return ok;
}

bool SEGMENTS_NAME(struct segments *segments, const struct segment_orbits *orbits, bool cross,
                   const atomic_bool *stop) {
#ifdef SEGMENTS_FMA
    if (__builtin_cpu_supports("fma"))
        return SEGMENTS_FMA(segments, orbits, cross, stop);
#endif
    const uint32_t first = orbits->first, last = first > 0 ? first - 1 : orbits->length;
    const uint32_t count = orbits->steps ? orbits->steps->length : 1;
    struct builder b = {.to = segments, .cross = cross && HAS_CROSS && first == 0, .stop = stop};
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = add_orbit(&b, orbits, i, i > 0 ? orbits->begin[i] : 0,
                       i + 1 < count ? orbits->begin[i + 1] - 1 : last);
    if (first > 0 && ok && (ok = add_orbit(&b, orbits, 0, first, orbits->length)))
        segments_clear_c(segments);
    return ok;
}
