/* Movie job: the command `fathom movie` in the background, as a process of its own with a low
 * priority, while the window stays in use. The movie and its path are files with the next free
 * number in the folder of screenshots. */
#ifndef FATHOM_APP_MOVIE_JOB_MOVIE_JOB_H
#define FATHOM_APP_MOVIE_JOB_MOVIE_JOB_H

#include "app/messages.h"
#include "app/movie/path/path.h"
#include "app/options/options.h"
#include <sys/types.h>

#define MOVIE_JOB_WORDS 20

/* The caller sets the first three members; all others are zero. Pairs with movie_job_finish. */
struct movie_job {
    const char *folder;            /* of the movie, as in screenshot.h */
    const struct options *options; /* of the window, which the command gets, too */
    struct messages *messages;

    pid_t process;     /* 0: none */
    int log;           /* its standard error, a file in memory */
    off_t read;        /* how much of that was read */
    double done;       /* share of the movie */
    double started_ms; /* clock_ms */
    bool cancelled;
    char *target;                     /* the movie; NULL: none was begun */
    char *words[MOVIE_JOB_WORDS + 1]; /* the command that makes it */
    char why[MESSAGE_TEXT_MAX];       /* its last message */
};

/* Cost of a movie. */
struct movie_plan {
    double seconds, bytes; /* duration; space on the disk while it is made */
    int width_px, height_px;
};

enum movie_job_state { MOVIE_JOB_SAME, MOVIE_JOB_NEWS, MOVIE_JOB_MADE, MOVIE_JOB_ENDED };

/* Returns FOLDER/fathom-YYYY-MM-DD-NNN with the first number that no movie or path has, and makes
 * the folder. The caller frees it. Returns NULL on failure; the reason is logged. */
char *movie_job_name(const char *folder);
/* Computes the cost; `large`: 1920x1080 instead of 1280x720. Returns false if the path makes no
 * movie; the reason is logged. */
bool movie_job_plan(const struct path *path, bool large, struct movie_plan *plan);
/* Starts the movie of a path file on a backend, or goes on with that of the last call. Posts a
 * message, also on failure. */
void movie_job_start(struct movie_job *job, const char *file, const char *backend,
                     const struct movie_plan *plan);
/* Stops the movie. The next start goes on with it, unless it is forgotten; `remove`: its work
 * folder is removed. */
void movie_job_cancel(struct movie_job *job);
void movie_job_forget(struct movie_job *job, bool remove);
/* Reads the progress, and posts a message at the end. Call it once a turn. MADE: the movie is
 * complete; ENDED: it was stopped or has failed. */
enum movie_job_state movie_job_update(struct movie_job *job);
/* Writes the progress with the remaining time as text. */
void movie_job_progress(const struct movie_job *job, char *text, size_t size);
/* Stops the movie, and logs the command that goes on with it. */
void movie_job_finish(struct movie_job *job);

#endif
