/* Video: runs one ffmpeg for each segment, and one that joins the segments. */
#define _GNU_SOURCE
#include "app/movie/film/video.h"
#include "app/work/hash.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/same_file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX   "film-" /* of segments' names */
#define TRIAL_MS 60000   /* time for one frame */

/* Returns the number of bytes of a frame for the encoder. */
static uint64_t frame_bytes(const struct film_options *options, const struct encoder *encoder) {
    struct ycbcr format;
    return encoder_takes_rgb(encoder, options, &format)
               ? (uint64_t)options->width_px * (uint64_t)options->height_px *
                     (options->bits == 10 ? 6 : 3)
               : ycbcr_size(&format);
}

static void log_unwritable(const char *path, int error) {
    log_error("cannot write '%s': %s", path, strerror(error));
}

static bool no_memory(void) {
    log_error("not enough memory for the movie");
    return false;
}

/* Returns "FOLDER/NAME", which the caller frees; NULL without memory. */
static char *in_folder(const struct video *video, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", video->options->folder, name) < 0 ? NULL : path;
}

/* Makes a file's content survive a crash of the machine, and gives the file its name. */
static bool publish(const char *part, const char *name) {
    const int file = open(part, O_RDONLY | O_CLOEXEC);
    bool ok = file >= 0 && fsync(file) == 0 && rename(part, name) == 0;
    const int error = errno;
    if (file >= 0)
        close(file);
    if (!ok)
        log_unwritable(name, error);
    return ok;
}

/* --- opening --- */

/* Starts ffmpeg with an encoder that writes into a file. */
static bool start(struct video *video, const struct encoder *encoder, const char *path,
                  double limit_ms) {
    struct ffmpeg_words words;
    ffmpeg_words_init(&words);
    encoder_add(&words, encoder, video->options);
    ffmpeg_words_split(&words, "-f %s", encoder_segment_format(encoder, video->container));
    ffmpeg_words_add(&words, "file:%s", path);
    unlink(path); /* the ffmpeg of a killed run may still be writing to this file */
    const bool ok = ffmpeg_start(&video->run, &words, limit_ms);
    ffmpeg_words_finish(&words);
    return ok;
}

/* Returns true if an encoder can encode a frame into the work folder. Otherwise `why` is the
 * reason; it is empty if the reason is logged, and after an interrupt. */
static bool can_encode(struct video *video, const struct encoder *encoder, const void *frame,
                       char why[static FFMPEG_WHY]) {
    char *path = in_folder(video, "trial.part");
    *why = '\0';
    bool ok = (path || no_memory()) && start(video, encoder, path, TRIAL_MS);
    if (ok) {
        ffmpeg_write(&video->run, frame, frame_bytes(video->options, encoder));
        ok = ffmpeg_end(&video->run, video->container->counted ? 1 : 0, why);
    }
    if (path)
        unlink(path);
    free(path);
    return ok;
}

/* Chooses the first encoder that works. */
static bool choose(struct video *video) {
    char why[FFMPEG_WHY] = "", first_why[FFMPEG_WHY] = "";
    const struct encoder *first = encoder_next(video->options, video->container, NULL);
    const uint64_t bytes = /* the longest frame */
        (uint64_t)video->options->width_px * (uint64_t)video->options->height_px * 6;
    void *frame = memory_alloc(bytes, "a frame");
    if (!frame)
        return false;
    memset(frame, 0, bytes);
    const struct encoder *at = first;
    bool ok;
    while (!(ok = can_encode(video, at, frame, why)) && *why) {
        if (at == first)
            strcpy(first_why, why);
        if (!(at = encoder_next(video->options, video->container, at)))
            break;
    }
    free(frame);
    if (!at)
        log_error("%s cannot encode this film: %s", encoder_name(first), first_why);
    else if (ok && at != first)
        log_warn("%s cannot encode this film (%s); %s does", encoder_name(first), first_why,
                 encoder_name(at));
    video->encoder = at;
    return ok;
}

static void set_key(struct video *video) {
    struct ffmpeg_words words = {0};
    encoder_add(&words, video->encoder, video->options);
    video->key = HASH_EMPTY;
    for (int i = 0; i < words.count; i++)
        video->key = hash_text(video->key, words.words[i]);
    video->key = hash_text(video->key, video->options->text ? video->options->text : "");
    ffmpeg_words_finish(&words);
}

bool video_open(struct video *video, const struct film_options *options,
                const struct container *container) {
    *video = (struct video){.options = options, .container = container};
    video->target = links_followed(options->path);
    if (!video->target) {
        log_unwritable(options->path, errno);
        return false;
    }
    if (!choose(video))
        return false;
    set_key(video);
    if (encoder_takes_rgb(video->encoder, options, &video->format))
        return true;
    return (video->frame = memory_alloc(ycbcr_size(&video->format), "a frame"));
}

/* --- segments --- */

/* Returns the start of a segment's name, which the hash of its content and its ending follow. The
 * caller frees it; NULL without memory. */
