/* ffmpeg: runs the program ffmpeg, which encodes frames from its standard input or joins files. The
 * environment variable FATHOM_FFMPEG names another program. It runs without a shell, in a process
 * group of its own, so that Ctrl-C in a terminal does not end it before its file is complete. */
#ifndef FATHOM_APP_MOVIE_FILM_FFMPEG_H
#define FATHOM_APP_MOVIE_FILM_FFMPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FFMPEG_WORDS_MAX 95
#define FFMPEG_WHY       300 /* [bytes] size of a reason */

/* Returns true if the program is there; it may still lack encoders. */
bool ffmpeg_exists(void);

/* Command line: the program's name and its arguments. */
struct ffmpeg_words {
    char *words[FFMPEG_WORDS_MAX + 1]; /* ends in NULL */
    int count;
    bool failed; /* no memory; ffmpeg_start reports it */
};

/* Initialises a command line with the arguments of every call: ffmpeg replaces its output, writes
 * only errors, ends at the first one (Matroska would hide a full disk otherwise), and reports its
 * progress on standard output. */
void ffmpeg_words_init(struct ffmpeg_words *words);
/* Adds one argument. */
void ffmpeg_words_add(struct ffmpeg_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds the arguments of a text without quotes, in which spaces separate them. */
void ffmpeg_words_split(struct ffmpeg_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ffmpeg_words_finish(struct ffmpeg_words *words);

/* Process that runs. */
struct ffmpeg {
    pid_t process;       /* 0: none */
    int watch;           /* descriptor that is readable once the process has ended; -1: none */
    int input;           /* pipe to its standard input */
    int progress, error; /* its standard output and standard error: files in memory */
    double end_ms;       /* clock_ms until which it has time */
};

/* Starts ffmpeg. It has `limit_ms` until its end; INFINITY: any time. Returns false on failure; the
 * reason is logged. */
bool ffmpeg_start(struct ffmpeg *ffmpeg, const struct ffmpeg_words *words, double limit_ms);
/* Writes to its standard input. The program must ignore SIGPIPE (standard_streams_hold). Returns
 * false if ffmpeg reads no more, after an interrupt, or at the end of its time; ffmpeg_end finds
 * the reason. */
bool ffmpeg_write(struct ffmpeg *ffmpeg, const void *data, size_t size);
/* Closes its standard input and waits until it ends; kills it after an interrupt or at the end of
 * its time. Returns true if it has succeeded and reports `frames` stored frames (0: any number).
 * Otherwise `why` receives the reason, ffmpeg's first message if there is one; it is empty after an
 * interrupt. */
bool ffmpeg_end(struct ffmpeg *ffmpeg, uint32_t frames, char why[static FFMPEG_WHY]);
/* Kills the process if there is one, with all processes that it has started. */
void ffmpeg_kill(struct ffmpeg *ffmpeg);

#endif
