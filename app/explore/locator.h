/* Location search: finds a minibrot or a Misiurewicz point (render/locate/locate.h) on a thread of
 * its own. Only one thread may call these functions. */
#ifndef FATHOM_APP_EXPLORE_LOCATOR_H
#define FATHOM_APP_EXPLORE_LOCATOR_H

#include "render/locate/locate.h"

struct locator;

/* Starts a search in a copy of the scene, up to its limit. Without a thread it returns only when
 * the search has ended or was interrupted. NULL: it could not be started; the reason is logged. */
struct locator *locator_start(const struct scene *scene, const struct locate_request *request);
/* Returns the view that is searched. */
const struct view *locator_view(const struct locator *locator);
/* Waits for the end, at most `ms`. Returns true if the search has ended. */
bool locator_wait(struct locator *locator, int ms);
#define LOCATOR_TEXT_MAX 100
/* Returns the progress, 0 .. 1, and stores it as text. */
double locator_progress(const struct locator *locator, char text[static LOCATOR_TEXT_MAX]);
/* Returns the location of a search that has ended; the locator owns it. NULL: none; see
 * locator_why. */
const struct located *locator_found(const struct locator *locator);
const char *locator_why(const struct locator *locator);
/* Cancels the search, which takes some milliseconds, and frees it. May be NULL. */
void locator_destroy(struct locator *locator);

#endif
