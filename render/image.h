/* Picture files: PPM (P6, 8 bits) with a scene in its comments. */
#ifndef FATHOM_RENDER_IMAGE_H
#define FATHOM_RENDER_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image {
    int width_px, height_px; /* 1 .. FRAME_SIZE_MAX */
    uint32_t *rgba;          /* rows top down; alpha is 255 */
};

void image_finish(struct image *image);
/* Writes atomically (atomic_file.h). `comment` may be NULL; each of its lines becomes a "# " line.
 * False: logged why, an older file is still whole. */
bool image_write_ppm(const char *path, const uint32_t *rgba, int width_px, int height_px,
                     const char *comment);
/* The same, never over a file that is there. *existed tells whether it failed because of one; that
 * is not logged. */
bool image_write_ppm_exclusive(const char *path, const uint32_t *rgba, int width_px, int height_px,
                               const char *comment, bool *existed);
/* Reads P6 with maxval 255. Memory is asked for only after the header was checked against the
 * file's size. False: logged why; *image is zeroed. */
bool image_read_ppm(const char *path, struct image *image);
/* The comments of a PPM, "# " removed, each at its own line, all other lines of the header empty, so
 * that line numbers in messages are the file's; the caller frees it. NULL when `data` does not begin
 * with a whole PPM header, or a comment has a NUL byte. */
char *image_ppm_comment(const char *data, size_t length);

#endif
