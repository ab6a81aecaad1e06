/* Codec of a picture format: the interface between image.c and the formats. */
#ifndef FATHOM_RENDER_FILES_IMAGE_CODEC_H
#define FATHOM_RENDER_FILES_IMAGE_CODEC_H

#include "render/files/image.h"

/* A picture that is being read: progress in pixels, and their total. */
struct image_reading {
    const char *path;
    const struct image_sink *sink;
    uint64_t done, pixels;
};

struct image_codec {
    int side_max; /* [pixels] largest side; 0: FRAME_SIZE_MAX */
    bool deep;    /* also writes 16 bits a channel */
    /* Reason why this build cannot write the format; NULL if it can. If set, only `begins`, `read`
     * and `comment` are set, too. */
    const char *missing;
    const char *library; /* library that reads and writes the format; NULL: none */
    /* Reports the library's versions as image_library does; NULL if there is no library. */
    void (*versions)(struct image_versions *versions);
    /* Sets the quality, 1 .. 100, before the first row; NULL for lossless formats. */
    void (*set_quality)(void *state, int quality);
    /* Writes the header and returns the state. Returns NULL on failure; errno has the reason. */
    void *(*begin)(FILE *stream, int width_px, int height_px, const char *comment, bool deep);
    /* Write the next rows, and the end of the file after the last row. Return false on failure;
     * errno has the reason. Then only destroy may follow, which accepts NULL. */
    bool (*rows)(void *state, const void *pixels, int rows);
    bool (*end)(void *state);
    /* Sets a text that follows the pixels, which lives until the end; NULL: the format has none. */
    void (*set_note)(void *state, const char *note);
    void (*destroy)(void *state);

    /* Returns true if data begins like a file of this format. */
    bool (*begins)(const char *data, size_t length);
    /* Read the picture as image_take, and the comment as image_comment. The file is at its
     * start. */
    bool (*read)(FILE *file, struct image_reading *reading);
    char *(*comment)(FILE *file, const char *path);
};

extern const struct image_codec image_ppm, image_png, image_jpeg, image_webp;

/* Functions for `read`: they pass on the size and the pixels, and check whether to continue. They
 * return false if reading must end now; the reason is logged, except if image_progress stops it. */
bool image_reading_begin(struct image_reading *reading, int width_px, int height_px, bool deep);
bool image_reading_take(struct image_reading *reading, const struct image_part *part);
bool image_reading_may_continue(const struct image_reading *reading);

#endif
