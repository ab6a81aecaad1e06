/* The active backend: selects the backend that draws. That is the chosen backend, a stand-in
 * while the chosen one starts, or the next usable backend after a device is lost. */
#ifndef FATHOM_APP_PICTURE_ACTIVE_BACKEND_H
#define FATHOM_APP_PICTURE_ACTIVE_BACKEND_H

#include "app/messages.h"
#include "render/backend.h"

#define ACTIVE_BACKEND_INSETS 2

struct active_backend;

/* Opens a backend; `name` as for backend_open. `impls` and `messages` must outlive the result.
 * Returns NULL on failure; the reason is logged. */
struct active_backend *active_backend_create(const struct backend_impl *const *impls,
                                             const char *name,
                                             const struct backend_options *options,
                                             struct messages *messages);
void active_backend_destroy(struct active_backend *active);

/* Returns the backend to draw with now. Only the functions below change it. */
struct backend *active_backend_get(struct active_backend *active);
/* Returns a handle of lower priority on the same device, for a picture drawn next to the main
 * one. A lost handle (perhaps only for lack of memory) is opened again. If that fails, which is
 * logged, the main handle is returned. */
struct backend *active_backend_low_priority(struct active_backend *active,
                                            enum backend_priority priority);
/* Returns the handle of an inset (BACKEND_INSET): each number from 0 to ACTIVE_BACKEND_INSETS -
 * 1 has its own. The caller cancels its requests. The handle is closed when another device
 * draws. Returns NULL on failure; the reason is logged. */
struct backend *active_backend_inset(struct active_backend *active, int number);
/* Cancels the requests in flight on the handles of low priority (BACKEND_REST and below);
 * active_backend_cancel also cancels the main picture. Owners of insets cancel their own
 * requests. */
void active_backend_cancel_low_priority(struct active_backend *active);
void active_backend_cancel(struct active_backend *active);
/* Cancels as active_backend_cancel, for a request that follows at once
 * (backend_cancel_for_next). */
void active_backend_cancel_for_next(struct active_backend *active);
struct backend_info active_backend_info(struct active_backend *active);
/* Returns the name of a backend that is still starting while a stand-in draws, or NULL. */
const char *active_backend_starting(struct active_backend *active);

/* Checks a starting backend; to be called once per iteration of the main loop. Returns true if
 * another backend draws from now on, so the caller must submit again. */
bool active_backend_update(struct active_backend *active);
/* Switches to the next usable backend and posts a message. Returns false if there is no other or
 * it failed to start. */
bool active_backend_next(struct active_backend *active);
/* Returns the name of the i-th backend that works here, or NULL past the end. May probe devices. */
const char *active_backend_usable(struct active_backend *active, size_t i);
/* Switches to the named backend and posts a message. Returns false if it failed to start; the
 * previous backend then continues. */
bool active_backend_choose(struct active_backend *active, const char *name);
/* Switches to the next backend after the drawing one lost its device or refused to work, and
 * posts a message. Returns false if no backend is left; that is logged. */
bool active_backend_lost(struct active_backend *active);
/* Posts a message about the drawing backend: its name, then `what`. */
void active_backend_post(struct active_backend *active, const char *what);
/* Replaces the drawing backend by one that loses its next picture. For tests. */
bool active_backend_inject_loss(struct active_backend *active);

#endif
