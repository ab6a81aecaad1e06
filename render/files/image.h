/* Picture files: PPM (P6, 8 bits), PNG, JPEG and WebP, with a scene in their comments. */
#ifndef FATHOM_RENDER_FILES_IMAGE_H
#define FATHOM_RENDER_FILES_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum image_format { IMAGE_PPM, IMAGE_PNG, IMAGE_JPEG, IMAGE_WEBP, IMAGE_FORMATS };

#define IMAGE_QUALITY 90 /* of JPEG and WebP, unless it is told */

extern const char
    *const image_format_names[]; /* "ppm", "png", "jpg", "webp", NULL; what names end in */

/* By a file name's ending, in any case: PNG for ".png", JPEG for ".jpg" and ".jpeg", WebP for ".webp", else PPM. */
enum image_format image_format_of(const char *path);
/* Whether a name ends like those of pictures that are none of these, which would mislead: ".gif" and its
 * kind. */
bool image_format_unknown(const char *path);
/* Why this build cannot write that format; NULL: it can. */
const char *image_format_missing(enum image_format format);

/* A library's version when fathom was compiled, and as it runs now. */
struct image_versions {
    char compiled[48], linked[48];
};
/* The name of the library that a format is read and written by. NULL: none, or it was left out of this build. */
const char *image_library(enum image_format format, struct image_versions *versions);

/* --- writing: atomically (atomic_file.h); `comment` is text in UTF-8 or NULL --- */

/* A picture that is written from the top down, in as many calls as its maker likes. One thread at a
 * time. */
struct image_writer;

/* Sides are 1 .. FRAME_SIZE_MAX; JPEG has 65500 at most, WebP 16383, and WebP keeps all pixels in memory until commit. With `exclusive`, commit never replaces a file that is there.
 * NULL: logged why. */
struct image_writer *image_writer_open(const char *path, enum image_format format, int width_px,
                                       int height_px, const char *comment, bool exclusive);
/* Before the first row: 1 to 100, how near JPEG and WebP are to the pixels; at 100 WebP has them exactly. Others always
 * do. */
void image_writer_set_quality(struct image_writer *writer, int quality);
/* The next rows of width_px pixels; alpha is left out. False: logged why (a full disk...); then the
 * writer can only be abandoned. */
bool image_writer_rows(struct image_writer *writer, const uint32_t *rgba, int rows);
/* After the last row, as atomic_file_commit. Frees in any case. */
bool image_writer_commit(struct image_writer *writer, bool *existed);
/* Frees; no file is left, an older one is whole. NULL is allowed. */
void image_writer_abandon(struct image_writer *writer);

/* All of it at once. False: logged why, an older file is still whole. */
bool image_write(const char *path, enum image_format format, const uint32_t *rgba, int width_px,
                 int height_px, const char *comment);
/* The same, never over a file that is there. *existed tells whether it failed because of one; that
 * is not logged. NULL: as image_write. `quality` as image_writer_set_quality. */
bool image_write_exclusive(const char *path, enum image_format format, int quality,
                           const uint32_t *rgba, int width_px, int height_px, const char *comment,
                           bool *existed);

/* --- reading; the format is told by the content --- */

struct image {
    int width_px, height_px; /* 1 .. FRAME_SIZE_MAX */
    uint32_t *rgba;          /* rows top down, R in the lowest byte; NULL: it is deep */
    uint64_t *deep;          /* of 16 bits a channel, R lowest; NULL: it is not */
};

/* P6 with maxval 255, any PNG, JPEG but for CMYK, WebP that does not move; where there is no alpha it is opaque. Memory is asked for only
 * after the header was checked against the file's size. False: logged why; *image is zeroed. */
bool image_read(const char *path, struct image *image);
void image_finish(struct image *image);

/* Pixels of row y: those from column x on, every step-th, `count` of them, in one of the two forms of struct image. */
struct image_part {
    int y, x, step, count;
    const uint32_t *rgba;
    const uint64_t *deep;
};

/* Takes a picture's pixels as they are read, so that nobody needs memory for all of them: the rows one after the other,
 * but those of an interlaced PNG in parts, whose order is its own. */
struct image_taker {
    /* The size, before any pixel. False: logged why it ends here. */
    bool (*begin)(void *user, int width_px, int height_px, bool deep);
    void (*take)(void *user, const struct image_part *part);
    void *user;
};

/* As image_read. It needs memory for a row, 512 KiB at most, but for WebP and progressive JPEG
 * that for the whole picture. False: logged, but where image_watch stopped it. */
bool image_take(const char *path, const struct image_taker *taker);

/* Asked at least at every row that a thread reads, with how many of how many pixels were read; false stops it. */
struct image_watch {
    bool (*go_on)(void *user, uint64_t done, uint64_t pixels);
    void *user;
};

/* Sets whom this thread asks from now on; NULL: nobody. The one who was asked before is returned. An interrupt
 * (interrupt.h) stops every reading, too, which is logged. */
const struct image_watch *image_watch_by(const struct image_watch *watch);
/* Whether the last reading of this thread was stopped. */
bool image_stopped(void);

#define IMAGE_START_SIZE 12 /* bytes that tell a format */

/* Whether data that begins so is meant to be a picture of one of the formats. */
bool image_begins(const char *data, size_t length);
/* The comment of a picture whose file is open, wherever it stands; `path` is for messages. Of a
 * PPM: the comments with "# " removed, each at its own line, all other lines of the header empty,
 * so that line numbers in messages are the file's. Of a PNG: the text chunk "fathom", else
 * "Comment", which other programs use, of those before the pixels, else of those behind. Of a JPEG: the remarks (COM) that have a view, else the first one. Of a
 * WebP: the element "view" of its XMP. "" if there is none. The caller frees it. NULL: the header is broken or the text is not one, logged. */
char *image_comment(FILE *file, const char *path);

#endif
