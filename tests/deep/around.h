/* Perturbations around a view's home, as backends make them. */
#ifndef FATHOM_TESTS_DEEP_AROUND_H
#define FATHOM_TESTS_DEEP_AROUND_H

#include "render/deep/perturbation.h"
#include "render/deep/reference.h"
#include "render/frame.h"

/* Makes the perturbation of a request, with its tables, in wide numbers or in doubles. Returns NULL
 * if there is no memory. */
static inline struct perturbation *make_perturbation(const struct frame_req *req, bool wide) {
    mpfr_t re, im;
    mpfr_inits2(64, re, im, (mpfr_ptr)NULL);
    const double step_log2 = perturbed_home(&req->view, req->height_px, wide, re, im);
    const struct reference_start start = {re, im, step_log2};
    const bool julia = req->fractal.julia;
    const struct reference_want want = {.re = julia ? req->fractal.re : re,
                                        .im = julia ? req->fractal.im : im,
                                        .steps = fractal_steps(&req->fractal),
                                        .start = julia ? &start : NULL,
                                        .radius_log2 = frame_req_place_of(req, re, im).c_most_log2,
                                        .step_log2 = step_log2,
                                        .limit = req->limit > 0 ? req->limit : 1,
                                        .wide = wide};
    const struct reference *reference =
        julia ? reference_make_julia(&want, NULL, NULL) : reference_make(&want, NULL, NULL, NULL);
    struct perturbation *p = reference ? perturbation_create(reference, NULL) : NULL;
    reference_unref(reference);
    mpfr_clears(re, im, (mpfr_ptr)NULL);
    return p;
}

#endif
