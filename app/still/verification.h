/* Verification at rest: compares the window's picture with exact arithmetic, on threads of the
 * lowest priority, and stops at once when the picture changes.
 *
 * The counts are drawn again, pixel by pixel, by a backend of its own, which gives the same bytes
 * as any other. */
#ifndef FATHOM_APP_STILL_VERIFICATION_H
#define FATHOM_APP_STILL_VERIFICATION_H

#include "app/still/exact_drawing.h"

struct verification_job;

#define VERIFICATION_TEXT_MAX 80

/* Zeros, except for the options. Pairs with verification_finish. */
struct verification {
    struct backend_options options;
    struct verification_job *job;     /* of the picture at hand; NULL: none */
    double since_ms;                  /* clock_ms when that picture came to rest; 0: none did */
    char text[VERIFICATION_TEXT_MAX]; /* "verified 600 of 600"; "" if nothing is known */
    struct exact_drawing exact;       /* used instead while the scene is exact; the caller's */
    const char *shown;                /* text of the one that is used, set by the caller */
};

/* Follows the window's picture; call it once a turn. `req` is the complete picture at rest, or NULL
 * if there is none: then the work stops. It begins after a second of rest and lasts a minute at
 * most. Returns true if `text` has changed. */
bool verification_follow(struct verification *verification, const struct frame_req *req);
/* Returns true while there is work, or some will begin, also of exact drawing: then
 * verification_follow is due every 50 ms. */
bool verification_busy(const struct verification *verification);
/* Stops all work and waits for its end. */
void verification_finish(struct verification *verification);

#endif
