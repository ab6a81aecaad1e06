/* A search for a minibrot or a Misiurewicz point (render/locate/locate.h) on a thread of its own, so
 * that nobody waits for it. One thread uses these functions. */
#ifndef FATHOM_APP_EXPLORE_LOCATOR_H
#define FATHOM_APP_EXPLORE_LOCATOR_H

#include "render/locate/locate.h"

struct locator;

/* Begins to search what the scene shows, with its limit; copies it. Where no thread can be started it returns once the
 * search has ended, or an interrupt came. NULL: logged why. */
struct locator *locator_start(const struct scene *scene, const struct locate_request *request);
/* The view that is searched. */
const struct view *locator_view(const struct locator *locator);
/* Waits for its end, that long at most (0: not at all). Whether it has ended. */
bool locator_wait(struct locator *locator, int ms);
/* How far it is, 0 .. 1, and in words. */
#define LOCATOR_TEXT_MAX 100
double locator_progress(const struct locator *locator, char text[static LOCATOR_TEXT_MAX]);
/* Once it has ended: what was found, the locator's; NULL: nothing, locator_why says why. */
const struct located *locator_found(const struct locator *locator);
const char *locator_why(const struct locator *locator);
/* Gives up what is not done, which takes some milliseconds. NULL is allowed. */
void locator_destroy(struct locator *locator);

#endif
