/* Segments with terms in x c and c^2: where their thresholds let them be used, they lead to where
 * single steps in quadruple precision lead. */
#include "render/deep/tables/tables.h"
#include "tests/shared/check.h"
#include "tests/shared/quad.h"
#include "tests/shared/random.h"
#include <math.h>

#define LENGTH  3000
#define SAMPLES 12

struct complex_quad {
    quad re, im;
};

static double orbit[2 * LENGTH + 2], low[2 * LENGTH + 2];

/* The formula: its power and its folds. */
static struct step_list steps;

static struct complex_quad times(struct complex_quad a, struct complex_quad b) {
    return (struct complex_quad){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct complex_quad plus(struct complex_quad a, struct complex_quad b) {
    return (struct complex_quad){a.re + b.re, a.im + b.im};
}

static struct complex_quad of(double re, double im, double scale) {
    return (struct complex_quad){(quad)re * scale, (quad)im * scale};
}

static double size(struct complex_quad a) {
    return hypot((double)a.re, (double)a.im);
}

/* Multiplies the parts of z by the signs of the parts of `at` where these fold. */
static struct complex_quad folded(struct complex_quad at, bool re, bool im, bool negate,
                                  struct complex_quad z) {
    z.re = re && at.re < 0 ? -z.re : z.re;
    z.im = (im && at.im < 0) != negate ? -z.im : z.im;
    return z;
}

/* Returns f(Z + z) - f(Z) where z crosses no fold, and sets *power to the power of Z before the last
 * fold. */
static struct complex_quad difference(struct complex_quad Z, struct complex_quad z,
                                      struct complex_quad *power) {
    const unsigned folds = step_list_folds(&steps, 0);
    const bool x = folds & FOLD_X, y = folds & FOLD_Y, negate = folds & FOLD_NEGATE;
    const struct complex_quad u = folded(Z, x, y, negate, Z), d = folded(Z, x, y, negate, z);
    struct complex_quad a = u, e = d;
    for (int i = 1; i < step_list_power(&steps, 0); i++) {
        e = plus(times(e, plus(u, d)), times(a, d));
        a = times(a, u);
    }
    *power = a;
    return folded(a, folds & FOLD_RE, folds & FOLD_IM, false, e);
}

/* Makes the orbit of c under a formula. */
static void make_orbit(int power, unsigned folds, double re, double im) {
    const struct complex_quad c = {re, im};
    struct complex_quad z = {0, 0};
    steps = (struct step_list)STEP_LIST_SQUARE;
    steps.powers = (uint64_t)power;
    steps.folds = folds;
    for (size_t m = 0; m <= LENGTH; m++) {
        orbit[2 * m] = (double)z.re;
        orbit[2 * m + 1] = (double)z.im;
        low[2 * m] = (double)(z.re - orbit[2 * m]);
        low[2 * m + 1] = (double)(z.im - orbit[2 * m + 1]);
        struct complex_quad a;
        difference(z, z, &a);
        z = plus(folded(a, folds & FOLD_RE, folds & FOLD_IM, false, a), c);
    }
    CHECK(size(z) < 2);
}

/* Returns where steps lead from the first one's product. */
static struct complex_quad iterate(uint32_t start, int32_t length, bool wide, struct complex_quad x,
                                   struct complex_quad c) {
    struct complex_quad z = plus(x, c);
    for (uint32_t m = start + 1; m < start + (uint32_t)length; m++) {
        const double *high = orbit + 2 * (size_t)m, *rest = low + 2 * (size_t)m;
        struct complex_quad Z = of(high[0], high[1], 1), power;
        if (wide)
            Z = plus(Z, of(rest[0], rest[1], 1));
        z = plus(difference(Z, z, &power), c);
    }
    return z;
}

static struct complex_quad number(const double *high, const double *rest) {
    return plus(of(high[0], high[1], 1), of(rest ? rest[0] : 0, rest ? rest[1] : 0, 1));
}

/* Returns where segment number k leads. *linear receives the sizes of its two linear terms. */
static struct complex_quad evaluate(const struct segments *s, uint32_t k, struct complex_quad x,
                                    struct complex_quad c, double *linear) {
    const struct segment *at = &s->segment[k];
    const struct segment_cross *cross = &s->cross[k];
    const struct segment_low *rest = s->low ? &s->low[k] : NULL;
    const double scale = ldexp(1, -at->t_log2), unit = ldexp(1, at->c_log2);
    const double sign = s->bar ? s->bar[k].sign : 1;
    const struct complex_quad t = {x.re * scale, x.im * scale * sign};
    const struct complex_quad y = {c.re * unit, c.im * unit}, bar_y = {y.re, -y.im};
    struct complex_quad p = {0, 0}, q = {0, 0}, bar = {0, 0};
    for (int i = SEGMENT_DEGREE - 1; i >= 0; i--)
        p = times(plus(p, number(at->p[i], rest && i < SEGMENT_LOW_DEGREE ? rest->p[i] : NULL)), t);
    for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
        q = times(plus(q, number(cross->q[i], NULL)), t);
    const struct complex_quad C = number(&at->c_r, rest ? &rest->c_r : NULL);
    *linear = hypot(at->p[0][0], at->p[0][1]) * size(t) + size(C) * size(y);
    q = plus(plus(C, q), times(number(cross->q[SEGMENT_DEGREE - 1], NULL), y));
    if (s->bar) {
        const struct segment_cross_bar *own = &s->cross_bar[k];
        const struct complex_quad B = number(&s->bar[k].c_r, &s->bar[k].low_r);
        for (int i = SEGMENT_DEGREE - 2; i >= 0; i--)
            bar = times(plus(bar, number(own->q[i], NULL)), t);
        bar = plus(plus(B, bar), times(number(own->q[SEGMENT_DEGREE - 1], NULL), bar_y));
        bar = plus(bar, times(number(own->both, NULL), y));
        *linear += size(B) * size(y);
    }
    return plus(p, plus(times(y, q), times(bar_y, bar)));
}

/* Returns a number of that size, in any direction. */
static struct complex_quad sized(double size) {
    const double angle = 6.283185307179586 * random_unit();
    return of(cos(angle), sin(angle), size);
}

/* Checks segments at the largest x and c that they serve, and below. */
static void check(const struct segments *s, bool wide, double most_lost) {
    double worst = 0;
    uint32_t used = 0, longest = 0;
    for (uint32_t i = 0; i < s->lists; i++)
        for (uint32_t k = s->list[i].first; k < s->list[i + 1].first; k++) {
            const struct segment *at = &s->segment[k];
            if (s->cross[k].t_c_log2 == SEGMENT_CROSS_NONE)
                continue;
            used++;
            longest = (uint32_t)at->length > longest ? (uint32_t)at->length : longest;
            CHECK(s->cross[k].t_c_log2 <= at->t_c_log2 + (wide ? 52 : 25));
            for (int n = 0; n < SAMPLES; n++) {
                const double below = n < 4 ? 1 : ldexp(1, -n),
                             beside = n % 4 < 2 ? 1 : ldexp(1, -3 * n);
                const struct complex_quad x = sized(ldexp(beside, at->t_log2 - 1)),
                                          c = sized(ldexp(below, s->cross[k].t_c_log2));
                double linear;
                const struct complex_quad right = iterate(s->list[i].start, at->length, wide, x, c);
                const struct complex_quad is = evaluate(s, k, x, c, &linear);
                const double lost = hypot((double)(is.re - right.re), (double)(is.im - right.im));
                worst = fmax(worst, lost / linear);
            }
        }
    printf("%s: %u of %u segments, up to %u steps, lose 2^%.1f at most\n", wide ? "wide" : "double",
           used, s->size, longest, log2(worst));
    CHECK(used > s->size / 2 && longest >= 64 && worst < most_lost);
}

static void check_wide(segments_fn *make, int power, unsigned folds, double re, double im) {
    static const uint32_t begin[RECIPE_STEPS_MAX];
    const struct segment_orbits orbits = {orbit, low, &steps, begin, 0, LENGTH};
    struct segments s;
    make_orbit(power, folds, re, im);
    if (make(&s, &orbits, true, NULL)) {
        check(&s, true, s.bar ? 0x1p-96 : 0x1p-99);
        segments_finish(&s);
    } else {
        CHECK(false);
    }
}

int main(void) {
    const struct segment_orbits orbits = {.z = orbit, .low = low, .length = LENGTH};
    struct segments s;
    random_seed(3);
    make_orbit(2, FOLD_NONE, -0.743643887037158704, 0.131825904205311970); /* seahorse valley */
    if (segments_init(&s, &orbits, true, NULL)) {
        check(&s, false, 0x1p-46);
        segments_finish(&s);
    } else {
        CHECK(false);
    }
    check_wide(segments_init_wide, 2, FOLD_NONE, -0.743643887037158704, 0.131825904205311970);
    check_wide(segments_init_folded_wide, 2, FOLD_NEGATE, 0.33994120535, 0.56850386986);
    check_wide(segments_init_folded_wide, 2, FOLD_X | FOLD_Y, -0.6, -0.3);
    check_wide(segments_init_folded_wide, 2, FOLD_Y | FOLD_NEGATE, 0.1, 0.2);
    check_wide(segments_init_folded_wide, 3, FOLD_NONE, 0.40, 0.55);
    check_wide(segments_init_folded_wide, 5, FOLD_RE | FOLD_X, 0.5, 0.1);
    return failures > 0;
}
