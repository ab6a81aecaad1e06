/* Perturbed route: the same bytes on every backend. Counts are those of plain perturbation, and of
 * direct iteration where that is right. The place of the reference, the limit and earlier pictures
 * do not matter.
 * usage: check_perturbed [NAME]   (77: NAME cannot run on this machine) */
#include "render/deep/orbit.h"
#include "render/deep/perturbation.h"
#include "render/deep/reference.h"
#include "render/deep/references.h"
#include "render/files/scene.h"
#include "render/grid/coords.h"
#include "render/number/exact.h"
#include "tests/shared/pictures.h"
#include <complex.h>
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/perturbed_round.h"

#define WIDTH  64
#define HEIGHT 48
#define PIXELS (WIDTH * HEIGHT)

static void open_place(struct frame_req *req, const char *name, uint32_t limit) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    SCOPED(scene, scene);
    if (!scene_load(&scene, path))
        abort();
    frame_req_init(req, WIDTH, HEIGHT);
    view_assign(&req->view, &scene.view);
    req->limit = limit > 0 ? limit : scene.limit;
    req->route = ROUTE_PERTURBED;
}

static struct perturbed_place view_place(const struct view *view) {
    return perturbed_place(view->re, view->im, view, WIDTH, HEIGHT);
}

static const struct reference *make_reference(const struct frame_req *req, mpfr_srcptr re,
                                              mpfr_srcptr im, struct perturbed_place at) {
    const struct reference_want want = {.re = re,
                                        .im = im,
                                        .radius_log2 = at.c_most_log2,
                                        .step_log2 = view_step_log2(&req->view, HEIGHT),
                                        .limit = req->limit};
    return reference_make(&want, NULL, NULL, NULL);
}

static size_t differing(const struct picture *a, const struct picture *b) {
    size_t counts = 0;
    for (size_t i = 0; i < a->pixels; i++)
        counts += a->target.planes.count[i] != b->target.planes.count[i];
    return counts;
}

static bool few_differ(const struct picture *a, const struct picture *b, double most,
                       const char *what, const char *place) {
    const size_t counts = differing(a, b);
    if ((double)counts <= most * (double)a->pixels)
        return true;
    printf("%s: %s: %s: %zu of %zu counts differ\n", subject, place, what, counts, a->pixels);
    return false;
}

/* --- the same bytes --- */

/* Checks that at least half of the steps are skipped, and that executed and skipped steps add up to
 * the counts, within 1 %. */
static bool steps_are_told(const struct picture *picture) {
    const struct backend_report *report = &picture->report;
    uint64_t steps = 0;
    for (size_t i = 0; i < picture->pixels; i++)
        steps += picture->target.planes.count[i] & SAMPLE_COUNT_MASK;
    CHECK(report->iterations > picture->pixels && report->iterations < steps / 2);
    CHECK(report->iterations + report->skipped >= steps &&
          report->iterations + report->skipped <= steps + steps / 100);
    return true;
}

/* Checks the counts up to a limit by a picture with a higher limit. */
static bool counts_end(const struct picture *got, const struct picture *whole, uint32_t limit,
                       const char *place) {
    SCOPED(picture, want, WIDTH, HEIGHT);
    for (size_t i = 0; i < want.pixels; i++) {
        const uint32_t count = whole->target.planes.count[i];
        want.target.planes.count[i] = count > limit ? limit | SAMPLE_INTERIOR : count;
    }
    return few_differ(got, &want, 0.001, "a higher limit", place);
}

static bool check_same(struct backend *backend, struct backend *judge, const char *place,
                       uint32_t limit, double angle) {
    SCOPED_BY(open_place, frame_req, req, place, limit);
    req.view.angle = angle;
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, place) && (limit > 0 || steps_are_told(&got)));
    req.method = METHOD_DEEPEN; /* stops and continues */
    CHECK(draw(backend, &req, &got) && same(&got, &want, "deepening"));
    req.limit = picture_common_count(&want); /* many samples escape in their last step */
    CHECK(draw(backend, &req, &got) && counts_end(&got, &want, req.limit, place));
    CHECK(judge_draw(judge, &req, &want) && same(&got, &want, "a limit that is a count"));
    return true;
}

