/* Interior test (interior_surely): checks that no accepted orbit ever escapes, in either number
 * type and arithmetic, with any rounding.
 *
 * A disc of points c is *proved* if all its orbits enter a neighbourhood of their attracting cycle
 * that is mapped into itself. The worst rounding error is added at every step. `prove` covers all
 * points that the test accepts in float by such discs. The margin of doubles is too thin to be
 * covered, so points are proved one by one.
 *
 * usage: check_interior
 *        check_interior prove   the whole proof; minutes */
#include "cpu/cpuid.h"
#include "render/frame.h"
#include "render/interior.h"
#include "tests/shared/check.h"
#include "tests/shared/fma_target.h"
#include "tests/shared/quad.h"
#include "tests/shared/random.h"
#include <complex.h>
#include <math.h>
#include <time.h>

typedef double complex complex_t;

static const double type_margin[TYPE_NATIVE_COUNT] = {INTERIOR_MARGIN_FLOAT,
                                                      INTERIOR_MARGIN_DOUBLE};
static const double type_rounding[TYPE_NATIVE_COUNT] = {0x1p-24, 0x1p-53};
static const char *const period_name[] = {"", "cardioid", "disc"};

/* Returns the margin that interior_surely applies to a period. */
static double period_margin(int period, double margin) {
    return period == 1 ? margin : INTERIOR_DISC_MARGINS * margin;
}

static double size(complex_t x) {
    return sqrt(creal(x) * creal(x) + cimag(x) * cimag(x));
}

/* ---- Proof by enclosure ----
 *
 * Parameters of both families are chosen so that c is a square. With the multiplier p, c = p/2 -
 * p^2/4 in the cardioid. With the multiplier 1 - p^2, c = -3/4 - p^2/4 in the disc. A point of the
 * cycle is p/2, or (p - 1)/2 and -(p + 1)/2. */
struct disc {
    int period;
    complex_t p;
    double radius;
    double rounding; /* unit roundoff of the number type plus that of this proof */
};

/* The proof computes in doubles; a few of its roundings in each step are added to the orbit's. */
#define PROOF_ROUNDING 0x1p-50

static complex_t parameter_to_c(int period, complex_t p) {
    return (period == 1 ? p / 2 : -0.75) - p * p / 4;
}

/* dc/dp */
static complex_t parameter_slope(int period, complex_t p) {
    return (period == 1 ? 0.5 : 0) - p / 2;
}

static complex_t multiplier_to_parameter(int period, complex_t m) {
    return period == 1 ? m : csqrt(1 - m);
}

/* Bounds the rounding errors of one step from |z| <= z to |z'| <= next, in either arithmetic. The
 * worst case of the real part is u (|zr zr| + |zi zi| + |zr zr - zi zi| + |zr'|); the imaginary
 * part is similar. */
static double step_noise(const struct disc *d, double z, double next, double c) {
    return 1.001 * d->rounding * (2 * z * z + c + next) + 0x1p-140;
}

/* Bounds |c| over the disc. */
static double bound_c(const struct disc *d) {
    return size(parameter_to_c(d->period, d->p)) +
           d->radius * (size(parameter_slope(d->period, d->p)) + d->radius / 4);
}

/* Returns true if one period maps the disc of radius r around the cycle's first point into itself.
 * One period maps w to w(m + w), or to w(m + w(p^2 - 3p) + 2 w^2 (p - 1) + w^3). */
static bool traps(const struct disc *d, double r) {
    const double h = d->radius, c = bound_c(d);
    const complex_t p = d->p;
    if (d->period == 1) {
        const double z = (size(p) + h) / 2 + r;
        return r * (size(p) + h + r) + step_noise(d, z, z, c) <= r;
    }
    const double multiplier = size(1 - p * p) + h * (2 * size(p) + h);
    const double square = size(p * p - 3 * p) + h * (size(2 * p - 3) + h);
    const double first = size(p - 1) + h, second = size(p + 1) + h;
    const double between = r * (first + r);
    const double z0 = first / 2 + r, z1 = second / 2 + between;
    const double noise0 = step_noise(d, z0, z1, c), noise1 = step_noise(d, z1, z0, c);
    return r * (multiplier + r * (square + r * (2 * first + r))) +
               noise0 * (second + 2 * between + noise0) + noise1 <=
           r;
}

/* Returns the radius of a disc that is mapped into itself, or 0. */
static double trap_radius(const struct disc *d, double margin) {
    for (double r = 0.25; r > margin / 64; r *= 0.75)
        if (traps(d, r))
            return r;
    return 0;
}

/* All orbits of a disc at one step: the orbit of p + x, |x| <= radius, is within `rest` of z +
 * slope x. */