static char *stem_of(const struct video *video, uint32_t first, uint32_t count) {
    char *stem = NULL;
    return asprintf(&stem, PREFIX "%016" PRIx64 "-%07" PRIu32 "-%" PRIu32 "-", video->key, first,
                    count) < 0
               ? NULL
               : stem;
}

/* Returns the name of a finished segment, with the folder, which the caller frees; NULL if there is
 * none, or no memory. */
static char *find(const struct video *video, uint32_t first, uint32_t count) {
    DIR *folder = opendir(video->options->folder);
    char *stem = stem_of(video, first, count), *found = NULL;
    for (struct dirent *entry; folder && stem && !found && (entry = readdir(folder));)
        if (strncmp(entry->d_name, stem, strlen(stem)) == 0 && !strstr(entry->d_name, ".part"))
            found = in_folder(video, entry->d_name);
    if (folder)
        closedir(folder);
    free(stem);
    return found;
}

/* Computes the hash of a file's content. Returns false if it cannot be read. */
static bool hash_of(const char *path, uint64_t *hash) {
    static _Thread_local char bytes[1 << 16];
    const char *why;
    bool absent;
    FILE *file = file_open_silently(path, &absent, &why);
    *hash = HASH_EMPTY;
    for (size_t got; file && (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        *hash = hash_words(*hash, bytes, got);
    const bool ok = file && !ferror(file);
    if (file)
        fclose(file);
    return ok;
}

/* Gives a finished segment its name. */
static bool publish_segment(struct video *video) {
    const char *format = encoder_segment_format(video->encoder, video->container);
    uint64_t hash;
    char *name = NULL;
    if (!hash_of(video->part, &hash)) {
        log_unwritable(video->part, errno);
        return false;
    }
    const int stem = (int)(strlen(video->part) - strlen("0123456789abcdef.part"));
    if (asprintf(&name, "%.*s%016" PRIx64 ".%s", stem, video->part, hash,
                 strcmp(format, "mpegts") == 0 ? "ts" : format) < 0)
        return no_memory();
    const bool ok = publish(video->part, name);
    free(name);
    return ok;
}

bool video_has(const struct video *video, uint32_t first, uint32_t count) {
    char *name = find(video, first, count);
    uint64_t hash = 0, wanted = 0;
    const bool has = name && sscanf(strrchr(name, '-') + 1, "%16" SCNx64, &wanted) == 1 &&
                     hash_of(name, &hash) && hash == wanted;
    if (name && !has) {
        log_warn("'%s' is damaged and is made again", name);
        unlink(name);
    }
    free(name);
    return has;
}

bool video_begin(struct video *video, uint32_t first, uint32_t count) {
    video->count = count;
    char *stem = stem_of(video, first, count);
    if (!stem || asprintf(&video->part, "%s/%s%016" PRIx64 ".part", video->options->folder, stem,
                          video->options->own) < 0)
        video->part = NULL;
    free(stem);
    if (!video->part) {
        no_memory();
        video_abandon(video);
        return false;
    }
    if (start(video, video->encoder, video->part, INFINITY))
        return true;
    video_abandon(video);
    return false;
}

/* Waits for ffmpeg. Returns false after a failure, which is logged, and after an interrupt. */
static bool end_run(struct video *video, uint32_t frames) {
    char why[FFMPEG_WHY];
    if (ffmpeg_end(&video->run, frames, why))
        return true;
    if (*why)
        log_error("cannot write '%s': %s", video->options->path, why);
    return false;
}

bool video_frame(struct video *video, const void *rgb) {
    if (video->frame)
        ycbcr_convert(&video->format, rgb, video->frame);
    if (ffmpeg_write(&video->run, video->frame ? video->frame : rgb,
                     frame_bytes(video->options, video->encoder)))
        return true;
    /* ffmpeg fails if it stops reading before the end; if not, that is the reason. */
    if (end_run(video, video->container->counted ? video->count : 0))
        log_error("cannot write '%s': ffmpeg has ended too early", video->options->path);
    video_abandon(video);
    return false;
}

bool video_end(struct video *video) {
    const bool ok =
        end_run(video, video->container->counted ? video->count : 0) && publish_segment(video);
    video_abandon(video);
    return ok;
}

void video_abandon(struct video *video) {
    ffmpeg_kill(&video->run);
    if (video->part)
        unlink(video->part);
    free(video->part);
    video->part = NULL;
}

/* --- the result --- */

/* Closes a file that was written. Returns false if a write failed; logged. */
static bool close_written(FILE *file, const char *path) {
    const bool failed = !file || ferror(file);
    const int error = errno;
    if (file && (fclose(file) == 0) && !failed)
        return true;
    log_unwritable(path, failed && error ? error : errno);
    return false;
}

/* Returns the time of a frame in microseconds. */
static uint64_t time_of(uint32_t frame, int fps) {
    return ((uint64_t)frame * 1000000 + (uint64_t)fps / 2) / (uint64_t)fps;
}

/* Writes the list of segments. Durations come from the frames' numbers, so that the times of joined
 * segments stay exact: ffmpeg's own estimates do not. */
static bool write_list(const struct video *video, const char *path) {
    const struct film_options *options = video->options;
    FILE *file = fopen(path, "we");
    if (file)
        fputs("ffconcat version 1.0\n", file);
    for (uint32_t first = 0, count; file && first < options->frames; first += count) {
        const uint32_t left = options->frames - first;
        count = left < options->segment_frames ? left : options->segment_frames;
        char *name = find(video, first, count);
        const uint64_t us = time_of(first + count, options->fps) - time_of(first, options->fps);
        fprintf(file, "file %s\nduration %" PRIu64 ".%06" PRIu64 "\n",
                name ? strrchr(name, '/') + 1 : "missing", us / 1000000, us % 1000000);
        free(name);
    }
    return close_written(file, path);
}

/* Writes the comment as a file, since an argument of a process has at most 128 KiB. */
static bool write_comment(const struct video *video, const char *path) {
    FILE *file = fopen(path, "we");
    if (file)
        fputs(";FFMETADATA1\ncomment=", file);
    for (const char *p = video->options->text; file && p && *p; p++) {
        if (strchr("=;#\\\n", *p))
            fputc('\\', file);
        fputc(*p, file);
    }
    if (file)
        fputc('\n', file);
    return close_written(file, path);
}

static bool join(struct video *video, const char *list, const char *comment, const char *part) {
    struct ffmpeg_words words;
    ffmpeg_words_init(&words);
    ffmpeg_words_split(&words, "-f concat -safe 0 -i");
    ffmpeg_words_add(&words, "file:%s", list);
    ffmpeg_words_split(&words, "-f ffmetadata -i");
    ffmpeg_words_add(&words, "file:%s", comment);
    ffmpeg_words_split(&words, "-map 0:v:0 -map_metadata 1 -c copy");
    encoder_add_tags(&words, video->encoder, video->options, video->container);
    ffmpeg_words_split(&words, "-f %s", video->container->format);
    ffmpeg_words_add(&words, "file:%s", part);
    unlink(part); /* as in start */
    const bool ok = ffmpeg_start(&video->run, &words, INFINITY) &&
                    end_run(video, video->options->frames) && publish(part, video->target);
    ffmpeg_words_finish(&words);
    return ok;
}

static bool finish_video(struct video *video) {
    char name[40], *part = NULL;
    const uint64_t own = video->options->own;
    snprintf(name, sizeof name, "join-%" PRIx64 ".txt", own);
    char *list = in_folder(video, name);
    snprintf(name, sizeof name, "join-%" PRIx64 ".meta", own);
    char *comment = in_folder(video, name);
    const int printed = own ? asprintf(&part, "%s.%" PRIx64 ".part", video->target, own)
                            : asprintf(&part, "%s.part", video->target);
    if (printed < 0)
        part = NULL;
    const bool room = (list && comment && part) || no_memory();
    const bool ok = room && write_list(video, list) && write_comment(video, comment) &&
                    join(video, list, comment, part);
    char *const files[] = {list, comment, part};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i])
            unlink(files[i]);
        free(files[i]);
    }
    return ok;
}

