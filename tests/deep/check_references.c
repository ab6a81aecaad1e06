/* Kept and prepared references: which reference a picture gets, and when it need not wait. */
#include "render/deep/perturbation.h"
#include "render/deep/reference.h"
#include "render/deep/references.h"
#include "render/deep/tables/tables.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include <math.h>

#define WIDTH   320
#define HEIGHT  180
#define WAIT_MS 60000.0

static struct scene place;

/* Makes a request for the place at that zoom, moved to the right, in motion or at rest. */
static void begin(struct frame_req *req, double zoom, double heights, bool moving) {
    frame_req_init(req, WIDTH, HEIGHT);
    view_assign(&req->view, &place.view);
    mpfr_set_d(req->view.zoom, zoom, MPFR_RNDN);
    view_pan(&req->view, heights * HEIGHT, 0, HEIGHT);
    req->route = ROUTE_PERTURBED;
    req->limit = place.limit;
    req->lines = moving ? lines_create(WIDTH, HEIGHT) : NULL;
    if (req->lines)
        req->lines->in_motion = true;
}

static enum references_state get(struct references *r, double zoom, double heights, bool moving,
                                 double wait_ms, struct perturbation **found) {
    double progress;
    SCOPED_BY(begin, frame_req, req, zoom, heights, moving);
    const enum references_state state = references_get(r, &req, NULL, wait_ms, found, &progress);
    return state;
}

static void prepare(struct references *r, double zoom, double soon_zoom) {
    SCOPED_BY(begin, frame_req, req, zoom, 0, false);
    SCOPED_COPY(view, soon, &req.view);
    mpfr_set_d(soon.zoom, soon_zoom, MPFR_RNDN);
    references_prepare(r, &req, NULL, &soon);
}

static bool at_place(const struct perturbation *p) {
    return mpfr_equal_p(p->reference->re, place.view.re) &&
           mpfr_equal_p(p->reference->im, place.view.im);
}

/* Checks that one reference serves the whole way in; no picture waits once it is made. */
static void check_way(void) {
    struct references *r = references_create(2);
    struct perturbation *first, *found;
    prepare(r, 1e80, 1e20);
    CHECK(get(r, 1e15, 0, true, WAIT_MS, &first) == REFERENCES_READY);
    CHECK(at_place(first));
    for (double zoom = 1e15; zoom <= 1e80; zoom *= 10) {
        CHECK(get(r, zoom, 0.3, true, 0, &found) == REFERENCES_READY && found == first);
        perturbation_unref(found);
    }
    /* The kept reference serves `soon`, so none is prepared, and this picture gets its own. */
    prepare(r, 1e110, 1e60);
    CHECK(get(r, 1e110, 0, true, WAIT_MS, &found) == REFERENCES_READY && !at_place(found));
    perturbation_unref(found);
    /* Now it does not serve `soon`. A picture elsewhere replaces the reference in flight. */
    prepare(r, 1e113, 1e112);
    CHECK(get(r, 1e90, 1000, true, WAIT_MS, &found) == REFERENCES_READY && found != first);
    perturbation_unref(found);
    perturbation_unref(first);
    references_destroy(r);
}

/* Checks that a picture at rest uses its own reference, whatever was prepared. */
static void check_rest(void) {
    struct references *r = references_create(2);
    struct perturbation *found;
    mpfr_t re, im;
    prepare(r, 1e80, 1e20);
    CHECK(get(r, 1e50, 0.3, false, WAIT_MS, &found) == REFERENCES_READY);
    mpfr_inits2(64, re, im, (mpfr_ptr)NULL);
    SCOPED_BY(begin, frame_req, req, 1e50, 0.3, false);
    perturbed_home(&req.view, HEIGHT, false, re, im);
    CHECK(mpfr_equal_p(found->reference->re, re) && mpfr_equal_p(found->reference->im, im));
    mpfr_clears(re, im, (mpfr_ptr)NULL);
    perturbation_unref(found);
    references_destroy(r);
}

/* Returns true if the reference is still kept. */
static bool is_kept(struct references *r, double zoom, const struct perturbation *was) {
    struct perturbation *found = NULL;
    const enum references_state state = get(r, zoom, 0, false, 0, &found);
    perturbation_unref(found);
    references_cancel(r);
    return state == REFERENCES_READY && found == was;
}

/* Makes three references, with memory for the latest `room` of them. A request for a lost reference
 * may make it again at once, so only one is tested: `gone`. */
