/* Making: the state of a movie on its way, for movie.c and share/. */
#ifndef FATHOM_APP_MOVIE_MAKING_H
#define FATHOM_APP_MOVIE_MAKING_H

#include "app/movie/movie.h"
#include "app/movie/work_folder.h"

struct making {
    struct movie *movie;
    struct film *film;
    struct work_folder folder;
    struct shot_options options;
    struct scene *looks; /* of each stop */
    size_t deepest;      /* stop */
    uint64_t key;        /* hash of everything that decides frames and film */
    struct shot_frames shot;
    size_t removed; /* shots whose files were removed */
    struct resampler *resampler;
};

/* Returns the time of a frame [s]. */
double making_second(const struct movie *movie, uint32_t frame);
/* Returns the share of a shot's duration at a time. */
double making_time(const struct shot *shot, double second);
/* Begins the shot at a time, unless it has begun. Returns false on failure, which is logged. */
bool making_enter(struct making *making, double second);
/* Leaves the shot, so that frames of any time may follow. */
void making_leave(struct making *making);
/* Makes a segment; `before` is the number of frames that were finished before, for the progress.
 * Returns false on failure, which is logged, or if stopped. */
bool making_segment(struct making *making, uint32_t segment, uint32_t before);

#endif
