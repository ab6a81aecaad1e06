/* The automatic limit (auto_limit.h) of a picture that nobody watches: found in a small one of the same view. */
#ifndef FATHOM_APP_STILL_LIMIT_SEARCH_H
#define FATHOM_APP_STILL_LIMIT_SEARCH_H

#include "render/backend.h"

/* Raises the limit of a request for a whole picture, from what it is, until hardly anything more would escape;
 * logs what it came to, which is the same on every backend. False: interrupted (interrupt.h), which is left to
 * the caller to say, or logged why. */
bool limit_search(struct backend *backend, struct frame_req *req);

#endif