static void check_memory(int room, int gone) {
    static const double zooms[] = {1e50, 1e60, 1e70};
    struct references *r = references_create(2);
    struct perturbation *made[3];
    uint64_t bytes = 0;
    for (int i = 0; i < 3; i++)
        CHECK(get(r, zooms[i], 0, false, WAIT_MS, &made[i]) == REFERENCES_READY);
    CHECK(perturbation_bytes(made[0]) >
          reference_bytes(made[0]->reference) + made[0]->segments.size * sizeof(struct segment));
    for (int i = 3 - room; i < 3; i++)
        bytes += perturbation_bytes(made[i]);
    references_set_bytes(r, bytes);
    for (int i = gone + 1; i < 3; i++)
        CHECK(is_kept(r, zooms[i], made[i]));
    CHECK(!is_kept(r, zooms[gone], made[gone]));
    for (int i = 0; i < 3; i++)
        perturbation_unref(made[i]);
    references_destroy(r);
}

/* A picture's requirements of its reference, besides its place. */
struct asked {
    uint32_t limit;
    bool moving, wide, widen, hybrid;
};

static enum references_state ask(struct references *r, double zoom, struct asked asked,
                                 double wait_ms, struct perturbation **found) {
    double progress;
    SCOPED_BY(begin, frame_req, req, zoom, 0, asked.moving);
    req.limit = asked.limit;
    req.type = asked.wide ? TYPE_WIDE : TYPE_DOUBLE;
    req.widen = asked.widen;
    if (asked.hybrid)
        CHECK(fractal_set_then(&req.fractal, "burning_ship"));
    const enum references_state state = references_get(r, &req, NULL, wait_ms, found, &progress);
    return state;
}

/* Starts making a reference, which is usually in flight on return. */
static void start(struct references *r, double zoom, struct asked asked) {
    struct perturbation *found;
    if (ask(r, zoom, asked, 0, &found) == REFERENCES_READY)
        perturbation_unref(found);
}

/* Checks that a request awaits a reference in flight only if the reference will serve. Orbits of a
 * hybrid serve only the same limit. A widened request gets a reference whose sufficiency is
 * known. */
static void check_others(void) {
    struct references *r = references_create(2);
    struct perturbation *found, *same;
    start(r, 1e15, (struct asked){.limit = 100000, .hybrid = true});
    CHECK(ask(r, 1e15, (struct asked){.limit = 1000, .hybrid = true}, WAIT_MS, &found) ==
          REFERENCES_READY);
    CHECK(found->reference->limit == 1000);
    perturbation_unref(found);
    CHECK(ask(r, 1e15, (struct asked){.limit = 5000}, WAIT_MS, &found) == REFERENCES_READY);
    start(r, 1e15, (struct asked){.limit = 5000, .widen = true});
    CHECK(ask(r, 1e15, (struct asked){.limit = 4000, .widen = true}, WAIT_MS, &same) ==
          REFERENCES_READY);
    CHECK(same == found);
    perturbation_unref(same);
    perturbation_unref(found);
    references_destroy(r);
}

/* Checks that in motion a near reference serves only if it has the picture's kind of numbers. */
static void check_kinds(void) {
    struct references *r = references_create(2);
    struct perturbation *plain, *wide;
    struct asked asked = {.limit = place.limit, .wide = true};
    CHECK(ask(r, 1e40, asked, WAIT_MS, &wide) == REFERENCES_READY && wide->reference->low);
    asked = (struct asked){.limit = place.limit, .moving = true};
    CHECK(ask(r, 1e41, asked, WAIT_MS, &plain) == REFERENCES_READY && !plain->reference->low);
    perturbation_unref(plain);
    perturbation_unref(wide);
    references_destroy(r);
}

static double served_log2(double zoom) {
    SCOPED_BY(begin, frame_req, req, zoom, 0, true);
    return reference_step_log2(view_step_log2(&req.view, HEIGHT));
}

/* Checks that a near reference in flight that is not fine enough is not awaited. */
static void check_coarse(void) {
    struct references *r = references_create(2);
    struct perturbation *found;
    double zoom = 1e100;
    while (served_log2(1.01 * zoom) == served_log2(zoom))
        zoom *= 1.01;
    start(r, zoom, (struct asked){.limit = place.limit, .moving = true});
    CHECK(get(r, 1.01 * zoom, 9, true, WAIT_MS, &found) == REFERENCES_READY);
    CHECK(found->reference->step_log2 < served_log2(zoom));
    perturbation_unref(found);
    references_destroy(r);
}

/* Returns log2 of the distance of the view's corner from a reference. */
static double corner_log2(const struct view *view, int right, int down, mpfr_srcptr re,
                          mpfr_srcptr im) {
    mpfr_t d;
    long exponent;
    SCOPED_COPY(view, corner, view);
    view_pan(&corner, right * WIDTH / 2.0, down * HEIGHT / 2.0, HEIGHT);
    mpfr_init2(d, 64);
    mpfr_sub(corner.re, corner.re, re, MPFR_RNDN);
    mpfr_sub(corner.im, corner.im, im, MPFR_RNDN);
    mpfr_hypot(d, corner.re, corner.im, MPFR_RNDN);
    const double mantissa = mpfr_get_d_2exp(&exponent, d, MPFR_RNDN);
    mpfr_clear(d);
    return log2(mantissa) + (double)exponent;
}

