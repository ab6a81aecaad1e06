/* Helpers for tests of the nucleus search. */
#ifndef FATHOM_TESTS_SHARED_NUCLEI_H
#define FATHOM_TESTS_SHARED_NUCLEI_H

#include "render/locate/nucleus.h"
#include "tests/shared/check.h"
#include <complex.h>
#include <stdio.h>

static inline void set_view(struct view *view, const char *re, const char *im, const char *zoom) {
    const char *why = NULL;
    CHECK(view_set_centre(view, re, im, 0, &why) && view_set_zoom(view, zoom, &why));
}

static inline void set_view_near(struct view *view, double complex middle, double half) {
    char re[40], im[40], zoom[40];
    snprintf(re, sizeof re, "%.17g", creal(middle));
    snprintf(im, sizeof im, "%.17g", cimag(middle));
    snprintf(zoom, sizeof zoom, "%.17g", 2 / half);
    set_view(view, re, im, zoom);
}

static inline double complex to_double(const struct big *c) {
    return mpfr_get_d(c->re, MPFR_RNDN) + mpfr_get_d(c->im, MPFR_RNDN) * I;
}

#endif