/* --- the same counts --- */

/* Returns a point's count by single steps in doubles, with rebasing. */
static uint32_t plain_count(const struct reference *r, uint32_t last, double complex c,
                            uint32_t limit) {
    double complex z = 0;
    uint32_t m = 0;
    for (uint32_t n = 0;; n++) {
        const double complex Z = r->z[2 * (size_t)m] + r->z[2 * (size_t)m + 1] * I;
        const double complex w = Z + z;
        if (!(creal(w) * creal(w) + cimag(w) * cimag(w) < 4))
            return n;
        if (n == limit)
            return limit;
        if (cabs(w) < cabs(z) || m == last) {
            z = w;
            m = 0;
            z = z * z + c;
        } else {
            z = (2 * Z + z) * z + c;
        }
        m++;
    }
}

static bool check_plain(struct backend *backend, const char *place) {
    struct coords coords;
    SCOPED_BY(open_place, frame_req, req, place, 0);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &got));
    const struct perturbed_place at = view_place(&req.view);
    const struct reference *reference = make_reference(&req, req.view.re, req.view.im, at);
    CHECK(reference && (req.perturbation = perturbation_create(reference, NULL)));
    CHECK(coords_init(&coords, &req) && at.c_log2 == 0);
    const uint32_t last = reference_last(reference, at.c_most_log2, req.limit);
    for (uint32_t i = 0; i < PIXELS; i++) {
        double re, im;
        coords_point_double(coords.f64, COORDS_UPRIGHT, WIDTH, i % WIDTH, i / WIDTH, &re, &im);
        const uint32_t count = plain_count(reference, last, re + im * I, req.limit);
        want.target.planes.count[i] = count == req.limit ? SAMPLE_INTERIOR | count : count;
    }
    CHECK(few_differ(&got, &want, 0.0025, "without tables", place));
    coords_finish(&coords);
    reference_unref(reference);
    return true;
}

static bool check_direct(struct backend *backend) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_place(&req, &(struct place){"-0.7436", "0.1318", "300", 30, 400});
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &want));
    req.route = ROUTE_PERTURBED;
    CHECK(draw(backend, &req, &got));
    CHECK(few_differ(&got, &want, 0.002, "direct iteration", "seahorses"));
    return true;
}

/* Checks a view in which all points escape when the reference does. The reference has one more step
 * from |Z| = 2.7, which no segment may include. */
static bool check_outside(struct backend *backend, enum number_type type) {
    struct exact_point point = {.x_px = 3, .y_px = 5};
    const atomic_bool stop = false;
    SCOPED_BY(open_place, frame_req, req, "1e50", 200000);
    CHECK(view_set_zoom(&req.view, "1e62", &(const char *){NULL}));
    req.type = type;
    SCOPED(picture, got, WIDTH, HEIGHT);
    exact_count(&req, &point, &stop);
    CHECK(point.state == EXACT_ESCAPED && draw(backend, &req, &got));
    for (size_t i = 0; i < got.pixels; i++)
        CHECK(got.target.planes.count[i] == point.count);
    return true;
}

/* --- independence --- */

/* Checks references at the edge of the view and outside. Few counts differ: only where orbits of
 * 10^5 steps amplify rounding to pixels, as at 1e50. */
static bool check_elsewhere(struct backend *backend, const char *place, double most) {
    struct view at;
    SCOPED_BY(open_place, frame_req, req, place, 0);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &want));
    for (int i = 1; i <= 3; i += 2) {
        view_init_copy(&at, &req.view);
        view_pan(&at, i * WIDTH / 2, i * HEIGHT / 3, HEIGHT);
        const struct perturbed_place p = perturbed_place(at.re, at.im, &req.view, WIDTH, HEIGHT);
        const struct reference *reference = make_reference(&req, at.re, at.im, p);
        CHECK(reference && (req.perturbation = perturbation_create(reference, NULL)));
        CHECK(draw(backend, &req, &got));
        CHECK(few_differ(&got, &want, most, "another reference", place));
        perturbation_unref(req.perturbation);
        req.perturbation = NULL;
        reference_unref(reference);
        view_finish(&at);
    }
    return true;
}

