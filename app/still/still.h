/* A picture that is not shown while it is drawn, as `fathom render` makes it: from the scene to the
 * request, and to what the picture carries. The same scene gives the same bytes wherever this is
 * used. */
#ifndef FATHOM_APP_STILL_STILL_H
#define FATHOM_APP_STILL_STILL_H

#include "render/backend.h"
#include "render/files/scene.h"

/* Fills an initialised request from a scene that has a size. `shortcuts`: of enum shortcuts. True:
 * the view is too deep for the request's type, so the picture will show blocks. */
bool still_request(const struct scene *scene, unsigned shortcuts, struct frame_req *req);
/* Sets the number type that draws the picture, so that drawing it again gives its bytes, and
 * returns what the picture carries, which the caller frees. NULL: no memory, logged. */
char *still_text(struct scene *scene, const struct frame_req *req);

/* As backend_decide, until an interrupt; *ms is how long that took. */
bool still_decide(struct backend *backend, struct frame_req *req, double *ms);
/* Raises the limit of a request for a whole picture, from what it is, until hardly anything more
 * would escape; logs what it came to, which is the same on every backend. False: interrupted
 * (interrupt.h), which is left to the caller to say, or logged why. */
bool still_find_limit(struct backend *backend, struct frame_req *req);
/* Likewise sets the colour frequency of a scene and of its request by the counts in the picture, and the
 * offset, as the window does (auto_frequency.h). */
bool still_find_colours(struct backend *backend, struct scene *scene, struct frame_req *req);

#endif
