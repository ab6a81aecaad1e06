/* Which backend draws: the chosen one, another while that one starts, the next one when a device is
 * lost. */
#ifndef FATHOM_APP_PICTURE_ACTIVE_BACKEND_H
#define FATHOM_APP_PICTURE_ACTIVE_BACKEND_H

#include "app/messages.h"
#include "render/backend.h"

#define ACTIVE_BACKEND_INSETS 2

struct active_backend;

/* `name` as for backend_open. `impls` and `messages` must outlive the result. NULL: logged why. */
struct active_backend *active_backend_create(const struct backend_impl *const *impls,
                                             const char *name,
                                             const struct backend_options *options,
                                             struct messages *messages);
void active_backend_destroy(struct active_backend *active);

/* The backend to draw with now; it changes only in the functions below. */
struct backend *active_backend_get(struct active_backend *active);
/* Another handle on its device, of lower priority, for a picture beside the main one. One that
 * was lost, perhaps alone for lack of memory, is made anew. Where there is none to be had, logged,
 * it is the main one. */
struct backend *active_backend_beside(struct active_backend *active,
                                      enum backend_priority priority);
/* Likewise for insets (BACKEND_INSET), each of which has one of its own: number 0 to
 * ACTIVE_BACKEND_INSETS - 1. It is the owner's to cancel, and closed when another device draws. NULL:
 * there is none to be had, logged. */
struct backend *active_backend_inset(struct active_backend *active, int number);
/* Cancels what those that draw at rest (BACKEND_REST and below) have in flight, or else the main
 * picture too. A more urgent one is its owner's to cancel. */
void active_backend_cancel_beside(struct active_backend *active);
void active_backend_cancel(struct active_backend *active);
/* The same for a request that follows at once (backend_give_way). */
void active_backend_give_way(struct active_backend *active);
struct backend_info active_backend_info(struct active_backend *active);
/* The name of a device that is still starting while another one draws; NULL when there is none. */
const char *active_backend_starting(struct active_backend *active);

/* To be called once a turn. True: another backend draws from now on, so submit again. */
bool active_backend_update(struct active_backend *active);
/* Goes on with the next usable backend, with a message. False: there is no other, or it failed to
 * start. */
bool active_backend_next(struct active_backend *active);
/* The i-th backend that can draw here; NULL past the end. May look at devices. */
const char *active_backend_usable(struct active_backend *active, size_t i);
/* Goes on with that one, with a message. False: it failed to start, and the one before draws on. */
bool active_backend_choose(struct active_backend *active, const char *name);
/* The drawing backend lost its device or refused to work: goes on with the next one, and says so.
 * False: none is left, logged. */
bool active_backend_lost(struct active_backend *active);
/* Posts a message about the drawing backend: its name, then `what`. */
void active_backend_say(struct active_backend *active, const char *what);
/* For tests: the drawing backend is replaced by one whose next picture is lost. */
bool active_backend_provoke_loss(struct active_backend *active);

#endif
