/* Verdict: whether a picture is right, for `fathom verify` and `fathom render --verify`. */
#ifndef FATHOM_APP_COMMAND_VERDICT_H
#define FATHOM_APP_COMMAND_VERDICT_H

#include "app/options/options.h"
#include "app/still/outputs.h"
#include "render/verify/verify.h"

/* Chooses the points of a picture that is about to be drawn, or of an exact one (exact_samples.h),
 * and makes `outputs` take their counts. Returns NULL if there is no memory, which is logged. */
struct verify *verdict_begin(const struct frame_req *req, bool exact, const struct options *options,
                             struct outputs *outputs);
/* Compares the points of the drawn picture, with progress on a terminal; *ms is the duration.
 * Returns false if interrupted (interrupt.h), which the caller reports, or on failure, which is
 * logged. */
bool verdict_find(struct verify *verify, const struct options *options, double *ms);
/* Returns the number of threads for exact arithmetic: --threads, or as many as there are cores. */
int verdict_threads(const struct options *options);
bool verdict_is_right(const struct verify *verify);

#define VERDICT_SIZE 600
/* Prints the numbers and the verdict on the request's picture, in lines. */
void verdict_text(const struct verify *verify, const struct frame_req *req,
                  char text[VERDICT_SIZE]);
/* Prints the members of a JSON object. */
void verdict_json(const struct verify *verify, const struct options *options, double ms);

#endif
