/* Film: chooses between videos, pictures and Y4M by the file's name. */
#define _GNU_SOURCE
#include "app/movie/film/film.h"
#include "app/movie/film/pictures.h"
#include "app/movie/film/video.h"
#include "app/movie/film/y4m.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/frame.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PICTURES_OF_SEGMENT 8

enum kind { KIND_VIDEO, KIND_PICTURES, KIND_Y4M };

struct film {
    struct film_options options; /* owns its texts */
    enum kind kind;
    struct video video;
    struct pictures pictures;
    struct ycbcr format; /* of Y4M */
    struct y4m y4m;
    unsigned char *planes; /* a frame of Y4M */
    bool active;           /* a segment is being written */
    uint32_t first;        /* its first frame */
    uint32_t taken, count; /* its frames: so far, with pictures that were there, and in all */
    bool has[PICTURES_OF_SEGMENT]; /* its frames whose pictures were there */
};

/* --- opening --- */

/* Finds the kind of a film from its name. Returns false if there is none; logged. */
static bool find_kind(struct film *film, const struct container **container) {
    const char *path = film->options.path;
    *container = container_of(path);
    film->kind = KIND_VIDEO;
    if (strcmp(path, "-") == 0)
        film->kind = KIND_Y4M;
    else if (pictures_are_named(path, *container))
        film->kind = KIND_PICTURES;
    else if (!*container)
        log_error("'%s': the name of a movie ends in .mp4, .mov, .mkv or .webm (videos), .gif or "
                  ".webp (loops), or is 'frame-%%i.png' (pictures, also .ppm, .jpg and .webp) or - "
                  "(Y4M on standard output)",
                  path);
    return film->kind != KIND_VIDEO || *container;
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
        return pictures_check(options);
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
    if (film->kind == KIND_PICTURES)
        return pictures_init(&film->pictures, o);
    film->format = (struct ycbcr){o->width_px, o->height_px, o->chroma, o->bits};
    film->y4m = y4m_open();
    return (film->planes = memory_alloc(ycbcr_size(&film->format), "a frame"));
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

/* Returns the number of frames of all segments but the last. */
static uint32_t segment_frames(const struct film *film) {
    const struct film_options *o = &film->options;
    return film->kind == KIND_PICTURES ? PICTURES_OF_SEGMENT
           : film->kind == KIND_Y4M    ? o->frames
                                       : o->segment_frames;
}

uint32_t film_segments(const struct film *film) {
    return (film->options.frames - 1) / segment_frames(film) + 1;
}

void film_segment(const struct film *film, uint32_t segment, uint32_t *first, uint32_t *count) {
    const uint32_t whole = segment_frames(film), frames = film->options.frames;
    *first = segment * whole;
    *count = frames - *first < whole ? frames - *first : whole;
}

bool film_deep(const struct film *film) {
    return film->options.bits > 8;
}

bool film_is_pictures(const struct film *film) {
    return film->kind == KIND_PICTURES;
}

bool film_has(const struct film *film, uint32_t segment) {
    uint32_t first, count;
    film_segment(film, segment, &first, &count);
    if (film->kind == KIND_VIDEO)
        return video_has(&film->video, first, count);
    bool has = film->kind == KIND_PICTURES;
    for (uint32_t i = 0; has && i < count; i++)
        has = pictures_have(&film->pictures, first + i);
    return has;
}

bool film_begin(struct film *film, uint32_t segment) {
    require(!film->active && segment < film_segments(film), false);
    film_segment(film, segment, &film->first, &film->count);
    film->taken = 0;
    film->active = film->kind == KIND_VIDEO ? video_begin(&film->video, film->first, film->count)
                   : film->kind == KIND_Y4M
                       ? y4m_header(&film->y4m, &film->format, film->options.fps)
                       : true;
    for (uint32_t i = 0; film->kind == KIND_PICTURES && i < film->count; i++)
        film->has[i] = pictures_have(&film->pictures, film->first + i);
    return film->active;
}

bool film_lacks(const struct film *film, uint32_t frame) {
    require(film->active && frame >= film->first && frame - film->first < film->count, false);
    return film->kind != KIND_PICTURES || !film->has[frame - film->first];
}

static bool write_y4m(struct film *film, const void *rgb) {
    ycbcr_convert(&film->format, rgb, film->planes);
    return y4m_frame(&film->y4m, &film->format, film->planes);
}

void film_abandon(struct film *film) {
    if (film->kind == KIND_VIDEO)
        video_abandon(&film->video);
    pictures_wait(&film->pictures);
    film->active = false;
}

/* Passes over frames whose pictures were there. */
static void skip(struct film *film) {
    while (film->taken < film->count && !film_lacks(film, film->first + film->taken))
        film->taken++;
}

bool film_frame(struct film *film, const void *rgb) {
    require(film->active, false);
    skip(film);
    require(film->taken < film->count, false);
    const uint32_t frame = film->first + film->taken++;
    const bool ok = film->kind == KIND_VIDEO ? video_frame(&film->video, rgb)
                    : film->kind == KIND_Y4M ? write_y4m(film, rgb)
                                             : pictures_frame(&film->pictures, frame, rgb);
    if (!ok)
        film_abandon(film);
    return ok;
}

bool film_end(struct film *film) {
    if (!film->active)
        return false;
    skip(film);
    require(film->taken == film->count, false);
    film->active = false;
    return film->kind == KIND_VIDEO      ? video_end(&film->video)
           : film->kind == KIND_PICTURES ? pictures_wait(&film->pictures)
                                         : true;
}

bool film_finish(struct film *film) {
    require(!film->active, false);
    return film->kind != KIND_VIDEO || video_finish(&film->video);
}

void film_close(struct film *film) {
    if (!film)
        return;
    film_abandon(film);
    video_close(&film->video);
    y4m_close(&film->y4m);
    pictures_finish(&film->pictures);
    free(film->planes);
    free((char *)film->options.path);
    free((char *)film->options.folder);
    free((char *)film->options.encoder);
    free((char *)film->options.text);
    free(film);
}
