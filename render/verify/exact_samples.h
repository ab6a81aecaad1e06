/* Exact samples: finds the samples of a drawn picture that rounding may have changed, iterates
 * their points exactly, and corrects samples and pixels.
 *
 * Points whose estimated error is small stand (render/number/doubt.h). The others are iterated with
 * proven counts (counter.h), with as many bits as they need; where there is no estimate, all are.
 * Pixels of the interior stand beyond EXACT_INTERIOR_LIMIT iterations. A sample whose count changes
 * loses its slope and what its orbit passed: it is coloured by its count, without layers. */
#ifndef FATHOM_RENDER_VERIFY_EXACT_SAMPLES_H
#define FATHOM_RENDER_VERIFY_EXACT_SAMPLES_H

#include "render/backend.h"

#define EXACT_INTERIOR_LIMIT (1u << 24)

/* Sums over the corrected parts of a picture. */
struct exact_samples_result {
    uint64_t points, changed; /* iterated exactly, samples that were wrong */
    long bits;                /* bits of fraction that the hardest point took */
    double ms;                /* duration, without drawing */
    double rest_ms; /* expected duration of the picture, if that is long; 0: it is not known */
};

/* Returns false to stop; `done` is the finished share of a part. */
typedef bool exact_samples_step(void *user, double done);

struct exact_samples;

/* Makes a copied request place points as those of exact pictures, for counter.h and verify.h: by
 * the finest pixel step. The step that pictures use moves them by less than 2^-48 of a pixel, which
 * changes counts at the hardest places. */
void exact_samples_place(struct frame_req *req);

/* Prepares a picture that is drawn by a decided request (backend_decide), which has no perturbation
 * yet, with `pixel_samples` samples per pixel, on `threads` threads (> 0), of the lowest priority
 * if `idle` is true. `engine` is as in struct reference_want. Returns NULL if the formula is a map
 * or if there is no memory; the reason is logged. */
struct exact_samples *exact_samples_create(const struct frame_req *req, uint32_t pixel_samples,
                                           const struct orbit_engine *engine, int threads,
                                           bool idle);
/* NULL is allowed. */
void exact_samples_destroy(struct exact_samples *samples);
/* Corrects a part of the picture, which may have another offset, in a finished target that has all
 * planes of the request. `step` may be NULL; it is called at least every 50 ms except while a
 * hundred points are estimated. A warning says so if a picture takes long and is not `idle`.
 * Returns false if stopped, or on failure, which is logged; the target then has pixels of both
 * kinds. */
bool exact_samples_correct(struct exact_samples *samples, const struct frame_req *part,
                           const struct target *target, exact_samples_step *step, void *user);
const struct exact_samples_result *exact_samples_result(const struct exact_samples *samples);

#endif