struct enclosure {
    complex_t z, slope;
    double rest;
    double bound;   /* largest |z| of all orbits */
    double highest; /* largest bound so far */
};

/* Takes one step: (z + slope x + e)^2 + c + c_slope x - x^2/4. Terms that are not linear in x are
 * added to `rest`. */
static void enclosure_step(const struct disc *d, struct enclosure *e, complex_t c,
                           complex_t c_slope, double c_bound) {
    const double h = d->radius, z_bound = e->bound;
    e->rest = h * h * size(e->slope * e->slope - 0.25) + e->rest * (2 * z_bound - e->rest);
    e->slope = 2 * e->z * e->slope + c_slope;
    e->z = e->z * e->z + c;
    e->bound = size(e->z) + h * size(e->slope) + e->rest;
    const double noise = step_noise(d, z_bound, e->bound, c_bound);
    e->rest += noise;
    e->bound += noise;
    e->highest = fmax(e->highest, e->bound);
}

/* Returns true if all orbits are within r of their cycle's first point, whose slope is 1/2. */
static bool trapped(const struct disc *d, const struct enclosure *e, double r) {
    const complex_t cycle = (d->period == 1 ? d->p : d->p - 1) / 2;
    return size(e->z - cycle) + d->radius * size(e->slope - 0.5) + e->rest <= r;
}

/* Returns true if no orbit of the disc can escape. `margin`, about 1 - |multiplier|, is the scale
 * of the trap. The cycle's first point is due every 16 steps. */
static bool prove_disc(const struct disc *d, double margin) {
    const double r = trap_radius(d, margin);
    const complex_t c = parameter_to_c(d->period, d->p);
    const complex_t c_slope = parameter_slope(d->period, d->p);
    const double c_bound = bound_c(d);
    struct enclosure e = {0};
    while (r > 0 && e.rest < 0.2 && e.highest < 1.9) {
        for (int i = 0; i < 16; i++)
            enclosure_step(d, &e, c, c_slope, c_bound);
        if (trapped(d, &e, r))
            return e.highest < 1.9;
    }
    return false;
}

/* ---- Covering ---- */

struct cover {
    int period;
    double margin, rounding;
    long discs;      /* number of proved discs */
    double smallest; /* least radius of these discs */
};

/* Proves discs that cover the square. Returns false if a point whose multiplier is below 1 - margin
 * is in no disc that can be proved. */
static bool cover_square(struct cover *cover, complex_t p, double half) {
    const struct disc d = {cover->period, p, half * M_SQRT2, cover->rounding};
    const double nearest =
        d.period == 1 ? size(p) - d.radius : size(1 - p * p) - d.radius * (2 * size(p) + d.radius);
    if (nearest >= 1 - cover->margin)
        return true;
    if (prove_disc(&d, cover->margin)) {
        cover->discs++;
        cover->smallest = fmin(cover->smallest, d.radius);
        return true;
    }
    const double q = half / 2;
    if (q < cover->margin * 0x1p-14) {
        printf("not proved: p = %.9g %+.9g i, period %d\n", creal(p), cimag(p), cover->period);
        return false;
    }
    return cover_square(cover, p - q - q * I, q) && cover_square(cover, p + q - q * I, q) &&
           cover_square(cover, p - q + q * I, q) && cover_square(cover, p + q + q * I, q);
}

/* Covers the upper half; the lower half is its mirror image, bounds included. A millionth of the
 * margin is left for the rounding of the test (check_boundary). */
static bool cover_family(int period, enum number_type type, double margin) {
    struct cover cover = {period, (1 - 1e-6) * period_margin(period, margin),
                          type_rounding[type] + PROOF_ROUNDING, 0, 1};
    const clock_t start = clock();
    const bool proved = period == 1 ? cover_square(&cover, -0.5 + 0.5 * I, 0.5) &&
                                          cover_square(&cover, 0.5 + 0.5 * I, 0.5)
                                    : cover_square(&cover, 0.75 + 0.75 * I, 0.75);
    printf("%s, %s, margin %g: %s by %ld discs, the smallest of radius %.2g, %.1f s\n",
           period_name[period], number_type_name(type), cover.margin,
           proved ? "proved" : "NOT PROVED", cover.discs, cover.smallest,
           (double)(clock() - start) / CLOCKS_PER_SEC);
    return proved;
}

/* ---- Points ---- */

/* Returns a turn of the multiplier: any turn, but more often a root of unity or a turn close to
 * one. */
static double random_turn(void) {
    const unsigned q = 1 + (unsigned)(random_bits() % 16);
    const double root = (double)(random_bits() % q) / q;
    switch (random_bits() % 4) {
    case 0:
        return root;
    case 1:
        return root + (random_unit() - 0.5) * exp2(-40 * random_unit());
    case 2:
        return (random_unit() - 0.5) * exp2(-30 * random_unit());
    default:
        return random_unit();
    }
}

