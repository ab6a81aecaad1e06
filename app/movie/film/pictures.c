/* Pictures: names them, recognises those of an earlier run, and writes them. */
#define _GNU_SOURCE
#include "app/movie/film/pictures.h"
#include "render/base/atomic_file.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/files/image.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define COPIES_MOST (UINT64_C(1) << 28) /* [bytes] frames that wait for their picture */

static bool is_deep(const struct film_options *options) {
    return options->bits > 8;
}

/* --- names --- */

/* Returns the first placeholder that is not known; NULL: none. Sets *numbered if there is %i. */
static const char *unknown_placeholder(const char *path, bool *numbered) {
    *numbered = false;
    for (const char *p = path; (p = strchr(p, '%')); p += 2) {
        if (p[1] != 'i' && p[1] != '%')
            return p;
        *numbered |= p[1] == 'i';
    }
    return NULL;
}

/* Returns the name of a frame's picture, which the caller frees; NULL without memory. */
static char *path_of(const struct film_options *options, uint32_t frame) {
    char *path = NULL;
    size_t size;
    int digits = 1;
    for (uint32_t most = options->frames; most >= 10; most /= 10)
        digits++;
    FILE *file = open_memstream(&path, &size);
    for (const char *p = options->path; file && *p; p++) {
        if (*p != '%')
            fputc(*p, file);
        else if (*++p == 'i')
            fprintf(file, "%0*u", digits, frame + 1);
        else
            fputc('%', file);
    }
    if (file && fclose(file) == 0)
        return path;
    free(path);
    log_error("not enough memory for the movie");
    return NULL;
}

bool pictures_are_named(const char *path, bool otherwise_video) {
    const char *ending = strrchr(path, '.');
    bool numbered;
    const bool placeholder = unknown_placeholder(path, &numbered) || numbered;
    return (placeholder || !otherwise_video) &&
           (image_format_of(path) != IMAGE_PPM || (ending && strcasecmp(ending, ".ppm") == 0));
}

static bool check_name(const struct film_options *options) {
    bool numbered;
    const char *unknown = unknown_placeholder(options->path, &numbered);
    if (unknown)
        log_error("'%s': %%i is the number of the frame, %%%% a percent sign; there is no '%.2s'",
                  options->path, unknown);
    else if (!numbered)
        log_error("'%s' is one file for %u frames: put %%i, the number of the frame, into it",
                  options->path, options->frames);
    return !unknown && numbered;
}

bool pictures_check(const struct film_options *options) {
    const enum image_format format = image_format_of(options->path);
    const char *missing = image_format_missing(format);
    const int bits = options->bits;
    if (!check_name(options))
        return false;
    if (!missing && bits != 8 && (bits != 16 || format != IMAGE_PNG))
        missing = "numbered pictures have 8 bits, and those in PNG 8 or 16";
    if (missing) {
        log_error("cannot write '%s': %s", options->path, missing);
        return false;
    }
    char *first = path_of(options, 0);
    const bool ok = first && atomic_file_possible(first);
    free(first);
    return ok;
}

/* --- pictures of an earlier run --- */

struct noted {
    int width_px, height_px;
    bool deep;
};

/* Notes the format of a picture, and reads no pixels. */
static bool note_format(void *user, int width_px, int height_px, bool deep) {
    *(struct noted *)user = (struct noted){width_px, height_px, deep};
    return false;
}

static bool has_format(const struct film_options *options, const char *path) {
    struct noted seen = {0};
    const struct image_sink sink = {.begin = note_format, .user = &seen};
    image_take(path, &sink);
    return seen.width_px == options->width_px && seen.height_px == options->height_px &&
           seen.deep == is_deep(options);
}

/* Returns true for a comment that is the text, except for newlines around it, as PPM adds them. */
static bool is_text(const char *comment, const char *text) {
    const size_t length = strlen(text);
    comment += strspn(comment, "\n");
    return strncmp(comment, text, length) == 0 &&
           comment[length + strspn(comment + length, "\n")] == '\0';
}

/* Returns true if a picture is a frame of this film. */
static bool is_frame(const struct film_options *options, const char *path) {
    char reason[8];
    if (access(path, F_OK) != 0)
        return false;
    const struct log_listener before = log_listen_instead_of_warnings(reason, sizeof reason);
    FILE *file = options->text ? file_open(path) : NULL;
    char *text = file ? image_comment(file, path) : NULL;
    const bool same = !options->text || (text && is_text(text, options->text));
    const bool has = same && has_format(options, path);
    log_listen_restore(before);
    free(text);
    if (file)
        fclose(file);
    return has;
}

