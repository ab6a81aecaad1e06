/* References that are kept and prepared: which one a picture gets, and when it does not have to wait. */
#include "render/deep/perturbation.h"
#include "render/deep/reference_make.h"
#include "render/deep/references.h"
#include "render/files/scene.h"
#include "tests/shared/check.h"

#define WIDTH   320
#define HEIGHT  180
#define WAIT_MS 60000.0

static struct scene place;

/* A picture of the place at that zoom, moved by so many heights to the right; in motion, or at rest. */
static void begin(struct frame_req *req, double zoom, double heights, bool moving) {
    frame_req_init(req, WIDTH, HEIGHT);
    view_assign(&req->view, &place.view);
    mpfr_set_d(req->view.zoom, zoom, MPFR_RNDN);
    view_pan(&req->view, heights * HEIGHT, 0, HEIGHT);
    req->route = ROUTE_PERTURBED;
    req->limit = place.limit;
    req->lines = moving ? lines_create(WIDTH, HEIGHT) : NULL;
    if (req->lines)
        req->lines->loose = true;
}

static enum references_state get(struct references *r, double zoom, double heights, bool moving,
                                 double wait_ms, struct perturbation **found) {
    struct frame_req req;
    double progress;
    begin(&req, zoom, heights, moving);
    const enum references_state state = references_get(r, &req, NULL, wait_ms, found, &progress);
    frame_req_finish(&req);
    return state;
}

static void prepare(struct references *r, double zoom, double soon_zoom) {
    struct frame_req req;
    struct view soon;
    begin(&req, zoom, 0, false);
    view_init_copy(&soon, &req.view);
    mpfr_set_d(soon.zoom, soon_zoom, MPFR_RNDN);
    references_prepare(r, &req, NULL, &soon);
    view_finish(&soon);
    frame_req_finish(&req);
}

static bool at_place(const struct perturbation *p) {
    return mpfr_equal_p(p->reference->re, place.view.re) &&
           mpfr_equal_p(p->reference->im, place.view.im);
}

/* All of a way inwards goes by one reference, for which nobody waits after it has been made. */
static void check_way(void) {
    struct references *r = references_create();
    struct perturbation *first, *found;
    prepare(r, 1e80, 1e20);
    CHECK(get(r, 1e15, 0, true, WAIT_MS, &first) == REFERENCES_READY);
    CHECK(at_place(first));
    for (double zoom = 1e15; zoom <= 1e80; zoom *= 10) {
        CHECK(get(r, zoom, 0.3, true, 0, &found) == REFERENCES_READY && found == first);
        perturbation_unref(found);
    }
    /* It serves soon, so no other is made, for which one would not wait. */
    prepare(r, 1e110, 1e60);
    CHECK(get(r, 1e110, 0, true, WAIT_MS, &found) == REFERENCES_READY && !at_place(found));
    perturbation_unref(found);
    /* It does not. What lies elsewhere would not be served by any. */
    prepare(r, 1e113, 1e112);
    CHECK(get(r, 1e90, 1000, true, WAIT_MS, &found) == REFERENCES_READY && found != first);
    perturbation_unref(found);
    perturbation_unref(first);
    references_destroy(r);
}

/* Whatever was prepared, a resting picture goes by its own. */
static void check_rest(void) {
    struct references *r = references_create();
    struct perturbation *found;
    mpfr_t re, im;
    struct frame_req req;
    prepare(r, 1e80, 1e20);
    CHECK(get(r, 1e50, 0.3, false, WAIT_MS, &found) == REFERENCES_READY);
    mpfr_inits2(64, re, im, (mpfr_ptr)NULL);
    begin(&req, 1e50, 0.3, false);
    perturbed_home(&req.view, HEIGHT, false, re, im);
    CHECK(mpfr_equal_p(found->reference->re, re) && mpfr_equal_p(found->reference->im, im));
    frame_req_finish(&req);
    mpfr_clears(re, im, (mpfr_ptr)NULL);
    perturbation_unref(found);
    references_destroy(r);
}

/* A reference that is used again is the same one, unless those used since have filled the memory. */
static bool is_kept(struct references *r, double zoom, const struct perturbation *was) {
    struct perturbation *found = NULL;
    const enum references_state state = get(r, zoom, 0, false, 0, &found);
    perturbation_unref(found);
    references_cancel(r);
    return state == REFERENCES_READY && found == was;
}

/* Makes three, and leaves memory for as many of the latest. What is asked for once more may be made anew at once, so
 * that only one can be found gone. */
static void check_memory(int room, int gone) {
    static const double zooms[] = {1e50, 1e60, 1e70};
    struct references *r = references_create();
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

int main(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/5e113.fathom", getenv("FATHOM_SOURCE"));
    scene_init(&place);
    CHECK(scene_load(&place, path));
    check_way();
    check_rest();
    check_memory(2, 0);
    check_memory(0, 1); /* the latest stays */
    scene_finish(&place);
    return failures > 0;
}
