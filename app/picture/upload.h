/* Uploads: copy pixels into a part of a texture, from memory or from the bound pixel buffer
 * object. The OpenGL context must be current. */
#ifndef FATHOM_APP_PICTURE_UPLOAD_H
#define FATHOM_APP_PICTURE_UPLOAD_H

#include "app/picture/gl.h"
#include "render/backend.h"
#include <stdint.h>

/* Scratch buffer for pixels that are modified during the upload. Zero-initialised. */
struct upload {
    GLuint buffer;
    size_t bytes;
};

void upload_finish(struct upload *upload);
/* Copies pixels into `r`. `from` is an address, or an offset in the bound buffer; its rows are
 * `row_px` pixels apart. */
void upload_rect(struct gl_texture *texture, struct rect r, int row_px, const void *from);
/* Copies the part `r` of a picture of the texture's size, with the gaps of a first pass filled
 * (lattice_fill.h). Unbinds the pixel unpack buffer. */
void upload_filled(struct upload *upload, struct gl_texture *texture, struct rect r,
                   const uint32_t *from, int first_stride);

#endif