bool pictures_have(const struct pictures *pictures, uint32_t frame) {
    char *path = path_of(pictures->options, frame);
    const bool has = path && is_frame(pictures->options, path);
    free(path);
    return has;
}

/* --- writing --- */

static uint64_t bytes_of(const struct film_options *options) {
    return 3 * (uint64_t)options->width_px * (uint64_t)options->height_px *
           (is_deep(options) ? 2 : 1);
}

/* Converts row `y` of R, G, B for the writer. */
static void fill_row(const struct picture_job *job, int y) {
    const struct film_options *options = job->pictures->options;
    const uint8_t *bytes = job->rgb;
    const uint16_t *words = job->rgb;
    size_t at = 3 * (size_t)y * (size_t)options->width_px;
    for (int x = 0; x < options->width_px; x++, at += 3)
        if (is_deep(options))
            ((uint64_t *)job->row)[x] = words[at] | (uint64_t)words[at + 1] << 16 |
                                        (uint64_t)words[at + 2] << 32 | (uint64_t)0xffff << 48;
        else
            ((uint32_t *)job->row)[x] = bytes[at] | (uint32_t)bytes[at + 1] << 8 |
                                        (uint32_t)bytes[at + 2] << 16 | 0xff000000u;
}

static bool write_picture(const struct picture_job *job, const char *path) {
    const struct film_options *o = job->pictures->options;
    struct image_writer *writer =
        image_writer_open(path, image_format_of(path), o->width_px, o->height_px, o->text,
                          is_deep(o) ? IMAGE_DEEP : 0);
    if (!writer)
        return false;
    image_writer_set_quality(writer, o->quality > 0 ? o->quality : IMAGE_QUALITY);
    for (int y = 0; y < o->height_px; y++) {
        fill_row(job, y);
        if (interrupt_requested() || !image_writer_rows(writer, job->row, 1)) {
            image_writer_abandon(writer);
            return false;
        }
    }
    return image_writer_commit(writer, NULL);
}

static void *run(void *user) {
    struct picture_job *job = user;
    const struct log_listener before = log_listen_instead(job->why, sizeof job->why);
    char *path = path_of(job->pictures->options, job->frame);
    job->ok = path && write_picture(job, path);
    log_listen_restore(before);
    free(path);
    return NULL;
}

/* Waits for the picture of a job. Returns false if it failed. Of several failures, logs the one
 * that is noticed first. */
static bool end(struct pictures *pictures, struct picture_job *job) {
    if (job->busy)
        pthread_join(job->thread, NULL);
    const bool ok = job->ok;
    if (!ok && *job->why && !pictures->failed)
        log_error("%s", job->why);
    pictures->failed |= !ok;
    job->busy = false;
    job->ok = true;
    *job->why = '\0';
    return ok;
}

bool pictures_init(struct pictures *pictures, const struct film_options *options) {
    const uint64_t bytes = bytes_of(options);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *pictures = (struct pictures){.options = options, .count = 1};
    while (pictures->count < PICTURES_AT_ONCE && pictures->count < processors &&
           (uint64_t)(pictures->count + 1) * bytes <= COPIES_MOST)
        pictures->count++;
    for (int i = 0; i < pictures->count; i++) {
        struct picture_job *job = &pictures->jobs[i];
        job->pictures = pictures;
        job->ok = true;
        if (!(job->row = memory_alloc((uint64_t)options->width_px * sizeof(uint64_t), "a row")) ||
            (pictures->count > 1 && !(job->copy = memory_alloc(bytes, "a frame"))))
            return false;
    }
    return true;
}

void pictures_finish(struct pictures *pictures) {
    pictures_wait(pictures);
    for (int i = 0; i < pictures->count; i++) {
        free(pictures->jobs[i].copy);
        free(pictures->jobs[i].row);
    }
    pictures->count = 0;
}

bool pictures_frame(struct pictures *pictures, uint32_t frame, const void *rgb) {
    struct picture_job *job = &pictures->jobs[pictures->next];
    pictures->next = (pictures->next + 1) % pictures->count;
    if (!end(pictures, job))
        return false;
    job->frame = frame;
    job->rgb = rgb;
    if (job->copy)
        job->rgb = memcpy(job->copy, rgb, bytes_of(pictures->options));
    job->busy = job->copy && pthread_create(&job->thread, NULL, run, job) == 0;
    if (!job->busy)
        run(job);
    return job->busy || end(pictures, job);
}

bool pictures_wait(struct pictures *pictures) {
    for (int i = 0; i < pictures->count; i++)
        end(pictures, &pictures->jobs[i]);
    const bool ok = !pictures->failed;
    pictures->failed = false;
    return ok;
}
