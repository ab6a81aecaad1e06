/* Path control: records what the window shows as a path, plays a path in real time, and has a movie
 * made of it in the background. */
#ifndef FATHOM_APP_WINDOW_PATH_PATH_CONTROL_H
#define FATHOM_APP_WINDOW_PATH_PATH_CONTROL_H

#include "app/explore/motion/course.h"
#include "app/hud/panel_model.h"
#include "app/movie/job/movie_job.h"
#include "app/movie/path/record.h"
#include "app/movie/path/tour.h"

struct loop;

/* The caller sets the job's first members; all others are zero. Pairs with path_control_finish. */
struct path_control {
    struct movie_job job;
    struct path path; /* recorded or opened last, or the zoom of a movie; empty: none */
    char *file;       /* of that path; NULL: it has none yet */
    double seconds;   /* duration of that path */
    bool zoom;        /* the path is a zoom, which is forgotten once its movie is made */
    bool planned;     /* the cost of its movie was told, and another press starts it */
    struct movie_plan plan;

    bool recording;
    struct path_recorder recorder;
    double started_ms; /* clock_ms of its beginning */

    bool playing;
    struct tour tour;
    struct course course;
    double second;                /* of the tour */
    const struct path_stop *stop; /* whose look the screen has; NULL: none */

    struct panel_movie shown;
};

void path_control_finish(struct loop *loop);

/* Begins a recording, or ends it and saves the path. Posts messages. */
void path_control_record(struct loop *loop);
/* Plays the path, or ends that. Returns true if it was playing. */
bool path_control_stop(struct loop *loop);
void path_control_play(struct loop *loop);
/* Posts the cost of a movie of the path, or of a zoom to this view if there is no path. The second
 * call starts the movie; a call while it is made stops it. */
void path_control_movie(struct loop *loop);
/* Opens a path file and plays it. Returns false if that fails: with a message, unless an image is
 * still to be read. */
bool path_control_open(struct loop *loop, const char *file);
/* Applies an edit of the panel if it is about paths. */
void path_control_follow_edit(struct loop *loop, int item, int index);

/* Moves a playing path on. Call it before the explorer's time advances. */
void path_control_advance(struct loop *loop, double ms);
/* Records the screen, ends what a hand has ended, and follows the movie. Call it once a turn. */
void path_control_follow(struct loop *loop);
/* Returns true while a path is played or a movie is made. */
bool path_control_busy(const struct loop *loop);
/* Returns clock_ms of the latest next turn. `pace_ms`: the next frame. */
double path_control_due_ms(const struct loop *loop, double pace_ms);
/* Returns what the panel shows. */
const struct panel_movie *path_control_shown(struct loop *loop);

#endif
