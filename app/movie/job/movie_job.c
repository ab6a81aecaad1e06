/* Movie job: starts the program itself, and follows the lines on its standard error. */
#define _GNU_SOURCE
#include "app/movie/job/movie_job.h"
#include "app/movie/film/ffmpeg.h"
#include "app/movie/movie.h"
#include "app/work/process.h"
#include "cpu/cpuid.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/base/user_data.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMES        1000
#define LEFT_FROM    0.02 /* share of the work before which the remaining time is unknown */
#define FPS          30
#define SAMPLES      4
#define LOG_BYTES    4096
#define WORDS_BEFORE 4 /* words of the command that start the program */

/* --- names --- */

/* Returns true if there is a movie of that name, or a path unless `movie`. */
static bool taken(const char *name, bool movie) {
    static const char *const endings[] = {"", ".mp4", ".mp4.work", PATH_ENDING};
    bool any = false;
    for (int i = 0; i < (movie ? 3 : 4) && !any; i++) {
        char *path = NULL;
        any = asprintf(&path, "%s%s", name, endings[i]) < 0 || access(path, F_OK) == 0;
        free(path);
    }
    return any;
}

char *movie_job_name(const char *folder) {
    char date[CLOCK_TEXT_MAX], *name = NULL;
    clock_local(CLOCK_DATE, date);
    if (!user_folder_make_or_log(folder))
        return NULL;
    for (int number = 1; number < NAMES; number++) {
        free(name);
        if (asprintf(&name, "%s/fathom-%s-%03d", folder, date, number) < 0)
            name = NULL;
        if (name && !taken(name, false))
            return name;
    }
    log_error("there is no free name for a movie in '%s'", folder);
    free(name);
    return NULL;
}

/* Returns the name of a path file without its ending, if the file is in the folder. */
static char *name_of_path(const char *folder, const char *file) {
    const size_t length = strlen(folder);
    const bool inside = strncmp(file, folder, length) == 0 && file[length] == '/';
    return inside ? strndup(file, strlen(file) - strlen(PATH_ENDING)) : NULL;
}

/* Returns the name of a new movie: a video, or pictures in a new folder if there is no ffmpeg. It
 * has the path's name if that is free. */
static char *choose_target(const char *folder, const char *file) {
    char *name = name_of_path(folder, file), *target = NULL;
    const bool video = ffmpeg_exists();
    if (!name || taken(name, true)) {
        free(name);
        name = movie_job_name(folder);
    }
    if (!name || (!video && mkdir(name, 0777) != 0) ||
        asprintf(&target, video ? "%s.mp4" : "%s/%%i.png", name) < 0)
        target = NULL;
    free(name);
    return target;
}

/* --- cost --- */

bool movie_job_plan(const struct path *path, bool large, struct movie_plan *plan) {
    struct movie movie = {.path = path,
                          .width_px = large ? 1920 : 1280,
                          .height_px = large ? 1080 : 720,
                          .samples = SAMPLES,
                          .tour_options = {.speed = TOUR_SPEED, .ease_s = TOUR_EASE_S}};
    movie.tour_options.aspect = (double)movie.width_px / movie.height_px;
    const bool ok =
        tour_init(&movie.tour, path, &movie.tour_options) && tour_join(&movie.tour, true);
    if (ok) {
        movie.frames = (uint32_t)ceil(movie.tour.seconds * FPS) + 1;
        *plan = (struct movie_plan){movie.tour.seconds, (double)movie_size(&movie).bytes,
                                    movie.width_px, movie.height_px};
    }
    tour_finish(&movie.tour);
    return ok;
}

/* --- the process --- */

