/* The automatic limit (auto_limit.h) of a picture that nobody watches: found in a small one of the same view. */
#ifndef FATHOM_APP_LIMIT_SEARCH_H
#define FATHOM_APP_LIMIT_SEARCH_H

#include "render/backend.h"
#include "render/scene.h"

/* Raises the scene's limit, from what it is, until hardly anything more would escape; logs what it came to.
 * It comes to the same on every backend. `shortcuts`: enum shortcuts. False: interrupted (interrupt.h), which
 * is left to the caller to say, or logged why. */
bool limit_search(struct backend *backend, struct scene *scene, unsigned shortcuts);

#endif