/* Copies the only segment of a loop. */
static bool finish_loop(const struct video *video) {
    char bytes[1 << 14];
    char *name = find(video, 0, video->options->frames);
    FILE *from = name ? file_open(name) : NULL;
    struct atomic_file *to = from ? atomic_file_open(video->options->path, false) : NULL;
    bool ok = name;
    for (size_t got = 1; to && got > 0 && !ferror(from);) {
        got = fread(bytes, 1, sizeof bytes, from);
        fwrite(bytes, 1, got, atomic_file_stream(to));
    }
    if (from && ferror(from)) {
        log_error("cannot read '%s'", name);
        atomic_file_abandon(to);
        to = NULL;
    }
    ok = ok && to && atomic_file_commit(to, NULL);
    if (from)
        fclose(from);
    free(name);
    return ok;
}

bool video_finish(struct video *video) {
    return video->container->loop ? finish_loop(video) : finish_video(video);
}

/* Returns true for the names of segments, of this film or of others. */
static bool is_segment(const char *name) {
    uint64_t key, hash;
    uint32_t first, count;
    int end = 0;
    return sscanf(name, PREFIX "%16" SCNx64 "-%7" SCNu32 "-%" SCNu32 "-%16" SCNx64 ".%n", &key,
                  &first, &count, &hash, &end) == 4 &&
           end > 0;
}

void video_remove_segments(const char *folder) {
    DIR *files = opendir(folder);
    struct dirent *entry;
    while (files && (entry = readdir(files)))
        if (is_segment(entry->d_name))
            unlinkat(dirfd(files), entry->d_name, 0);
    if (files)
        closedir(files);
}

void video_close(struct video *video) {
    video_abandon(video);
    free(video->frame);
    free(video->target);
    *video = (struct video){0};
}
