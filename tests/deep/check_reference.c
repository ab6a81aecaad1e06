/* Reference orbits against plain iteration with more than twice the bits, and their cuts against
 * every index. Also continuing, sharing, stopping and refusing. */
#define _GNU_SOURCE
#include "render/deep/orbit.h"
#include "render/deep/reference.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include <math.h>
#include <pthread.h>
#include <time.h>

#ifdef TEST_SANITIZED
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* A point, and the reference that is wanted around it. */
struct place {
    struct view view;
    struct reference_want want;
};

static void place_text(struct place *place, const char *re, const char *im, double radius_log2,
                       uint32_t limit) {
    const char *why;
    *place = (struct place){.want = {.radius_log2 = radius_log2, .limit = limit}};
    view_init(&place->view);
    CHECK(view_set_centre(&place->view, re, im, 0, &why));
    place->want.step_log2 = radius_log2 - 10;
    place->want.re = place->view.re;
    place->want.im = place->view.im;
}

/* Loads a place of tests/data/locations, in a picture 540 high. */
static void place_file(struct place *place, const char *name) {
    static char text[SCENE_TEXT_MAX];
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    SCOPED(scene, scene);
    if (!scene_parse(&scene, path, text, length))
        exit(1);
    fclose(file);
    view_init_copy(&place->view, &scene.view);
    const double step = view_step_log2(&scene.view, 540);
    place->want = (struct reference_want){.re = place->view.re,
                                          .im = place->view.im,
                                          .radius_log2 = step + 9.2,
                                          .step_log2 = step,
                                          .limit = scene.limit};
}

static const struct reference *make(const struct place *place) {
    return reference_make(&place->want, NULL, NULL, NULL);
}

/* --- comparison with plain iteration --- */

/* Z and its derivative D, with spare bits. */
struct exact {
    mpfr_t re, im, d_re, d_im, a, b, c;
};

static void exact_init(struct exact *exact, const struct place *place) {
    const long bits = 200 + (long)fmax(-3 * place->want.step_log2, 0);
    mpfr_inits2(bits, exact->re, exact->im, exact->a, exact->b, exact->c, (mpfr_ptr)NULL);
    mpfr_inits2(128, exact->d_re, exact->d_im, (mpfr_ptr)NULL);
    mpfr_set_zero(exact->re, 1);
    mpfr_set_zero(exact->im, 1);
    mpfr_set_zero(exact->d_re, 1);
    mpfr_set_zero(exact->d_im, 1);
}

static void exact_finish(struct exact *exact) {
    mpfr_clears(exact->re, exact->im, exact->a, exact->b, exact->c, exact->d_re, exact->d_im,
                (mpfr_ptr)NULL);
}

static void exact_step(struct exact *e, const struct place *place) {
    mpfr_fmms(e->a, e->re, e->d_re, e->im, e->d_im, MPFR_RNDN);
    mpfr_fmma(e->b, e->re, e->d_im, e->im, e->d_re, MPFR_RNDN);
    mpfr_mul_2ui(e->a, e->a, 1, MPFR_RNDN);
    mpfr_add_ui(e->d_re, e->a, 1, MPFR_RNDN);
    mpfr_mul_2ui(e->d_im, e->b, 1, MPFR_RNDN);
    mpfr_sqr(e->a, e->re, MPFR_RNDN);
    mpfr_sqr(e->b, e->im, MPFR_RNDN);
    mpfr_mul(e->c, e->re, e->im, MPFR_RNDN);
    mpfr_sub(e->a, e->a, e->b, MPFR_RNDN);
    mpfr_add(e->re, e->a, place->want.re, MPFR_RNDN);
    mpfr_mul_2ui(e->c, e->c, 1, MPFR_RNDN);
    mpfr_add(e->im, e->c, place->want.im, MPFR_RNDN);
}

/* Returns log2 of |re + i im|, or -INFINITY for 0. */
static double log2_size(mpfr_srcptr re, mpfr_srcptr im) {
    mpfr_t size;
    mpfr_init2(size, 64);
    mpfr_hypot(size, re, im, MPFR_RNDN);
    long exponent;
    const double mantissa = mpfr_get_d_2exp(&exponent, size, MPFR_RNDN);
    mpfr_clear(size);
    return mantissa == 0 ? -INFINITY : log2(mantissa) + (double)exponent;
}