/* Checks that all points of a picture are within the distance by which segments are chosen,
 * wherever the reference lies. */
static void check_bound(void) {
    unsigned long long seed = 7;
    double closest = INFINITY;
    for (int i = 0; i < 2000; i++) {
        mpfr_t re, im;
        SCOPED_BY(begin, frame_req, req, 1e20 * pow(2, (double)(random_next(&seed) % 1000) / 1000),
                  0, false);
        mpfr_inits2(256, re, im, (mpfr_ptr)NULL);
        mpfr_set(re, req.view.re, MPFR_RNDN);
        mpfr_set(im, req.view.im, MPFR_RNDN);
        view_pan(&req.view, (double)(random_next(&seed) % 1000) - 500,
                 (double)(random_next(&seed) % 1000) - 500, HEIGHT);
        const struct perturbed_place at = perturbed_place(re, im, &req.view, WIDTH, HEIGHT);
        for (int corner = 0; corner < 4; corner++) {
            const double log2 =
                corner_log2(&req.view, corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, re, im);
            CHECK(log2 <= at.c_most_log2);
            closest = fmin(closest, at.c_most_log2 - log2);
        }
        mpfr_clears(re, im, (mpfr_ptr)NULL);
    }
    printf("2^%.2f times as far as the farthest\n", closest);
}

/* Makes a reference with its tables at a point. */
static struct perturbation *make_at(const char *re, const char *im, double log2, bool wide) {
    const char *why;
    SCOPED(view, view);
    CHECK(view_set_centre(&view, re, im, 0, &why));
    const struct reference_want want = {.re = view.re,
                                        .im = view.im,
                                        .radius_log2 = log2,
                                        .step_log2 = log2 - (wide ? 60 : 10),
                                        .limit = 2000,
                                        .wide = wide};
    const struct reference *reference = reference_make(&want, NULL, NULL, NULL);
    struct perturbation *p = reference ? perturbation_create(reference, NULL) : NULL;
    CHECK(p);
    reference_unref(reference);
    return p;
}

static double inside_at(const char *re, int32_t log2) {
    const struct perturbed_place at = {.c_log2 = log2, .c_most_log2 = log2, .step = 0.5};
    struct perturbation *p = make_at(re, "0", log2, false);
    const double inside = perturbed_tables(p, &at, 2000).inside;
    perturbation_unref(p);
    return inside;
}

/* Checks how far a reference is inside of |c| = 2, beyond the precision of doubles: 2^-50 from -2
 * it is 2^-48, less the square. */
static void check_inside(void) {
    const double inside = inside_at("-1.99999999999999911182158029987476766109466552734375", -70);
    CHECK(inside == ldexp(1, -48 + 70) - ldexp(1, -100 + 70));
    CHECK(isinf(inside_at("-1.75", -70)));
}

/* Checks that in wide numbers each coordinate of the reference is the sum of two doubles. */
static void check_low(void) {
    struct perturbation *p = make_at("-0.743643887037158704752191506114774",
                                     "0.131825904205311970493132056385139", -40, true);
    const struct perturbed_place at = {.c_most_log2 = -40, .step = 0.5, .step_log2 = -50};
    const struct perturbed_tables t = perturbed_tables(p, &at, 2000);
    mpfr_t rest;
    mpfr_init2(rest, 300);
    mpfr_sub_d(rest, p->reference->re, t.re, MPFR_RNDN);
    CHECK(t.re_low != 0 && mpfr_get_d(rest, MPFR_RNDN) == t.re_low);
    mpfr_sub_d(rest, p->reference->im, t.im, MPFR_RNDN);
    CHECK(t.im_low != 0 && mpfr_get_d(rest, MPFR_RNDN) == t.im_low);
    mpfr_clear(rest);
    perturbation_unref(p);
}

/* Checks an orbit of z^3 + c next to a fixed point, where distances shrink to 3/4: it continues
 * until pixels cannot be distinguished. */
