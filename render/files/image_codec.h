/* What a picture format does; only for image.c and the formats. */
#ifndef FATHOM_RENDER_FILES_IMAGE_CODEC_H
#define FATHOM_RENDER_FILES_IMAGE_CODEC_H

#include "render/files/image.h"

struct image_codec {
    /* Writes the header. NULL: errno says why. */
    void *(*begin)(FILE *stream, int width_px, int height_px, const char *comment);
    /* The next rows, then what follows the last one. False: errno says why; nothing may follow but
     * destroy, which accepts NULL. */
    bool (*rows)(void *state, const uint32_t *rgba, int rows);
    bool (*end)(void *state);
    void (*destroy)(void *state);

    /* Whether data begins as such a file does. */
    bool (*begins)(const char *data, size_t length);
    /* From the file's start; as image_read and image_comment. */
    bool (*read)(FILE *file, const char *path, struct image *image);
    char *(*comment)(FILE *file, const char *path);
};

extern const struct image_codec image_ppm, image_png;

/* Sets the size and asks for the pixels' memory, of 16 bits a channel if it is deep. False: logged,
 * nothing is set. */
bool image_alloc(struct image *image, int width_px, int height_px, bool deep);

#endif