/* Returns log2 of the distance of (re + i im) * 2^exponent from Z, or -INFINITY for none. */
static double log2_error(struct exact *e, double re, double im, long exponent) {
    mpfr_set_d(e->a, re, MPFR_RNDN);
    mpfr_set_d(e->b, im, MPFR_RNDN);
    mpfr_mul_2si(e->a, e->a, exponent, MPFR_RNDN);
    mpfr_mul_2si(e->b, e->b, exponent, MPFR_RNDN);
    mpfr_sub(e->a, e->a, e->re, MPFR_RNDN);
    mpfr_sub(e->b, e->b, e->im, MPFR_RNDN);
    return log2_size(e->a, e->b);
}

/* Returns true if an index is right: Z to a double's last bit, or to 2^-60 of a pixel at that
 * depth. A value just inside of |Z| = 2 also counts, as stored values never lie on that circle. */
static bool is_near(struct exact *e, double re, double im, long exponent, double step_log2) {
    const double error = log2_error(e, re, im, exponent);
    return error <= log2_size(e->re, e->im) - 53 + 0.01 ||
           error <= log2_size(e->d_re, e->d_im) + step_log2 - 60 ||
           (hypot(re, im) == 0x1.fffffffffffffp0 && error <= -51);
}

static uint32_t wrong_indices(const struct place *place, const struct reference *reference) {
    uint32_t wrong = 0, small = 0, cut = 0;
    double lowest = INFINITY;
    SCOPED(exact, e, place);
    for (uint32_t m = 1; m <= reference->length; m++) {
        exact_step(&e, place);
        const double *z = reference->z + 2 * (size_t)m;
        const double radius = log2_size(e.re, e.im) - log2_size(e.d_re, e.d_im);
        bool right =
            is_near(&e, z[0], z[1], 0, place->want.step_log2) || hypot(z[0], z[1]) < 1e-300;
        const bool is_small = fmax(fabs(z[0]), fabs(z[1])) < 0x1p-900;
        if (is_small && (small == reference->small_count || reference->small[small].index != m))
            right = false;
        else if (is_small) {
            const struct reference_small *entry = &reference->small[small];
            const double size = fmax(fabs(entry->re), fabs(entry->im));
            right = right && ((size >= 0.5 && size <= 1) || isinf(radius)) &&
                    small < reference->small_count &&
                    is_near(&e, entry->re, entry->im, entry->exponent, place->want.step_log2);
            small++;
        }
        if (cut < reference->cut_count && reference->cuts[cut].index == m) {
            const double was = lowest;
            lowest = reference->cuts[cut++].radius_log2;
            right = right && lowest < was &&
                    (radius < place->want.step_log2 - 40 ||
                     (lowest >= radius - 1e-6 && lowest <= radius + 0.125 + 1e-6));
        }
        right = right && radius >= lowest - 0.125 - 1e-6;
        if (!right && wrong++ < 3)
            printf("index %u of %u: %a %a, radius 2^%f\n", m, reference->length, z[0], z[1],
                   radius);
    }
    CHECK(reference->z[0] == 0 && reference->z[1] == 0);
    CHECK(small == reference->small_count && cut == reference->cut_count);
    return wrong;
}

/* Checks the reference of a place: how it ends, and every index. */
static void check_orbit(const char *name, struct place *place, bool cut, bool escaped) {
    const struct reference *reference = make(place);
    CHECK(reference);
    if (reference) {
        const struct reference_want *want = &place->want;
        const double last =
            reference->cut_count ? reference->cuts[reference->cut_count - 1].radius_log2 : INFINITY;
        const bool is_cut = last <= want->radius_log2;
        printf("%-10s %7u indices, %5.0f bits, %u small, %u cuts%s%s\n", name, reference->length,
               -reference->step_log2, reference->small_count, reference->cut_count,
               is_cut ? ", periodic" : "",
               reference->escaped                            ? ", escapes"
               : reference->trapped_log2 > want->radius_log2 ? ", trapped"
                                                             : "");
        CHECK(is_cut == cut && reference->escaped == escaped);
        CHECK(cut || escaped || reference->length == want->limit ||
              reference->trapped_log2 > want->radius_log2);
        CHECK(mpfr_equal_p(reference->re, want->re) && mpfr_equal_p(reference->im, want->im));
        CHECK(reference->step_log2 <= want->step_log2);
        CHECK(reference_serves(reference, want->radius_log2, want->step_log2, want->limit));
        CHECK(!reference_serves(reference, want->radius_log2, reference->step_log2 - 1, 1));
        CHECK(reference_last(reference, want->radius_log2, want->limit) == reference->length);
        CHECK(wrong_indices(place, reference) == 0);
        const size_t bytes = 16 * ((size_t)reference->length + 1);
        CHECK(reference_bytes(reference) > bytes &&
              reference_bytes(reference) < 2 * bytes + 100000);
    }
    reference_unref(reference);
    view_finish(&place->view);
}

