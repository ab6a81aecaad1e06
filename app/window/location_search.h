/* Location search in the window: finds a minibrot or a Misiurewicz point in the view and goes
 * there. */
#ifndef FATHOM_APP_WINDOW_LOCATION_SEARCH_H
#define FATHOM_APP_WINDOW_LOCATION_SEARCH_H

#include "app/explore/locator.h"

struct loop;

/* Zero-initialised: no search. */
struct location_search {
    struct locator *locator;
    double shown_ms; /* clock_ms of the last progress message, or of the start */
};

/* Starts a search in the background that prefers places near the pointer. Cancels an earlier
 * search. */
void location_search_start(struct loop *loop, enum locate_kind kind);
/* Posts the progress, cancels the search if the view has changed, and goes to what was found. Call
 * it once a turn. */
void location_search_advance(struct loop *loop);
bool location_search_busy(const struct loop *loop);
/* Starts the search of a button in the panel's row, from the middle. */
void location_search_follow_edit(struct loop *loop, int item, int index);
/* Cancels the search. */
void location_search_finish(struct loop *loop);

#endif
