/* Movie: the frames of a path (path/path.h). A frame depends on the movie and its number alone.
 * Samples and finished parts of the film are files in a work folder, so that the same movie goes on
 * after any failure. */
#ifndef FATHOM_APP_MOVIE_MOVIE_H
#define FATHOM_APP_MOVIE_MOVIE_H

#include "app/movie/film/film.h"
#include "app/movie/path/tour.h"
#include "app/movie/shot_frames.h"

struct movie {
    /* Set by the caller. */
    const struct path *path;
    struct tour_options tour_options; /* without aspect */
    int width_px, height_px;          /* of the frames */
    uint32_t samples;                 /* samples of a pixel; their root is the rings' density */
    struct ring_drawing drawing;      /* as ring_source.h */
    struct density_frames orbits;     /* as density_frames.h */
    struct film_options film;         /* without folder, size, frames and text */
    const char *work;                 /* work folder, which is made if it does not exist */
    bool keep_work;                   /* keep the folder's files at the end */
    struct work_list *list;           /* shares the movie with other processes; NULL: alone */
    struct work_part part;            /* makes only a part, and joins nothing; of = 0: everything */
    bool suit_colours;                /* colours suit every depth (path_colours.h) */
    bool own_colours;                 /* the deepest view keeps its own frequency */
    /* Called before each frame with the done share of the movie; returns false to stop. */
    bool (*step)(void *user, double done);
    void *user;

    /* Results. */
    struct tour tour;
    uint32_t frames, frames_made; /* in all, and in this run */
    double resample_ms, film_ms;
};

/* Makes the movie. Pairs with movie_finish in any case. Returns false on failure, which is logged,
 * or if stopped. Finished parts then stay in the work folder. */
bool movie_make(struct movie *movie);
void movie_finish(struct movie *movie);
/* Removes the files of an unfinished movie from its work folder, and the folder if nothing else is
 * in it. A folder that is in use, or of no movie, stays. */
void movie_forget(const char *work);
/* Returns the size of the rings of all shots. */
struct shot_size movie_size(const struct movie *movie);

#endif
