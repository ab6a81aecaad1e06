/* Stills: pictures that are not shown while they are drawn, as `fathom render` makes them. Turns
 * a scene into a request and into the text of the picture. The same scene always gives the same
 * bytes. */
#ifndef FATHOM_APP_STILL_STILL_H
#define FATHOM_APP_STILL_STILL_H

#include "app/explore/auto_frequency.h"
#include "render/backend.h"
#include "render/files/scene.h"
#include "render/plan.h"

/* Fills an initialised request from a scene that has a size. `shortcuts`: bits of enum
 * shortcuts. Returns the plan: whether the picture will show blocks, and what it lacks. */
struct plan still_request(const struct scene *scene, unsigned shortcuts, struct frame_req *req);
/* Sets the scene's precision to the request's, so that a picture of the scene has the same bytes
 * again. Returns the scene's text for the picture file; the caller frees the text. Returns NULL if
 * there is no memory, which is logged. */
char *still_text(struct scene *scene, const struct frame_req *req);

/* Returns the options of a backend that draws beside the window, with some of `threads` threads:
 * at low priority, and without the settings that only the window's backend follows. */
struct backend_options still_beside_window(const struct backend_options *window, int threads);
/* Calls backend_decide, which an interrupt ends; *ms is its duration. */
bool still_decide(struct backend *backend, struct frame_req *req, double *ms);
/* Raises the limit of a request for a whole picture until hardly any more pixels would escape.
 * Logs the result, which is the same on every backend. Returns false if interrupted
 * (interrupt.h), which the caller reports, or on failure, which is logged. */
bool still_find_limit(struct backend *backend, struct frame_req *req);
/* Sets colour frequency and offset (or ranks) of the scene and its request from the counts in
 * the picture, as the window does (auto_frequency.h). Returns as still_find_limit. */
bool still_find_colours(struct backend *backend, struct scene *scene, struct frame_req *req);
/* Sets colour frequency and offset of a scene by a choice, as the window does. */
void still_set_frequency(struct scene *scene, struct auto_frequency_choice choice);
/* Stores which frequency a small picture of the scene and its request suggests, and the picture's
 * statistics. If nothing escapes, the frequency is 0. Returns as still_find_limit. */
bool still_glance(struct backend *backend, const struct scene *scene, const struct frame_req *req,
                  struct auto_frequency_choice *choice, struct statistics *statistics);

#endif
