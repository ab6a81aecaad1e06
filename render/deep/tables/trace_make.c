/* What segments pass: of the shortest ones at their indices step by step, each for itself; then of longer ones from the
 * last to the first, so that they take over what they are made of. */
#include "render/deep/tables/trace_make.h"
#include "render/deep/tables/parallel.h"
#include <math.h>
#include <stdlib.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/trace_walk.h"

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

/* The power of the step from an index. */
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

static void pass(const struct maker *m, uint32_t start, uint32_t index, struct segment_trace *t) {
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

/* All that a segment passes which begins at `at`, but the first two indices. */
static void pass_all(uint32_t start, uint32_t at, const struct segment_trace *other,
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

#define CLOSE      8       /* where distances are below 2^-15 |Z|: T keeps them below 2^-8 |Z| */
#define NEAR       7       /* where they are below 2^-13, as |Z| < 2; */
#define HALF       (-5)    /* and below 1/2 */
#define NEAR_LEAST 0x1p-24 /* of what is near: what is nearer is as far */
#define HALF_LEAST 0x1p-36

/* How far below T distances are that much less than what is near, as a power of two. */
static int16_t below(int less, double least) {
    int log2;
    frexp(least, &log2);
    const int shift = less + 1 - log2;
    return (int16_t)(shift > CLOSE ? shift : CLOSE);
}

static void set_bounds(struct segment_trace *t) {
    const double least = fmin(t->cross, t->circle);
    t->near = below(NEAR, fmax(least, NEAR_LEAST));
    t->far = below(HALF, fmax(least, HALF_LEAST));
}

static void make_shortest(void *user, uint32_t first, uint32_t end) {
    const struct maker *m = user;
    for (uint32_t i = first; i < end; i++) {
        const struct segment_list *list = &m->of->list[i];
        const struct segment *s = &m->of->segment[list->first];
        struct segment_trace t = none(m, list->start);
        for (uint32_t k = 2; k < (uint32_t)s->length; k++)
            pass(m, list->start, list->start + k, &t);
        set_bounds(&t);
        m->to[list->first] = t;
    }
}

/* The longest segment before number `below` that starts at an index and is at the end no later than `end`; below: none. */
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
            pass(m, start, at++, &t);
        } else {
            pass_all(start, at - 2, &m->to[part], &t);
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