static void add_word(struct movie_job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_word(struct movie_job *job, const char *format, ...) {
    va_list list;
    int count = 0;
    while (job->words[count])
        count++;
    va_start(list, format);
    if (count == MOVIE_JOB_WORDS || vasprintf(&job->words[count], format, list) < 0)
        log_error("not enough memory for a movie");
    va_end(list);
}

/* Returns the option's word for a mask with some flags. */
static const char *cpumask_name(uint32_t mask) {
    static const char *const names[] = CPU_FLAG_NAMES;
    const char *name = "none";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        name = mask >> i & 1 ? names[i] : name;
    return name;
}

static void choose_words(struct movie_job *job, const char *file, const char *backend,
                         const struct movie_plan *plan) {
    const struct options *options = job->options;
    add_word(job, "env");
    add_word(job, PROGRESS_LINES "=%d", (int)getpid());
    add_word(job, "nice");
    add_word(job, "/proc/%d/exe", (int)getpid());
    add_word(job, "movie");
    add_word(job, "%s", file);
    add_word(job, "-o");
    add_word(job, "%s", job->target);
    add_word(job, "--size=%dx%d", plan->width_px, plan->height_px);
    add_word(job, "--backend=%s", backend);
    if (options->threads > 0)
        add_word(job, "--threads=%d", options->threads);
    if (options->device)
        add_word(job, "--device=%s", options->device);
    if (options->cpumask != ~0u)
        add_word(job, "--cpumask=%s", cpumask_name(options->cpumask));
    if (options->inexact)
        add_word(job, "--inexact");
    if (options->no_config)
        add_word(job, "--no-config");
}

void movie_job_start(struct movie_job *job, const char *file, const char *backend,
                     const struct movie_plan *plan) {
    if (!job->target && (job->target = choose_target(job->folder, file)))
        choose_words(job, file, backend, plan);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int error = EIO;
    job->log = memfd_create("fathom-movie", MFD_CLOEXEC);
    if (job->target && job->log >= 0 && nothing >= 0)
        error = process_start(&job->process, job->words, (int[]){nothing, nothing, job->log});
    close(nothing);
    if (error != 0) {
        messages_post(job->messages, "the movie cannot be started: %s", strerror(error));
        close(job->log);
        return;
    }
    job->read = 0;
    job->done = 0;
    job->cancelled = false;
    job->why[0] = '\0';
    job->started_ms = clock_ms();
    messages_post(job->messages, "making the movie in the background; see the panel for progress");
}

void movie_job_cancel(struct movie_job *job) {
    if (job->process > 0)
        kill(job->process, SIGTERM); /* SIGINT is ignored if the window was started by a script */
    job->cancelled = true;
}

void movie_job_forget(struct movie_job *job, bool remove) {
    char *work = NULL;
    if (remove && job->target && asprintf(&work, "%s.work", job->target) >= 0) {
        movie_forget(work);
        free(work);
    }
    free(job->target);
    job->target = NULL;
    for (char **word = job->words; *word; word++) {
        free(*word);
        *word = NULL;
    }
}

/* --- its progress --- */

static void take_line(struct movie_job *job, const char *line) {
    static const char name[] = "fathom: ";
    char *end;
    const double done = strtod(line, &end); /* "fathom: ..." is no number */
    if (strncmp(line, name, strlen(name)) == 0)
        line += strlen(name);
    if (end > line && *end == '\0')
        job->done = done;
    else if (*line)
        snprintf(job->why, sizeof job->why, "%.*s", MESSAGE_TEXT_MAX - 1, line);
}

/* Takes the whole lines of what was written since the last call. */
static void read_log(struct movie_job *job) {
    char text[LOG_BYTES + 1];
    ssize_t size;
    while ((size = pread(job->log, text, LOG_BYTES, job->read)) > 0) {
        char *line = text, *end;
        text[size] = '\0';
        for (; (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            take_line(job, line);
        }
        if (line == text)
            break;
        job->read += line - text;
    }
}

enum movie_job_state movie_job_update(struct movie_job *job) {
    int status = 1;
    const double before = job->done;
    if (job->process == 0)
        return MOVIE_JOB_SAME;
    const bool ended = waitpid(job->process, &status, WNOHANG) != 0;
    read_log(job);
    if (!ended)
        return job->done == before ? MOVIE_JOB_SAME : MOVIE_JOB_NEWS;
    close(job->log);
    job->process = 0;
    const bool made = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (made)
        messages_post(job->messages, "saved %s", job->target);
    else if (job->cancelled)
        messages_post(job->messages,
                      "the movie was stopped; \"Start the movie\" (Ctrl+M) goes on with it");
    else
        messages_post(job->messages, "the movie was not made: %s", job->why);
    if (made)
        movie_job_forget(job, false);
    return made ? MOVIE_JOB_MADE : MOVIE_JOB_ENDED;
}

void movie_job_progress(const struct movie_job *job, char *text, size_t size) {
    const int count = snprintf(text, size, "%.0f %%", 100 * job->done);
    if (job->done >= LEFT_FROM)
        progress_left((clock_ms() - job->started_ms) * (1 - job->done) / job->done, text + count,
                      size - (size_t)count);
}

void movie_job_finish(struct movie_job *job) {
    if (job->process > 0) {
        char *text = NULL;
        size_t size;
        FILE *command = open_memstream(&text, &size);
        for (char **word = job->words + WORDS_BEFORE; command && *word; word++)
            fprintf(command, strpbrk(*word, " %'") ? " \"%s\"" : " %s", *word);
        if (command)
            fclose(command);
        movie_job_cancel(job);
        close(job->log);
        log_warn(
            "the movie was stopped, because the window was closed; this goes on with it: fathom%s",
            text ? text : "");
        free(text);
        job->process = 0;
    }
    movie_job_forget(job, false);
}
