/* Looking for a minibrot or a Misiurewicz point in what the window shows, and going there. */
#ifndef FATHOM_APP_WINDOW_LOCATION_SEARCH_H
#define FATHOM_APP_WINDOW_LOCATION_SEARCH_H

#include "app/explore/locator.h"

struct loop;

/* Zero-initialised: nothing is searched. */
struct location_search {
    struct locator *locator;
    double told_ms; /* when its progress was shown last */
};

/* Begins in the background, around the pointer first, in place of a search before. */
void location_search_start(struct loop *loop, enum locate_kind kind);
/* Once a turn: shows how far it is, gives it up when the view has changed, and goes to what was
 * found. */
void location_search_advance(struct loop *loop);
bool location_search_busy(const struct loop *loop);
/* Begins with what a button of the panel's row is called by, around the middle. */
void location_search_follow_edit(struct loop *loop, int item, int index);
/* Gives it up. */
void location_search_finish(struct loop *loop);

#endif