static void check_shrinking(void) {
    mpfr_t c, half, zero;
    SCOPED(fractal, fractal);
    fractal.power = 3;
    mpfr_inits2(64, c, half, zero, (mpfr_ptr)NULL);
    mpfr_set_d(c, 0.375, MPFR_RNDN);
    mpfr_set_d(half, 0.5, MPFR_RNDN);
    mpfr_set_zero(zero, 1);
    const struct reference_start start = {half, zero, -100};
    const struct reference_want want = {.re = c,
                                        .im = zero,
                                        .steps = fractal_steps(&fractal),
                                        .start = &start,
                                        .step_log2 = -100,
                                        .limit = 2000};
    const struct reference *reference = reference_make(&want, NULL, NULL, NULL);
    /* 2^-280 in steps of log2(3/4): twice the pixels' 2^-100, and guard bits */
    CHECK(reference && reference->length > 660 && reference->length < 690);
    reference_unref(reference);
    mpfr_clears(c, half, zero, (mpfr_ptr)NULL);
}

/* Returns true if a segment's trace is that of the orbit: the nearest point to 0, and the distances
 * from the axes and the circle. `near` and `far` must keep orbits with distances below 2^-8 |Z| as
 * close to that as segment_trace.h states. */
static bool passes_right(const struct segment_trace *trace, const double *z, uint32_t length) {
    uint32_t nearest = 2;
    double cross = INFINITY, circle = INFINITY;
    for (uint32_t n = 2; n < length; n++) {
        if (hypot(z[2 * n], z[2 * n + 1]) < hypot(z[2 * nearest], z[2 * nearest + 1]))
            nearest = n;
        cross = fmin(cross, fmin(fabs(z[2 * n]), fabs(z[2 * n + 1])));
        circle = fmin(circle, fabs(hypot(z[2 * n], z[2 * n + 1]) - 1));
    }
    const double least = fmin(cross, circle);
    return length < 3 ||
           (trace->nearest == nearest && trace->cross == cross &&
            fabs(trace->circle - circle) < 0x1p-50 && trace->near >= 8 && trace->far >= 8 &&
            ldexp(2, -8 - trace->near) <= fmax(least * 0x1p-13 * 1.001, 0x1p-37) &&
            ldexp(2, -8 - trace->far) <= fmax(least / 2 * 1.001, 0x1p-37));
}

/* Checks that with larger distances a segment serves only if no trap comes nearer in it. */
static void check_traps(void) {
    const struct segment_trace trace = {
        .line = 1, .cross = 0.5, .circle = 0.25, .near = 30, .far = 20};
    CHECK(segment_trace_fits(&trace, 30, 9, 9, 9) && !segment_trace_fits(&trace, 29, 9, 9, 9));
    CHECK(segment_trace_fits(&trace, 20, 0.5, 0.25, 0.125));
    CHECK(!segment_trace_fits(&trace, 19, 0.5, 0.25, 0.125));
    CHECK(!segment_trace_fits(&trace, 20, 0.51, 0.25, 0.125) &&
          !segment_trace_fits(&trace, 20, 0.5, 0.26, 0.125) &&
          !segment_trace_fits(&trace, 20, 0.5, 0.25, 0.126));
}

/* Checks the traces of all segments, also of those joined from shorter ones. */
static void check_passed(const struct perturbation *p, uint32_t least) {
    const struct reference *reference = p->reference;
    const struct segment_orbits orbits = {
        .z = reference->z, .steps = &reference->steps, .begin = reference->begin};
    struct segment_trace *trace = segment_traces_make(&p->segments, &orbits, 0, 0);
    uint32_t wrong = 0, longest = 0;
    for (uint32_t i = 0; trace && i < p->segments.lists; i++)
        for (uint32_t k = p->segments.list[i].first; k < p->segments.list[i + 1].first; k++) {
            const double *z = reference->z + 2 * (size_t)p->segments.list[i].start;
            const uint32_t length = (uint32_t)p->segments.segment[k].length;
            wrong += !passes_right(&trace[k], z, length);
            longest = length > longest ? length : longest;
        }
    CHECK(trace && wrong == 0 && longest >= least);
    free(trace);
}

/* Checks an orbit that comes near to the axes, and one that stays near to the circle. */
static void check_traces(void) {
    struct references *r = references_create(2);
    struct perturbation *p;
    CHECK(get(r, 1e60, 0, false, WAIT_MS, &p) == REFERENCES_READY);
    check_passed(p, 100);
    perturbation_unref(p);
    references_destroy(r);
    p = make_at("-0.9587523139020886", "0.16241359826134044", -40, false);
    check_passed(p, 16);
    perturbation_unref(p);
}

int main(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/5e113.fathom", getenv("FATHOM_SOURCE"));
    scene_init(&place);
    CHECK(scene_load(&place, path));
    check_way();
    check_rest();
    check_memory(2, 0);
    check_memory(0, 1); /* the latest stays */
    check_others();
    check_kinds();
    check_coarse();
    check_bound();
    check_inside();
    check_low();
    check_shrinking();
    check_traps();
    check_traces();
    scene_finish(&place);
    return failures > 0;
}
