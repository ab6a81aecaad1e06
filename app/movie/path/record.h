/* Recorder: makes a path with few stops from the views that the screen shows.
 *
 * A stop is added where the ways of a tour (tour.h) without easing would leave the recorded views
 * by more than RECORD_TOLERANCE, where a rest ends, where something other than the view changes,
 * and where the view jumps. The way of a jump has no time, so that the tour chooses it. */
#ifndef FATHOM_APP_MOVIE_PATH_RECORD_H
#define FATHOM_APP_MOVIE_PATH_RECORD_H

#include "app/explore/undo/history.h"
#include "app/movie/path/path.h"

#define RECORD_TOLERANCE   0.025 /* [frame heights] */
#define RECORD_INTERVAL_S  0.05  /* time between the views that are kept */
#define RECORD_REST_S      0.5   /* shorter rests are part of the way */
#define RECORD_STOPS_MAX   2000
#define RECORD_SAMPLES_MAX 128 /* views between two stops */

struct record_sample {
    struct view view;
    double second;
};

/* Zero-initialised except for the first member. Pairs with record_finish. */
struct path_recorder {
    double aspect; /* width / height of the screen */

    struct path path;
    struct history_state latest;                      /* what was shown last */
    struct record_sample samples[RECORD_SAMPLES_MAX]; /* the first one leaves the last stop */
    size_t count;
    double first_s, until_s; /* times of the first view, and of what was shown last */
    double look_s;           /* time of the last stop with another look */
    bool full;               /* there is no room for more */
};

/* Records the screen at a time, which must not decrease. The scene's view is that of the screen.
 * Views within RECORD_INTERVAL_S after the last are ignored, unless something else changes. */
void record_add(struct path_recorder *recorder, const struct history_state *shown, double second);
/* Returns the duration of the recording so far. */
double record_seconds(const struct path_recorder *recorder);
/* Ends the recording, and moves its stops to a zeroed path, which the caller finishes. Returns
 * false if nothing has moved or changed; the path is then empty. */
bool record_finish(struct path_recorder *recorder, struct path *path);

#endif