static void check_orbits(void) {
    struct place place;
    place_text(&place, "-0.5", "0", 1, 1000); /* the whole set: the nucleus of period 1 */
    check_orbit("whole set", &place, true, false);
    place_text(&place, "0", "0", -30, 1000);
    check_orbit("0", &place, true, false);
    place_text(&place, "-1", "0", -30, 1000);
    check_orbit("-1", &place, true, false);
    place_text(&place, "-2", "0", -170, 1000); /* the tip: |Z| stays 2 */
    check_orbit("-2", &place, true, false);
    place_text(&place, "-2.0000000000000000000000000000001", "0", -300, 1000);
    check_orbit("beside it", &place, false, true);
    place_text(&place, "0.3", "0.6", -60, 500);
    check_orbit("outside", &place, false, true);
    place_text(&place, "2.5", "-2.5", -20, 500);
    check_orbit("at once", &place, false, true);
    place_text(&place, "-0.1", "0.2", -60, 3000);
    check_orbit("inside", &place, false, false);
    /* Period 2, with the nucleus too far away for the view: every other Z is small. */
    place_text(&place, "-1", "1e-290", -1200, 400);
    check_orbit("near -1", &place, false, false);
    place_text(&place, "-1", "1e-400", -1500, 400);
    check_orbit("nearer", &place, false, false);
    place_file(&place, "1e14");
    check_orbit("1e14", &place, true, false);
    place_file(&place, "5e113");
    check_orbit("5e113", &place, true, false);
    place_file(&place, "e8000");
    place.want.limit = SANITIZED ? 50 : 500;
    check_orbit("e8000", &place, false, false);
    if (SANITIZED)
        return;
    place_file(&place, "1e50");
    check_orbit("1e50", &place, true, false);
    place_file(&place, "4e533");
    check_orbit("4e533", &place, true, false);
}

/* Checks points far from the set: nothing is iterated, whatever the exponent. */
static void check_far(void) {
    static const char *const far[] = {"4", "-5", "1e300", "-1e300"};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        struct place place;
        place_text(&place, "0", "1e-30", -20, 100);
        mpfr_set_str(place.view.re, far[i], 10, MPFR_RNDN);
        const struct reference *reference = make(&place);
        CHECK(reference && reference->length == 1 && reference->escaped);
        CHECK(reference && reference->z[2] == mpfr_get_d(place.view.re, MPFR_RNDN));
        reference_unref(reference);
        view_finish(&place.view);
    }
}

/* --- continued references --- */