static complex_t random_multiplier(double depth) {
    const double turn = 2 * M_PI * random_turn();
    return (1 - depth) * (cos(turn) + I * sin(turn));
}

static complex_t round_to_type(complex_t c, enum number_type type) {
    if (type == TYPE_DOUBLE)
        return c;
    return (double)(float)creal(c) + I * (double)(float)cimag(c);
}

/* Returns a point of the family that is `depth` deep before it is rounded to the type. */
static complex_t random_c(int period, enum number_type type, double depth) {
    const complex_t p = multiplier_to_parameter(period, random_multiplier(depth));
    return round_to_type(parameter_to_c(period, p), type);
}

static double random_depth(double low, double high) {
    return low * exp2(random_unit() * log2(high / low));
}

/* Proves points of the curve at depth `low`, and points between the two depths. Each point is a
 * disc of radius 0. */
static bool prove_points(int period, enum number_type type, double high, int count) {
    const double low = period_margin(period, type_margin[type]);
    for (int i = 0; i < count; i++) {
        const double depth = i % 2 ? low : random_depth(low, high);
        const complex_t m = random_multiplier(depth);
        const struct disc d = {period, multiplier_to_parameter(period, m), 0,
                               type_rounding[type] + PROOF_ROUNDING};
        if (!prove_disc(&d, depth)) {
            printf("not proved: %s, %s, multiplier %a %+a i\n", period_name[period],
                   number_type_name(type), creal(m), cimag(m));
            return false;
        }
    }
    printf("%s, %s, margin %g: %d points proved\n", period_name[period], number_type_name(type),
           low, count);
    return true;
}

/* ---- Orbits ---- */

enum fate { FATE_ESCAPED, FATE_REPEATED, FATE_UNDECIDED, FATE_COUNT };

/* Defines the fate of an orbit by definition, with Brent's search for a repeated state. */
#define ORBIT(real, fma_, name, attribute)                                                         \
    attribute static enum fate name(real cr, real ci, bool fused, uint32_t limit) {                \
        real zr = 0, zi = 0, seen_r = 0, seen_i = 0;                                               \
        for (uint32_t n = 1, next = 1; n <= limit; n++) {                                          \
            const real r = fused ? fma_(-zi, zi, fma_(zr, zr, cr)) : (zr * zr - zi * zi) + cr;     \
            zi = fused ? fma_(zr + zr, zi, ci) : (zr + zr) * zi + ci;                              \
            zr = r;                                                                                \
            const real norm2 = fused ? fma_(zr, zr, zi * zi) : zr * zr + zi * zi;                  \
            if (!(norm2 < 4))                                                                      \
                return FATE_ESCAPED;                                                               \
            if (zr == seen_r && zi == seen_i)                                                      \
                return FATE_REPEATED;                                                              \
            if (n == next) {                                                                       \
                seen_r = zr;                                                                       \
                seen_i = zi;                                                                       \
                next *= 2;                                                                         \
            }                                                                                      \
        }                                                                                          \
        return FATE_UNDECIDED;                                                                     \
    }

ORBIT(float, fmaf, orbit_float_plain, )
ORBIT(double, fma, orbit_double_plain, )
ORBIT(float, fmaf, orbit_float_fma, FMA_TARGET)
ORBIT(double, fma, orbit_double_fma, FMA_TARGET)

static enum fate orbit_fate(complex_t c, enum number_type type, bool fused, uint32_t limit) {
    const bool hardware = cpu_flags(~0u) & CPU_FMA;
    if (type == TYPE_FLOAT)
        return (hardware ? orbit_float_fma : orbit_float_plain)((float)creal(c), (float)cimag(c),
                                                                fused, limit);
    return (hardware ? orbit_double_fma : orbit_double_plain)(creal(c), cimag(c), fused, limit);
}

/* Checks that accepted points, half of them hardly beyond the margin, repeat a state or at least do
 * not escape. */
static void check_orbits(int period, enum number_type type, bool fused, int count) {
    const double margin = period_margin(period, type_margin[type]);
    int fates[FATE_COUNT] = {0};
    for (int i = 0; i < count; i++) {
        const double depth = i % 2 ? margin * (1 + 1e-3 * random_unit()) : random_depth(margin, 1);
        const complex_t c = random_c(period, type, depth);
        if (!interior_surely(creal(c), cimag(c), type_margin[type]))
            continue; /* c was rounded across the margin */
        const enum fate fate = orbit_fate(c, type, fused, 1u << 23);
        if (fate == FATE_ESCAPED)
            printf("accepted, but escapes: c = %a %+a i\n", creal(c), cimag(c));
        fates[fate]++;
    }
    printf("%s, %s, %s: of %d orbits %d repeat a state, %d run to the limit, %d escape\n",
           period_name[period], number_type_name(type), fused ? "fused" : "unfused", count,
           fates[FATE_REPEATED], fates[FATE_UNDECIDED], fates[FATE_ESCAPED]);
    CHECK(fates[FATE_ESCAPED] == 0 && fates[FATE_REPEATED] + fates[FATE_UNDECIDED] > count / 2);
}