/* Checks pictures with a history against a fresh one: a raised limit, which may need a longer
 * reference, and pans there and back. */
static bool check_history(struct backend *backend, const char *place) {
    SCOPED_BY(open_place, frame_req, req, place, 0);
    const uint32_t limit = req.limit;
    SCOPED(picture, first, WIDTH, HEIGHT);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, fresh, WIDTH, HEIGHT);
    req.limit = limit / 2;
    CHECK(draw(backend, &req, &got));
    req.limit = limit;
    CHECK(draw(backend, &req, &first));
    view_pan(&req.view, 9, -5, HEIGHT);
    CHECK(draw(backend, &req, &got));
    view_pan(&req.view, -9, 5, HEIGHT);
    CHECK(draw(backend, &req, &got) && same(&got, &first, "there and back"));
    req.reuse = false;
    CHECK(draw(backend, &req, &fresh) && same(&got, &fresh, "drawn anew"));
    return true;
}

/* --- one orbit at a time --- */

/* Returns a point's count, iterated 50 steps at a time. */
static uint32_t point_count(const struct perturbed_tables *t, double cr, double ci,
                            uint32_t limit) {
    struct perturbed_point p = {.cr = cr, .ci = ci};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    perturbed_begin(t, &p);
    for (uint32_t steps = 50; end == PERTURBED_GOES_ON && p.n < limit; steps = 50)
        end = perturbed_run(t, false, &p, limit, true, &cycle, &steps);
    return end == PERTURBED_ESCAPED && p.n <= limit ? p.n : limit | SAMPLE_INTERIOR;
}

/* Checks that the code for single orbits, which GPUs run, has the counts of vectors, with and
 * without an index of the tables. */
static bool check_points(struct backend *backend, const char *place, uint32_t limit) {
    struct coords coords;
    SCOPED_BY(open_place, frame_req, req, place, limit);
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    const struct perturbed_place at = view_place(&req.view);
    const struct reference *reference = make_reference(&req, req.view.re, req.view.im, at);
    CHECK(reference && (req.perturbation = perturbation_create(reference, NULL)));
    CHECK(draw(backend, &req, &got) && coords_init(&coords, &req));
    struct perturbed_tables tables = perturbed_tables(req.perturbation, &at, req.limit);
    struct perturbed_index *index = malloc((tables.last + (size_t)1) * sizeof *index);
    CHECK(index);
    for (uint32_t m = 0; m <= tables.last; m++)
        index[m] = perturbed_index_make(&tables, m);
    for (uint32_t i = 0; i < PIXELS; i++) {
        double cr, ci;
        coords_point_double(coords.f64, COORDS_UPRIGHT, WIDTH, i % WIDTH, i / WIDTH, &cr, &ci);
        tables.index = i % 3 > 0 ? index : NULL;
        want.target.planes.count[i] = point_count(&tables, cr, ci, req.limit);
    }
    CHECK(few_differ(&got, &want, 0, "one orbit at a time", place));
    free(index);
    coords_finish(&coords);
    reference_unref(reference);
    return true;
}

/* --- references of a backend --- */

static atomic_uint engine_steps;

static struct orbit_point counted_step(void *orbit, unsigned limbs) {
    atomic_fetch_add(&engine_steps, 1);
    return orbit_mpn.step(orbit, limbs);
}

/* Checks that references are made by the engine that the backend passes. */
static bool check_engine(void) {
    struct orbit_engine engine = orbit_mpn;
    struct references *references = references_create(2);
    struct perturbation *found = NULL;
    enum references_state state;
    double progress;
    engine.step = counted_step;
    atomic_store(&engine_steps, 0);
    SCOPED_BY(open_place, frame_req, req, "5e113", 0);
    do
        state = references_get(references, &req, &engine, 1000, &found, &progress);
    while (state == REFERENCES_MAKING);
    CHECK(state == REFERENCES_READY && atomic_load(&engine_steps) == found->reference->length);
    perturbation_unref(found);
    references_destroy(references);
    return true;
}