static bool same_bytes(const void *a, const void *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

static bool same_cuts(const struct reference *a, const struct reference *b) {
    bool same = a->cut_count == b->cut_count;
    for (uint32_t i = 0; i < a->cut_count && same; i++)
        same = a->cuts[i].index == b->cuts[i].index &&
               a->cuts[i].radius_log2 == b->cuts[i].radius_log2;
    return same;
}

static bool same(const struct reference *a, const struct reference *b) {
    return a && b && a->length == b->length && a->escaped == b->escaped &&
           a->step_log2 == b->step_log2 && a->small_count == b->small_count &&
           same_bytes(a->z, b->z, 16 * ((size_t)a->length + 1)) &&
           same_bytes(a->small, b->small, a->small_count * sizeof *a->small) && same_cuts(a, b);
}

/* Checks that a continued reference has the bytes of one made at once, for higher limits, and for
 * smaller radii, which need longer orbits. */
static void check_going_on(void) {
    struct place place;
    place_file(&place, "5e113");
    const struct reference *whole = make(&place), *part = NULL;
    const uint32_t limits[] = {1, 2, 100, 9999, 20000, place.want.limit};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct reference_want want = place.want;
        atomic_uint progress = 0;
        want.limit = limits[i];
        const struct reference *more = reference_make(&want, part, NULL, &progress);
        CHECK(more && progress == more->length);
        CHECK(reference_make(&want, more, NULL, NULL) == more); /* the same one, held twice now */
        reference_unref(more);
        reference_unref(part);
        part = more;
    }
    CHECK(same(part, whole));
    reference_unref(part);
    part = NULL;
    for (double radius = -10; radius >= place.want.radius_log2; radius -= 10) {
        struct reference_want want = place.want;
        want.radius_log2 = radius;
        const struct reference *more = reference_make(&want, part, NULL, NULL);
        const struct reference *once = reference_make(&want, NULL, NULL, NULL);
        CHECK(same(more, once) || (more == part && more->length >= once->length));
        CHECK(reference_last(whole, radius, want.limit) == once->length);
        reference_unref(once);
        reference_unref(part);
        part = more;
    }
    /* A deeper request gets a new reference, which also serves the shallower request. Another point
     * needs a new reference, too. */
    struct reference_want want = place.want;
    want.step_log2 -= 200;
    const struct reference *deeper = reference_make(&want, whole, NULL, NULL);
    CHECK(deeper && deeper != whole && deeper->step_log2 <= want.step_log2);
    CHECK(deeper &&
          reference_serves(deeper, place.want.radius_log2, place.want.step_log2, 1000000));
    want = place.want;
    want.im = place.view.re;
    const struct reference *other = reference_make(&want, whole, NULL, NULL);
    CHECK(other && other != whole && mpfr_equal_p(other->im, place.view.re));
    reference_unref(other);
    reference_unref(deeper);
    reference_unref(part);
    reference_unref(whole);
    view_finish(&place.view);
}

/* Checks that a reference with 300 more bits is the same, except for rounding. */
static void check_depths(void) {
    struct place place;
    place_file(&place, "1e14");
    const struct reference *shallow = make(&place);
    place.want.step_log2 -= 300;
    const struct reference *deep = make(&place);
    CHECK(shallow && deep && shallow->length == deep->length);
    for (uint32_t i = 0; i <= 2 * deep->length && !failures; i++)
        CHECK(fabs(deep->z[i] - shallow->z[i]) <= 1e-15);
    CHECK(deep->cut_count == shallow->cut_count);
    reference_unref(deep);
    reference_unref(shallow);
    view_finish(&place.view);
}

/* --- stopping --- */

/* An engine that counts its steps, and requests a stop at one of them. */
static atomic_bool stop;
static unsigned steps, stop_after, limbs_now, limbs_fewest, limbs_most, limbs_risen;

static struct orbit_point counted_step(void *orbit, unsigned limbs) {
    if (++steps == stop_after)
        stop = true;
    limbs_fewest = limbs < limbs_fewest ? limbs : limbs_fewest;
    limbs_most = limbs > limbs_most ? limbs : limbs_most;
    limbs_risen += steps > 1 && limbs > limbs_now;
    limbs_now = limbs;
    return orbit_mpn.step(orbit, limbs);
}

static void check_stopping(void) {
    struct orbit_engine counted = orbit_mpn;
    struct place place;
    counted.step = counted_step;
    place_file(&place, "5e113");
    place.want.engine = &counted;
    for (stop_after = 0; stop_after < 2000; stop_after += 499) {
        atomic_uint progress = 0;
        stop = stop_after == 0;
        steps = 0;
        CHECK(!reference_make(&place.want, NULL, &stop, &progress));
        CHECK(steps == stop_after && progress == stop_after);
    }
    /* The precision falls on the way, and rises again where the orbit passes near 0. */
    stop = false;
    steps = stop_after = limbs_most = limbs_risen = 0;
    limbs_fewest = UINT32_MAX;
    const struct reference *reference = reference_make(&place.want, NULL, &stop, NULL);
    CHECK(reference && steps == reference->length);
    CHECK(limbs_most == 8 && limbs_fewest == 5 && limbs_now == 5 && limbs_risen > 0);
    reference_unref(reference);
    view_finish(&place.view);
}

