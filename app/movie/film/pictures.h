/* Pictures: stores each frame of a film as a numbered picture. Threads write some pictures at a
 * time, as compressing one may take longer than making it. Not thread-safe. */
#ifndef FATHOM_APP_MOVIE_FILM_PICTURES_H
#define FATHOM_APP_MOVIE_FILM_PICTURES_H

#include "app/movie/film/film.h"
#include <pthread.h>

#define PICTURES_AT_ONCE 8 /* largest number of pictures that are written at a time */
#define PICTURES_WHY     1024

struct pictures;

/* A picture that is being written. */
struct picture_job {
    const struct pictures *pictures;
    uint32_t frame;
    const void *rgb;
    void *copy, *row; /* memory for the frame, and for pixels of image_writer_rows */
    pthread_t thread;
    bool busy; /* there is a thread */
    bool ok;
    char why[PICTURES_WHY]; /* reason of a failure; "": an interrupt */
};

struct pictures {
    const struct film_options *options;
    struct picture_job jobs[PICTURES_AT_ONCE];
    int count; /* jobs that are used: 1 if the caller's thread writes */
    int next;
    bool failed; /* a picture has failed since pictures_wait */
};

/* Returns true for the name of pictures. If it could be the name of a video, too, it needs a
 * placeholder. */
bool pictures_are_named(const char *path, bool otherwise_video);
/* Checks the name and the format, and that the first picture can be written. Returns false if not,
 * which is logged. */
bool pictures_check(const struct film_options *options);
/* Begins pictures with options that live as long. Returns false without memory; logged. Then, too,
 * pictures_finish is needed. */
bool pictures_init(struct pictures *pictures, const struct film_options *options);
/* Waits for all threads and frees the memory. Logs a failure that is not logged yet. Zeroed
 * pictures are allowed. */
void pictures_finish(struct pictures *pictures);

/* Returns true if there is a picture of a frame, with the size and the comment of this film. A
 * picture that cannot be read counts as missing, and nothing is logged. Decodes pictures in WebP,
 * and reads the start of others. */
bool pictures_have(const struct pictures *pictures, uint32_t frame);
/* Begins to write a frame in the form that film_frame describes. Returns false after an interrupt, or
 * if a picture has failed, which is logged. An earlier picture may be the failed one: a thread's
 * failure is noticed when a later frame needs its memory, or by pictures_wait. */
bool pictures_frame(struct pictures *pictures, uint32_t frame, const void *rgb);
/* Waits until no picture is being written. Returns false if one has failed since the last call; a
 * failure that pictures_frame has logged is not logged again. */
bool pictures_wait(struct pictures *pictures);

#endif
