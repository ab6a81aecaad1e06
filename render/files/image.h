/* Picture files: PPM (P6, 8 bits), PNG, JPEG and WebP, with a scene in their comments. */
#ifndef FATHOM_RENDER_FILES_IMAGE_H
#define FATHOM_RENDER_FILES_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum image_format { IMAGE_PPM, IMAGE_PNG, IMAGE_JPEG, IMAGE_WEBP, IMAGE_FORMATS };

#define IMAGE_QUALITY 90 /* default quality of JPEG and WebP */

extern const char
    *const image_format_names[]; /* "ppm", "png", "jpg", "webp", NULL; also the endings of names */

/* Returns the format of a file name's ending, in any case: PNG for ".png", JPEG for ".jpg" and
 * ".jpeg", WebP for ".webp", otherwise PPM. */
enum image_format image_format_of(const char *path);
/* Returns true if a name has another format's ending (".gif" and others), and would mislead. */
bool image_format_unknown(const char *path);
/* Returns why this build cannot write a format, or NULL if it can. */
const char *image_format_missing(enum image_format format);

/* Versions of a library: the one that fathom was compiled against, and the one in use. */
struct image_versions {
    char compiled[48], linked[48];
};
/* Returns the name of the library for a format, or NULL if there is none or this build lacks it. */
const char *image_library(enum image_format format, struct image_versions *versions);

/* --- writing: atomic (atomic_file.h); `comment` is text in UTF-8 or NULL --- */

/* Writer of a picture: receives rows from the top down, in any number of calls. Not thread-safe. */
struct image_writer;

/* Opens a writer. Sides are 1 .. FRAME_SIZE_MAX, at most 65500 for JPEG and 16383 for WebP. WebP
 * keeps all pixels in memory until commit. IMAGE_EXCLUSIVE: commit never replaces an existing file.
 * IMAGE_DEEP, PNG only: 16 bits a channel. Returns NULL on failure; the reason is logged. */
enum image_flags { IMAGE_EXCLUSIVE = 1, IMAGE_DEEP = 2 };
struct image_writer *image_writer_open(const char *path, enum image_format format, int width_px,
                                       int height_px, const char *comment, unsigned flags);
/* Sets the quality of JPEG and WebP, 1 .. 100, before the first row. WebP is lossless at 100. */
void image_writer_set_quality(struct image_writer *writer, int quality);
/* Writes the next rows, without alpha: uint32_t or, if deep, uint64_t. Returns false, logged. */
bool image_writer_rows(struct image_writer *writer, const void *pixels, int rows);
/* Sets the text "Verified" behind the pixels of a PNG, in ASCII; it lives until the commit. */
void image_writer_set_note(struct image_writer *writer, const char *note);
/* Completes the file after the last row, as atomic_file_commit. Frees the writer in any case. */
bool image_writer_commit(struct image_writer *writer, bool *existed);
/* Frees the writer and leaves no new file, as is necessary after a failure. NULL is allowed. */
void image_writer_abandon(struct image_writer *writer);

/* Writes a whole picture. On failure, returns false and logs why; an older file is unchanged. */
bool image_write(const char *path, enum image_format format, const uint32_t *rgba, int width_px,
                 int height_px, const char *comment);
/* Does as image_write, but never replaces a file: then sets *existed, returns false and logs
 * nothing. If `existed` is NULL, replaces it. `quality`: see image_writer_set_quality. */
bool image_write_exclusive(const char *path, enum image_format format, int quality,
                           const uint32_t *rgba, int width_px, int height_px, const char *comment,
                           bool *existed);

/* --- reading; the content determines the format --- */

struct image {
    int width_px, height_px; /* 1 .. FRAME_SIZE_MAX */
    uint32_t *rgba;          /* rows top down, R in the lowest byte; NULL if `deep` is set */
    uint64_t *deep;          /* 16 bits for each channel, R lowest; NULL if `rgba` is set */
};

/* Reads P6 with maxval 255, any PNG, JPEG except CMYK, and WebP without animation. Pixels without
 * alpha become opaque. Checks the header against the file's size before it allocates memory.
 * Returns false on failure, which is logged; *image is zeroed. */
bool image_read(const char *path, struct image *image);
void image_finish(struct image *image);

/* Pixels of row y: every step-th from column x on, in one of the two forms of struct image. */
struct image_part {
    int y, x, step, count;
    const uint32_t *rgba;
    const uint64_t *deep;
};

/* Consumer of pixels while they are read, so that no memory is needed for the whole picture. Rows
 * arrive in order; the rows of an interlaced PNG arrive in parts, in their own order. */
struct image_sink {
    /* Receives the size, before any pixel. Returns false to stop; the consumer has logged why. */
    bool (*begin)(void *user, int width_px, int height_px, bool deep);
    void (*take)(void *user, const struct image_part *part);
    void *user;
};

/* Reads a picture as image_read, and passes its pixels on. Needs memory for one row, at most 512
 * KiB; for WebP and progressive JPEG, memory for the whole picture. Returns false on failure, which
 * is logged unless image_progress stopped the reading. */
bool image_take(const char *path, const struct image_sink *sink);

/* Callback for each row: gets the number of pixels read and in all, and returns false to stop. */
struct image_progress {
    bool (*go_on)(void *user, uint64_t done, uint64_t pixels);
    void *user;
};

/* Sets this thread's callback (NULL: none); returns the previous. Interrupts stop reading, too. */
const struct image_progress *image_set_progress(const struct image_progress *progress);
/* Returns true if the last reading of this thread was stopped. */
bool image_stopped(void);

#define IMAGE_START_SIZE 12 /* bytes that are enough to recognise a format */

/* Returns true if `data` begins like a picture in one of the formats. */
bool image_begins(const char *data, size_t length);
/* Returns the comment of a picture in an open file, at any position; "" if there is none. The
 * caller frees it. Returns NULL if the header or the text is broken, which is logged with `path`.
 * PPM: all comments without "# ", and an empty line for each other line of the header, so that line
 * numbers in messages are the file's. PNG: the text chunk "fathom", else "Comment", which other
 * programs use; chunks before the pixels come first. JPEG: the remarks (COM) that contain a view,
 * else the first remark. WebP: the element "view" of its XMP. */
char *image_comment(FILE *file, const char *path);

#endif