static double thread_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* Checks the cost of a step at the greatest depth, which is the time that stopping takes. */
static void check_longest_step(void) {
    struct place place;
    double ms = INFINITY;
    place_text(&place, "0", "0", -399900, 12);
    for (int i = 0; i < 2; i++) { /* with the maximum number of digits */
        mpfr_set_prec(i ? place.view.im : place.view.re, VIEW_BITS_MAX);
        mpfr_set_d(i ? place.view.im : place.view.re, i ? 0.1 : 0.5, MPFR_RNDN);
        mpfr_sqrt(i ? place.view.im : place.view.re, i ? place.view.im : place.view.re, MPFR_RNDN);
    }
    mpfr_neg(place.view.re, place.view.re, MPFR_RNDN);
    for (int i = 0; i < 3; i++) {
        const double start = thread_ms();
        const struct reference *reference = make(&place);
        ms = fmin(ms, (thread_ms() - start) / 12);
        CHECK(reference && (reference->escaped || reference->length == 12));
        reference_unref(reference);
    }
    printf("a step of 400,000 bits: %.1f ms\n", ms);
    CHECK(SANITIZED || ms < 10);
    view_finish(&place.view);
}

/* --- bounds --- */

static void check_bounds(void) {
    static char re[10010], im[10010];
    struct place place;
    memset(re, '0', 10000);
    memset(im, '0', 10000);
    memcpy(re, "0.25", 4);
    memcpy(im, "0.", 2);
    place_text(&place, re, im, -33000, INT32_MAX);
    place.want.bytes_most = 200000; /* on a border: it would continue to the limit */
    CHECK_REFUSED(make(&place), "choose a lower iteration limit");
    place.want.bytes_most = 1000;
    CHECK_REFUSED(make(&place), "choose a lower iteration limit");
    place.want.bytes_most = 0;
    place.want.step_log2 = -400001;
    CHECK_REFUSED(make(&place), "is the finest step");
    place.want.step_log2 = -INFINITY;
    CHECK_REFUSED(make(&place), "is the finest step");
    place.want.step_log2 = NAN;
    CHECK_REFUSED(make(&place), "is the finest step");
    place.want.step_log2 = -33000;
    mpfr_set_inf(place.view.re, 1);
    CHECK_REFUSED(make(&place), "finite numbers");
    view_finish(&place.view);
    /* A radius finer than the step requires no more than the precision provides. */
    place_text(&place, "-1", "1e-100", -100, 1000);
    place.want.radius_log2 = -INFINITY;
    const struct reference *reference = make(&place);
    CHECK(reference && reference->length == 2 && reference->cut_count > 0);
    CHECK(reference && reference_serves(reference, -INFINITY, -100, INT32_MAX));
    reference_unref(reference);
    reference_unref(NULL);
    CHECK(!reference_ref(NULL));
    view_finish(&place.view);
}

/* Checks that a rounded step is not rounded again. Below it are 64 bits, plus half the logarithm of
 * the largest number of steps, whose errors add up. */
static void check_steps(void) {
    struct orbit_engine counted = orbit_mpn;
    counted.step = counted_step;
    for (double step = -50; step > -400000; step *= 1.003) {
        const double served = reference_step_log2(step);
        CHECK(served <= step && reference_step_log2(served) == served);
        if (step < -2000)
            continue;
        struct place place;
        place_text(&place, "-0.1", "0.2", served, 2);
        place.want.step_log2 = served;
        place.want.engine = &counted;
        steps = stop_after = limbs_most = 0;
        const struct reference *reference = make(&place);
        CHECK(reference && steps == 2);
        CHECK(64.0 * limbs_most - ORBIT_INTEGER_BITS >= 64 + 31 / 2.0 - served);
        reference_unref(reference);
        view_finish(&place.view);
    }
}

/* --- other starts --- */

