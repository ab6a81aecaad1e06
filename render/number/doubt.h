/* Doubt about doubles: whether rounding errors change more counts of a picture than 1 in 400, by
 * the estimated errors of some of its orbits (render/deep/perturbed_error.h). Where neighbouring
 * orbits diverge long before they escape, counts depend on bits that doubles do not have. */
#ifndef FATHOM_RENDER_NUMBER_DOUBT_H
#define FATHOM_RENDER_NUMBER_DOUBT_H

#include "render/deep/perturbation.h"
#include "render/frame.h"

enum doubt {
    DOUBT_UNKNOWN,
    DOUBT_NONE,  /* doubles do as the request has them */
    DOUBT_TAIL,  /* of perturbed pictures: doubles do if orbits never leave the reference */
    DOUBT_FOUND, /* doubles do not do */
    DOUBT_BOTH   /* nor do they, and most wrong counts are the tail's */
};

/* A picture, as far as its errors depend on it. Points of the picture are middle + a right + b up,
 * with a and b in -1 .. 1; all are distances from a reference, in units of the place's 2^c_log2. In
 * an exponential map `right` is the largest radius, in the direction of the left edge, `up` is 0,
 * and a and b stay the position in the picture. */
struct doubt_about {
    struct perturbed_place place;
    bool exponential;
    double middle[2], right[2], up[2];
    uint32_t limit;
    bool direct; /* it is drawn without the reference, of which one step is enough then */
};
/* Returns it for a request's picture around the reference at (re, im). */
struct doubt_about doubt_about(const struct frame_req *req, mpfr_srcptr re, mpfr_srcptr im);
/* Returns true if both have the same finding. */
bool doubt_is_same(const struct doubt_about *a, const struct doubt_about *b);

/* Returns a finding that doubt_find has made. If it is about a direct picture, sets *doubles_limit,
 * unless that is NULL, to the number of steps up to which escapes in doubles are as good as
 * certain, or to 0 if few orbits are that short. Any thread. */
enum doubt doubt_find_known(const struct perturbation *perturbation,
                            const struct doubt_about *about, uint32_t *doubles_limit);
/* Finds out, in milliseconds if orbits are short, in about a second otherwise. Returns false if
 * stopped; nothing is known then. */
bool doubt_find(struct perturbation *perturbation, const struct doubt_about *about,
                const atomic_bool *stop);

/* Doubt about single pixels of a picture. Immutable. */
struct doubtful;

/* Prepares the estimates for a request's whole picture; `around` is a reference in doubles for the
 * request, which lives longer. Returns NULL if doubles do not show errors there, as next to c = -2
 * or with folds past 1e270, or if there is no memory. */
struct doubtful *doubtful_create(struct perturbation *around, const struct frame_req *req);
/* NULL is allowed. */
void doubtful_destroy(struct doubtful *doubtful);
/* Finds which pixels of a part of that picture may have a wrong count because of rounding in
 * doubles: `count` pixels, from number `first` on in reading order. `counts` has the part's counts
 * as sample_planes does; a pixel whose orbit has another one in doubles is doubtful. Uses all
 * processors, 2^22 steps a pixel at most. The results are void if *stop becomes true. */
void doubtful_find(const struct doubtful *doubtful, const struct frame_req *part,
                   const uint32_t *counts, size_t first, size_t count, bool *found,
                   const atomic_bool *stop);

#endif