/* ---- The test itself ---- */

static void check_refused(void) {
    static const double odd[] = {NAN,   INFINITY, -INFINITY, 1e308, -1e308, 1e160, -1e160,
                                 1e150, -1e150,   1e77,      -1e77, 2,      -2,    0x1p-1074};
    const size_t count = sizeof odd / sizeof *odd;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k + 1 < count; k++) {
            CHECK(!interior_surely(odd[i], odd[k], INTERIOR_MARGIN_DOUBLE));
            CHECK(!interior_surely(odd[k], odd[i], INTERIOR_MARGIN_DOUBLE));
        }
    CHECK(interior_surely(0, 0, INTERIOR_MARGIN_FLOAT));
    CHECK(interior_surely(-1, 0, INTERIOR_MARGIN_FLOAT));
    CHECK(!interior_surely(0.25, 0, INTERIOR_MARGIN_DOUBLE));
    CHECK(!interior_surely(-0.75, 0, INTERIOR_MARGIN_DOUBLE));
}

/* Returns true inside of the cardioid or the disc. Douady's form of the test in 113 bits: q(q + x)
 * <= y^2/4 with x = Re c - 1/4, q = x^2 + y^2. */
static bool inside_exactly(complex_t c) {
    const quad y = cimag(c), x = (quad)creal(c) - 0.25, left = (quad)creal(c) + 1;
    const quad q = x * x + y * y;
    return 4 * q * (q + x) < y * y || 16 * (left * left + y * y) < 1;
}

/* Checks points on both sides of the boundary, very near to it: no point outside is accepted.
 * Points at the margin are accepted exactly beyond it, within a millionth of it. */
static void check_boundary(int period, enum number_type type) {
    const double margin = period_margin(period, type_margin[type]);
    for (int i = 0; i < 200000; i++) {
        const double hair = exp2(-50 * random_unit()) * (i % 2 ? 1 : -1);
        complex_t c = random_c(period, TYPE_DOUBLE, hair);
        CHECK(inside_exactly(c) || !interior_surely(creal(c), cimag(c), type_margin[type]));
        c = random_c(period, TYPE_DOUBLE, margin * (i % 2 ? 1 + 1e-6 : 1 - 1e-6));
        CHECK(interior_surely(creal(c), cimag(c), type_margin[type]) == i % 2);
        if (failures)
            break;
    }
}

/* Checks the accepted share of the whole set's picture: the test must be worth its cost. */
static void check_share(enum number_type type, double least) {
    const int width = 1200, height = 800;
    int inside = 0, accepted = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const complex_t c = -2 + 3 * (x + 0.5) / width + (1 - 2 * (y + 0.5) / height) * I;
            inside += inside_exactly(c);
            accepted += interior_surely(creal(c), cimag(c), type_margin[type]);
        }
    const double share = 100.0 * accepted / inside;
    printf("%s: %.2f%% of the cardioid and the disc are accepted\n", number_type_name(type), share);
    CHECK(share >= least && share <= 100);
}

static int prove(void) {
    bool proved = true;
    for (int period = 1; period <= 2; period++)
        proved &= prove_points(period, TYPE_DOUBLE, INTERIOR_MARGIN_FLOAT, 4000);
    for (int period = 2; period >= 1; period--)
        proved &= cover_family(period, TYPE_FLOAT, INTERIOR_MARGIN_FLOAT);
    return proved ? 0 : 1;
}

static int check(void) {
    check_refused();
    check_share(TYPE_FLOAT, 99);
    check_share(TYPE_DOUBLE, 99.9);
    for (int period = 1; period <= 2; period++) {
        CHECK(cover_family(period, TYPE_FLOAT, 0x1p-6));
        for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
            check_boundary(period, type);
            CHECK(prove_points(period, type, 1, type == TYPE_FLOAT ? 2000 : 60));
            for (int fused = 0; fused < 2; fused++)
                check_orbits(period, type, fused, type == TYPE_FLOAT ? 600 : 40);
        }
    }
    printf("check_interior: %d failed\n", failures);
    return failures > 0;
}

int main(int argc, char **argv) {
    random_seed(20261121);
    return argc > 1 && strcmp(argv[1], "prove") == 0 ? prove() : check();
}
