/* Which backend draws: the chosen one, another while that one starts, the next one when a device is
 * lost. */
#ifndef FATHOM_APP_PICTURE_ENGINE_H
#define FATHOM_APP_PICTURE_ENGINE_H

#include "app/messages.h"
#include "render/backend.h"

struct engine;

/* `name` as for backend_open. `impls` and `messages` must outlive the engine. NULL: logged why. */
struct engine *engine_create(const struct backend_impl *const *impls, const char *name,
                             const struct backend_options *options, struct messages *messages);
void engine_destroy(struct engine *engine);

/* The backend to draw with now; it changes only in the functions below. */
struct backend *engine_backend(struct engine *engine);
struct backend_info engine_info(struct engine *engine);
/* The name of a device that is still starting while another one draws; NULL when there is none. */
const char *engine_starting(struct engine *engine);

/* To be called once a turn. True: another backend draws from now on, so submit again. */
bool engine_update(struct engine *engine);
/* Goes to the next usable backend; says so. False: there is no other, or it failed to start. */
bool engine_next(struct engine *engine);
/* The i-th backend that can draw here; NULL past the end. May look at devices. */
const char *engine_usable(struct engine *engine, size_t i);
/* Goes to that one; says so. False: it failed to start, and the one before goes on. */
bool engine_choose(struct engine *engine, const char *name);
/* The drawing backend lost its device or refused to work: goes on with the next one, and says so.
 * False: none is left, logged. */
bool engine_lost(struct engine *engine);
/* Posts a message about the drawing backend: its name, then `what`. */
void engine_say(struct engine *engine, const char *what);
/* For tests: the drawing backend is replaced by one whose next picture is lost. */
bool engine_provoke_loss(struct engine *engine);

#endif
