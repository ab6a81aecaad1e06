/* Film: chooses between videos, pictures and Y4M by the file's name, and writes pictures. */
#define _GNU_SOURCE
#include "app/movie/film/film.h"
#include "app/movie/film/video.h"
#include "app/movie/film/y4m.h"
#include "render/base/atomic_file.h"
#include "render/base/interrupt.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/files/image.h"
#include "render/frame.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum kind { KIND_VIDEO, KIND_PICTURES, KIND_Y4M };

struct film {
    struct film_options options; /* owns its texts */
    enum kind kind;
    struct video video;
    struct ycbcr format; /* of Y4M */
    struct y4m y4m;
    unsigned char *planes;        /* a frame of Y4M */
    struct image_writer *picture; /* the picture that is being written; NULL: none */
    void *row;                    /* a row of pictures: pixels of image_writer_rows */
    bool active;                  /* a segment is being written */
    uint32_t taken, count;        /* frames of that segment: so far, and in all */
};

/* --- names of pictures --- */

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
static char *picture_path(const struct film *film, uint32_t frame) {
    char *path = NULL;
    size_t size;
    int digits = 1;
    for (uint32_t most = film->options.frames; most >= 10; most /= 10)
        digits++;
    FILE *file = open_memstream(&path, &size);
    for (const char *p = film->options.path; file && *p; p++) {
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

/* --- opening --- */

static bool ends_as_picture(const char *path) {
    const char *ending = strrchr(path, '.');
    return image_format_of(path) != IMAGE_PPM || (ending && strcasecmp(ending, ".ppm") == 0);
}

/* Finds the kind of a film from its name. Returns false if there is none; logged. */
static bool find_kind(struct film *film, const struct container **container) {
    const char *path = film->options.path;
    bool numbered;
    const char *unknown = unknown_placeholder(path, &numbered);
    *container = container_of(path);
    film->kind = KIND_VIDEO;
    if (strcmp(path, "-") == 0)
        film->kind = KIND_Y4M;
    else if (ends_as_picture(path) && (numbered || unknown || !*container))
        film->kind = KIND_PICTURES;
    else if (!*container)
        log_error("'%s': the name of a movie ends in .mp4, .mov, .mkv or .webm (videos), .gif or "
                  ".webp (loops), or is 'frame-%%i.png' (pictures, also .ppm, .jpg and .webp) or - "
                  "(Y4M on standard output)",
                  path);
    if (film->kind != KIND_PICTURES)
        return film->kind == KIND_Y4M || *container;
    if (unknown)
        log_error("'%s': %%i is the number of the frame, %%%% a percent sign; there is no '%.2s'",
                  path, unknown);
    else if (!numbered)
        log_error("'%s' is one file for %u frames: put %%i, the number of the frame, into it", path,
                  film->options.frames);
    return !unknown && numbered;
}

/* Checks the size for 4:2:0, and for 4:2:2, which ProRes stores instead. */
static bool check_size(const struct film_options *options, const struct container *container) {
    const int width_px = options->width_px, height_px = options->height_px;
    if (options->chroma == 444 || (container && container->loop) ||
        (width_px % 2 == 0 && height_px % 2 == 0))
        return true;
    log_error("4:2:0 stores squares of four pixels, but the size is %dx%d: choose %dx%d, or 4:4:4",
              width_px, height_px, width_px + width_px % 2, height_px + height_px % 2);
    return false;
}

/* Checks the format of pictures, and that the first one can be written. */
static bool check_pictures(const struct film *film) {
    const enum image_format format = image_format_of(film->options.path);
    const char *missing = image_format_missing(format);
    const int bits = film->options.bits;
    if (!missing && bits != 8 && (bits != 16 || format != IMAGE_PNG))
        missing = "numbered pictures have 8 bits, and those in PNG 8 or 16";
    if (missing) {
        log_error("cannot write '%s': %s", film->options.path, missing);
        return false;
    }
    char *first = picture_path(film, 0);
    const bool ok = first && atomic_file_possible(first);
    free(first);
    return ok;
}

static bool check_y4m(void) {
    if (isatty(STDOUT_FILENO))
        log_error("standard output is a terminal: pass Y4M on to a program or into a file");
    return !isatty(STDOUT_FILENO);
}

/* Finds the kind of a film and completes its options. Returns false, logged, if it is
 * impossible. */
static bool check(struct film *film, const struct container **container) {
    struct film_options *options = &film->options;
    if (!find_kind(film, container))
        return false;
    if (film->kind == KIND_PICTURES)
        return check_pictures(film);
    if (options->bits == 16) {
        log_error("a video has 8 or 10 bits; numbered PNG pictures have 16");
        return false;
    }
    if (!check_size(options, *container))
        return false;
    if (film->kind == KIND_Y4M)
        return check_y4m();
    if ((*container)->loop)
        options->segment_frames = options->frames;
    options->bits = encoder_bits(options, *container);
    return encoder_check(options, *container) && atomic_file_possible(options->path);
}

bool film_possible(const struct film_options *options) {
    struct film film = {.options = *options};
    const struct container *container;
    return check(&film, &container);
}

static bool open_kind(struct film *film) {
    const struct film_options *o = &film->options;
    const struct container *container;
    if (!check(film, &container))
        return false;
    if (film->kind == KIND_VIDEO)
        return video_open(&film->video, o, container);
    film->format = (struct ycbcr){o->width_px, o->height_px, o->chroma, o->bits};
    if (film->kind == KIND_Y4M) {
        film->y4m = y4m_open();
        return (film->planes = memory_alloc(ycbcr_size(&film->format), "a frame"));
    }
    return (film->row = memory_alloc((uint64_t)o->width_px * sizeof(uint64_t), "a row"));
}

/* Replaces a text by a copy. Returns false without memory. */
static bool keep(const char **text) {
    return !*text || (*text = strdup(*text));
}

struct film *film_open(const struct film_options *options) {
    require(options->path && options->width_px > 0 && options->width_px <= FRAME_SIZE_MAX &&
                options->height_px > 0 && options->height_px <= FRAME_SIZE_MAX &&
                options->fps > 0 && options->frames > 0 && options->segment_frames > 0,
            NULL);
    require((options->chroma == 420 || options->chroma == 444) &&
                (options->bits == 8 || options->bits == 10 || options->bits == 16) &&
                options->codec < FILM_CODECS,
            NULL);
    struct film *film = calloc(1, sizeof *film);
    bool kept = film;
    if (film) {
        film->options = *options;
        const char **texts[] = {&film->options.path, &film->options.folder, &film->options.encoder,
                                &film->options.text};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            kept = keep(texts[i]) && kept;
    }
    if (!kept)
        log_error("not enough memory for the movie");
    if (kept && open_kind(film))
        return film;
    film_close(film);
    return NULL;
}

/* --- segments --- */

uint32_t film_segments(const struct film *film) {
    const struct film_options *o = &film->options;
    return film->kind == KIND_PICTURES ? o->frames
           : film->kind == KIND_Y4M    ? 1
                                       : (o->frames - 1) / o->segment_frames + 1;
}

void film_segment(const struct film *film, uint32_t segment, uint32_t *first, uint32_t *count) {
    const struct film_options *o = &film->options;
    const uint32_t whole = film->kind == KIND_PICTURES ? 1
                           : film->kind == KIND_Y4M    ? o->frames
                                                       : o->segment_frames;
    *first = segment * whole;
    *count = o->frames - *first < whole ? o->frames - *first : whole;
}

bool film_deep(const struct film *film) {
    return film->options.bits > 8;
}

bool film_is_pictures(const struct film *film) {
    return film->kind == KIND_PICTURES;
}

struct noted {
    int width_px, height_px;
    bool deep;
};

/* Notes the format of a picture, and reads no pixels. */
static bool note_format(void *user, int width_px, int height_px, bool deep) {
    *(struct noted *)user = (struct noted){width_px, height_px, deep};
    return false;
}

static bool has_format(const struct film *film, const char *path) {
    struct noted seen = {0};
    const struct image_sink sink = {.begin = note_format, .user = &seen};
    image_take(path, &sink);
    return seen.width_px == film->options.width_px && seen.height_px == film->options.height_px &&
           seen.deep == film_deep(film);
}

/* Returns true for a comment that is the text, except for newlines around it, as PPM adds them. */
static bool is_text(const char *comment, const char *text) {
    const size_t length = strlen(text);
    comment += strspn(comment, "\n");
    return strncmp(comment, text, length) == 0 &&
           comment[length + strspn(comment + length, "\n")] == '\0';
}

/* Returns true if a picture is a frame of this film. */
static bool has_picture(const struct film *film, const char *path) {
    char reason[8];
    if (access(path, F_OK) != 0)
        return false;
    const struct log_listener before = log_listen_instead_of_warnings(reason, sizeof reason);
    FILE *file = film->options.text ? file_open(path) : NULL;
    char *text = file ? image_comment(file, path) : NULL;
    const bool same = !film->options.text || (text && is_text(text, film->options.text));
    const bool has = same && has_format(film, path);
    log_listen_restore(before);
    free(text);
    if (file)
        fclose(file);
    return has;
}

bool film_has(const struct film *film, uint32_t segment) {
    uint32_t first, count;
    film_segment(film, segment, &first, &count);
    if (film->kind == KIND_VIDEO)
        return video_has(&film->video, first, count);
    char *path = film->kind == KIND_PICTURES ? picture_path(film, first) : NULL;
    const bool has = path && has_picture(film, path);
    free(path);
    return has;
}

static bool begin_picture(struct film *film, uint32_t frame) {
    char *path = picture_path(film, frame);
    const struct film_options *o = &film->options;
    if (path)
        film->picture = image_writer_open(path, image_format_of(path), o->width_px, o->height_px,
                                          o->text, film_deep(film) ? IMAGE_DEEP : 0);
    if (film->picture)
        image_writer_set_quality(film->picture, o->quality > 0 ? o->quality : IMAGE_QUALITY);
    free(path);
    return film->picture;
}

bool film_begin(struct film *film, uint32_t segment) {
    require(!film->active && segment < film_segments(film), false);
    uint32_t first;
    film_segment(film, segment, &first, &film->count);
    film->taken = 0;
    film->active = film->kind == KIND_VIDEO ? video_begin(&film->video, first, film->count)
                   : film->kind == KIND_PICTURES
                       ? begin_picture(film, first)
                       : y4m_header(&film->y4m, &film->format, film->options.fps);
    return film->active;
}

/* Converts a row of R, G, B for the writer. */
static void fill_row(const struct film *film, const void *rgb, size_t at) {
    const uint8_t *bytes = rgb;
    const uint16_t *words = rgb;
    for (int x = 0; x < film->options.width_px; x++, at += 3)
        if (film_deep(film))
            ((uint64_t *)film->row)[x] = words[at] | (uint64_t)words[at + 1] << 16 |
                                         (uint64_t)words[at + 2] << 32 | (uint64_t)0xffff << 48;
        else
            ((uint32_t *)film->row)[x] = bytes[at] | (uint32_t)bytes[at + 1] << 8 |
                                         (uint32_t)bytes[at + 2] << 16 | 0xff000000u;
}

static bool write_picture(struct film *film, const void *rgb) {
    for (int y = 0; y < film->options.height_px; y++) {
        fill_row(film, rgb, 3 * (size_t)y * (size_t)film->options.width_px);
        if (interrupt_requested() || !image_writer_rows(film->picture, film->row, 1))
            return false;
    }
    return true;
}

static bool write_y4m(struct film *film, const void *rgb) {
    ycbcr_convert(&film->format, rgb, film->planes);
    return y4m_frame(&film->y4m, &film->format, film->planes);
}

/* Abandons the segment that is being written. */
static void abandon(struct film *film) {
    if (film->kind == KIND_VIDEO)
        video_abandon(&film->video);
    image_writer_abandon(film->picture);
    film->picture = NULL;
    film->active = false;
}

bool film_frame(struct film *film, const void *rgb) {
    require(film->active && film->taken < film->count, false);
    film->taken++;
    const bool ok = film->kind == KIND_VIDEO      ? video_frame(&film->video, rgb)
                    : film->kind == KIND_PICTURES ? write_picture(film, rgb)
                                                  : write_y4m(film, rgb);
    if (!ok)
        abandon(film);
    return ok;
}

bool film_end(struct film *film) {
    if (!film->active)
        return false;
    require(film->taken == film->count, false);
    bool ok = true;
    if (film->kind == KIND_VIDEO)
        ok = video_end(&film->video);
    else if (film->kind == KIND_PICTURES)
        ok = image_writer_commit(film->picture, NULL);
    film->picture = NULL;
    film->active = false;
    return ok;
}

bool film_finish(struct film *film) {
    require(!film->active, false);
    return film->kind != KIND_VIDEO || video_finish(&film->video);
}

void film_close(struct film *film) {
    if (!film)
        return;
    abandon(film);
    video_close(&film->video);
    y4m_close(&film->y4m);
    free(film->planes);
    free(film->row);
    free((char *)film->options.path);
    free((char *)film->options.folder);
    free((char *)film->options.encoder);
    free((char *)film->options.text);
    free(film);
}
