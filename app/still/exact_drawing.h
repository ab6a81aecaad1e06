/* Exact drawing at rest: draws the window's picture again with exact samples, on threads of the
 * lowest priority, and hands its pixels over whenever their number of samples is a power of two.
 * They are the bytes of `fathom render` for the same scene. */
#ifndef FATHOM_APP_STILL_EXACT_DRAWING_H
#define FATHOM_APP_STILL_EXACT_DRAWING_H

#include "render/backend.h"
#include "render/files/scene.h"

#define EXACT_DRAWING_TEXT_MAX 120

struct exact_drawing_job;

/* Zeros at first. Pairs with exact_drawing_finish. */
struct exact_drawing {
    struct exact_drawing_job *job;     /* of the picture at hand; NULL: none */
    char text[EXACT_DRAWING_TEXT_MAX]; /* "drawing exactly: 12 %"; "" if nothing is drawn */
    bool awaited; /* the caller's: a script waits for the picture, so it does not yield */
};

/* Follows the window's picture; call it once a turn. `req` is the complete picture at rest of
 * `scene`, or NULL if there is none: then the work stops. Returns true if `text` has changed. */
bool exact_drawing_follow(struct exact_drawing *drawing, const struct backend_options *options,
                          const struct scene *scene, const struct frame_req *req);
/* Returns new pixels for all of that picture, which stay valid until exact_drawing_taken; NULL if
 * there are none. */
const uint32_t *exact_drawing_take(struct exact_drawing *drawing);
void exact_drawing_taken(struct exact_drawing *drawing);
/* Returns the samples per pixel that have been taken of the picture `generation`; 0: none. */
uint32_t exact_drawing_samples(const struct exact_drawing *drawing, uint64_t generation);
/* Returns true while there is work. */
bool exact_drawing_busy(const struct exact_drawing *drawing);
/* Stops the work and waits for its end. */
void exact_drawing_finish(struct exact_drawing *drawing);

#endif
