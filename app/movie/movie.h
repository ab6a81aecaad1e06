/* Movie: the frames of a zoom along a leg, made from rings of samples. A frame depends on the movie
 * and its number alone. Samples and finished parts of the film are files in a work folder, so that
 * the same movie goes on after any failure. */
#ifndef FATHOM_APP_MOVIE_MOVIE_H
#define FATHOM_APP_MOVIE_MOVIE_H

#include "app/movie/film.h"
#include "app/movie/ring_source.h"
#include "render/movie/timeline.h"

struct movie {
    /* Set by the caller. */
    struct leg leg;
    struct timeline timeline;
    struct scene *scene;       /* of the leg's deep view, with the size of the frames */
    uint32_t samples;          /* samples of a pixel; their root is the rings' density */
    struct ring_source source; /* as ring_source.h, without `rings`, `scene` and `folder` */
    struct film_options film;  /* without folder, size, frames and text */
    const char *work;          /* work folder, which is made if it does not exist */
    bool keep_work;            /* keep the folder's files at the end */
    bool suit_colours;         /* colours suit every depth (path_colours.h) */
    bool own_colours;          /* the deep view keeps its own frequency */
    /* Called before each frame with the done share of the movie; returns false to stop. */
    bool (*step)(void *user, double done);
    void *user;

    /* Results. */
    struct rings rings;
    uint32_t frames_made; /* in this run */
    double resample_ms, film_ms;
};

/* Makes the movie. Returns false on failure, which is logged, or if stopped. Finished parts then
 * stay in the work folder. */
bool movie_make(struct movie *movie);
/* Returns the size of the files of all rings [bytes]. */
uint64_t movie_work_bytes(const struct movie *movie);

#endif