/* Checks that a picture that waits for its reference can be cancelled and replaced. No earlier test
 * has made that reference. */
static bool check_waiting(struct backend *backend) {
    SCOPED_BY(open_place, frame_req, req, "1e1086", 0);
    SCOPED_BY(open_place, frame_req, other, "1e14", 0);
    req.generation = 7;
    other.generation = 8;
    SCOPED(picture, picture, WIDTH, HEIGHT);
    CHECK(backend_submit(backend, &req, &picture.target));
    backend_poll(backend, 0);
    backend_cancel(backend);
    mark(&picture);
    CHECK(backend_poll(backend, 0).state == BACKEND_IDLE && untouched(&picture, "cancel"));
    for (int i = 0; i < 50; i++) {
        CHECK(backend_submit(backend, i & 1 ? &other : &req, &picture.target));
        backend_poll(backend, i % 3);
    }
    CHECK(draw(backend, &other, &picture));
    return true;
}

static bool facts_of(struct backend *backend, const struct frame_req *req, struct picture *picture,
                     struct reference_facts *facts) {
    struct backend_report report;
    CHECK(backend_draw(backend, req, &picture->target, NULL, NULL, &report));
    *facts = report.reference;
    return true;
}

/* Checks the reported facts: a reference is being made, the time that it took, and its length. */
static bool check_facts(struct backend *backend) {
    SCOPED_BY(open_place, frame_req, req, "e8000", 0); /* which takes more than a moment */
    SCOPED(picture, picture, WIDTH, HEIGHT);
    CHECK(backend_submit(backend, &req, &picture.target));
    struct reference_facts facts = backend_poll(backend, 0).reference;
    CHECK(facts.making && facts.length == 0 && facts.made_ms > 0);
    while (facts.making && facts.progress == 0)
        facts = backend_poll(backend, 1).reference;
    CHECK(facts.progress > 0 && facts.progress < 1);
    backend_cancel(backend);
    set_place(&req, &(struct place){"-1.7548776662466927", "0", "100", 0, 700});
    CHECK(facts_of(backend, &req, &picture, &facts));
    CHECK(!facts.making && facts.length >= 3 && facts.period == 3 && facts.made_ms > 0);
    req.route = ROUTE_DIRECT;
    CHECK(facts_of(backend, &req, &picture, &facts));
    CHECK(!facts.making && facts.length == 0 && facts.made_ms == 0);
    return true;
}

static bool draws(struct backend *backend) {
    return backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_DOUBLE & 1;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    static const char *const places[] = {"1e14", "5e113", "1e50", "4e533"};
    if (draws(backend)) {
        CHECK(check_same(backend, judge, "1e14", 0, 0) &&
              check_same(backend, judge, "5e113", 0, 0.3));
        CHECK(check_same(backend, judge, "1e50", 20000, 0));
        CHECK(check_same(backend, judge, "4e533", 0, 0));
        CHECK(check_outside(backend, TYPE_DOUBLE));
        CHECK(!(backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_WIDE & 1) ||
              check_outside(backend, TYPE_WIDE));
        CHECK(check_direct(backend) && check_engine() && check_facts(backend) &&
              check_waiting(backend));
        for (int i = 0; i < 4; i++)
            CHECK(check_elsewhere(backend, places[i], i == 2 ? 0.005 : 0.001) &&
                  check_history(backend, places[i]));
        CHECK(check_plain(backend, "1e14") && check_plain(backend, "5e113"));
        CHECK(check_points(backend, "1e14", 0) && check_points(backend, "5e113", 0) &&
              check_points(backend, "1e50", 0) && check_points(backend, "4e533", 0) &&
              check_points(backend, "glitch_test_1", 20000));
    } else {
        printf("%s: has no perturbed kernels\n", subject);
    }
    return true;
}

int main(int argc, char **argv) {
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "draw perturbed pictures");
}
