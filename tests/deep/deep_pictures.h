/* Helpers for tests of planes at depth: pictures of locations with more planes than usual, and
 * complex numbers in MPFR. */
#ifndef FATHOM_TESTS_DEEP_DEEP_PICTURES_H
#define FATHOM_TESTS_DEEP_DEEP_PICTURES_H

#include "render/files/scene.h"
#include "tests/shared/pictures.h"
#include <complex.h>

#define WIDTH  96
#define HEIGHT 60
#include "tests/deep/places.h"

static inline void picture_init_planes(struct picture *picture, unsigned planes) {
    picture_init(picture, WIDTH, HEIGHT);
    sample_planes_finish(&picture->target.planes);
    if (!sample_planes_init(&picture->target.planes, planes, picture->pixels, "a test"))
        abort();
}

/* Opens a location of tests/data/locations, upright and with the perturbed route. */
static inline void open_place(struct frame_req *req, const char *name, unsigned planes) {
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    SCOPED(scene, scene);
    if (!scene_load(&scene, path))
        abort();
    frame_req_init(req, WIDTH, HEIGHT);
    view_assign(&req->view, &scene.view);
    req->view.angle = 0;
    req->limit = scene.limit;
    req->route = ROUTE_PERTURBED;
    req->planes = planes;
}

#ifdef TEST_SANITIZED
#define SLOW 1
#else
#define SLOW 0
#endif

/* Share of a test's lists that a backend draws. */
struct share {
    size_t first, every; /* from first_place */
    bool quick;          /* few points for each picture */
    bool by_bytes;       /* compare only bytes: the scalar backend is compared with exact numbers */
};

static inline struct share share_of(const char *backend) {
    struct share share;
    share.first = first_place(backend, &share.every);
    share.quick = SLOW || share.every > 1;
    share.by_bytes = share.first > 0;
    return share;
}

struct number {
    mpfr_t re, im;
};

static inline void number_init(struct number *z, mpfr_prec_t bits) {
    mpfr_inits2(bits, z->re, z->im, (mpfr_ptr)NULL);
    mpfr_set_ui(z->re, 0, MPFR_RNDN);
    mpfr_set_ui(z->im, 0, MPFR_RNDN);
}

static inline void number_finish(struct number *z) {
    mpfr_clears(z->re, z->im, (mpfr_ptr)NULL);
}

static inline double complex number_get(const struct number *z) {
    return mpfr_get_d(z->re, MPFR_RNDN) + mpfr_get_d(z->im, MPFR_RNDN) * I;
}

#endif