/* Checks an orbit along which only distances grow: it ends once pixels are 2^-8 |Z| apart. */
static void check_start(void) {
    struct place place, from;
    place_text(&place, "0", "0", -100, 1000);
    place_text(&from, "1", "0", -100, 1000);
    const struct reference_start start = {from.view.re, from.view.im, -100};
    place.want.start = &start;
    place.want.step_log2 = -100;
    const struct reference *reference = make(&place);
    CHECK(reference && reference->length == 92);
    reference_unref(reference);
    view_finish(&from.view);
    view_finish(&place.view);
}

/* Checks that small values are also found in the second orbit, behind those of the orbit of 0. */
static void check_small_julia(void) {
    struct place place, from;
    char re[320];
    memset(re, '0', sizeof re);
    memcpy(re, "1.", 2);
    strcpy(re + 292, "1");
    place_text(&place, "-1", "0", -1100, 100);
    place_text(&from, re, "0", -1100, 100);
    const struct reference_start start = {from.view.re, from.view.im, -1100};
    place.want.start = &start;
    place.want.step_log2 = -1100;
    const struct reference *reference = reference_make_julia(&place.want, NULL, NULL);
    CHECK(reference && reference->julia && reference->small_count > 1);
    if (reference && reference->small_count > 1) {
        const struct reference_small *last = &reference->small[reference->small_count - 1];
        const uint32_t first = reference->julia->first;
        CHECK(last[-1].index == first + 1 && last->index == first + 3 && last->exponent < -900);
    }
    for (uint32_t i = 1; reference && i < reference->small_count; i++)
        CHECK(reference->small[i].index > reference->small[i - 1].index);
    reference_unref(reference);
    view_finish(&from.view);
    view_finish(&place.view);
}

/* --- cycles --- */

/* Checks that no orbit escapes around a point with an attracting cycle, up to the reported
 * distance. Requests of any limit are served. `most`: distance of the nearest point that
 * escapes. */
static void check_trap(const char *re, const char *im, double most, uint32_t period) {
    struct place place;
    place_text(&place, re, im, -100, INT32_MAX);
    place.want.radius_log2 = -90;
    const struct reference *reference = make(&place);
    CHECK(reference && reference->length < 40000 * period);
    CHECK(reference && reference->trapped_log2 > -90 && reference->trapped_log2 < log2(most));
    CHECK(reference && reference_serves(reference, -90, -100, INT32_MAX));
    reference_unref(reference);
    view_finish(&place.view);
}

static void check_traps(void) {
    struct place place;
    check_trap("-0.1", "0.1", 0.5, 1);
    check_trap("0.2", "0", 0.06, 1);
    check_trap("-1.1", "0.05", 0.15, 2);
    check_trap("-0.12", "0.74", 0.1, 3);
    check_trap("-1.7548776662466927", "0.001", 0.02, 3);
    /* Repelling cycles and points of a border: these references continue. */
    static const char *const others[][2] = {{"0", "1"}, {"-2", "0"}, {"0.25", "0"}, {"-0.75", "0"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        place_text(&place, others[i][0], others[i][1], -100, 5000);
        const struct reference *reference = make(&place);
        CHECK(reference && reference->trapped_log2 == -INFINITY);
        reference_unref(reference);
        view_finish(&place.view);
    }
}

/* --- several threads --- */

static void *hold_and_read(void *argument) {
    const struct reference *reference = argument;
    double sum = 0;
    for (int i = 0; i < 2000; i++) {
        const struct reference *mine = reference_ref(reference);
        sum += mine->z[2 * reference_last(mine, -20, 1000)];
        reference_unref(mine);
    }
    reference_unref(reference);
    return isfinite(sum) ? NULL : "values that are no numbers";
}

static void check_holders(void) {
    struct place place;
    pthread_t threads[4];
    place_file(&place, "1e14");
    const struct reference *reference = make(&place);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, hold_and_read, (void *)reference_ref(reference)) != 0)
            exit(1);
    reference_unref(reference); /* the last holder frees it */
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        CHECK(!wrong);
    }
    view_finish(&place.view);
}

int main(void) {
    check_orbits();
    check_far();
    check_going_on();
    check_depths();
    check_stopping();
    check_longest_step();
    check_steps();
    check_start();
    check_small_julia();
    check_traps();
    check_holders();
    check_bounds();
    mpfr_free_cache();
    return failures != 0;
}
