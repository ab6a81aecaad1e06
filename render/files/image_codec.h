/* What a picture format does; only for image.c and the formats. */
#ifndef FATHOM_RENDER_FILES_IMAGE_CODEC_H
#define FATHOM_RENDER_FILES_IMAGE_CODEC_H

#include "render/files/image.h"

/* A picture that is being read. */
struct image_reading {
    const char *path;
    const struct image_taker *taker;
    uint64_t done, pixels;
};

struct image_codec {
    int side_max; /* pixels of a side; 0: FRAME_SIZE_MAX */
    const char *
        missing; /* why this build cannot write it; NULL: it can, else there is only what reading needs */
    const char *library; /* that reads and writes it; NULL: ours */
    /* As image_library; NULL where there is no such library. */
    void (*versions)(struct image_versions *versions);
    /* Before the first row, 1 to 100; NULL: it is lossless. */
    void (*set_quality)(void *state, int quality);
    /* Writes the header. NULL: errno says why. */
    void *(*begin)(FILE *stream, int width_px, int height_px, const char *comment);
    /* The next rows, then what follows the last one. False: errno says why; nothing may follow but
     * destroy, which accepts NULL. */
    bool (*rows)(void *state, const uint32_t *rgba, int rows);
    bool (*end)(void *state);
    void (*destroy)(void *state);

    /* Whether data begins as such a file does. */
    bool (*begins)(const char *data, size_t length);
    /* From the file's start; as image_take and image_comment. */
    bool (*read)(FILE *file, struct image_reading *reading);
    char *(*comment)(FILE *file, const char *path);
};

extern const struct image_codec image_ppm, image_png, image_jpeg, image_webp;

/* For their `read`: tells the size, hands pixels over, asks whether to go on. False: it is to end now, and has been
 * logged. */
bool image_reading_begin(struct image_reading *reading, int width_px, int height_px, bool deep);
bool image_reading_take(struct image_reading *reading, const struct image_part *part);
bool image_reading_goes_on(const struct image_reading *reading);

#endif
