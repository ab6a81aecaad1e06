/* Uploads: from memory, or from the pixel buffer object that is bound, into a part of a texture. The
 * context must be current. */
#ifndef FATHOM_APP_PICTURE_UPLOAD_H
#define FATHOM_APP_PICTURE_UPLOAD_H

#include "app/picture/gl.h"
#include "render/backend.h"
#include <stdint.h>

/* What pixels pass through that are changed on their way. Zero-initialised. */
struct upload {
    GLuint buffer;
    size_t bytes;
};

void upload_finish(struct upload *upload);
/* `from`: memory, or what lies so far into that buffer; its rows are `row_px` apart. */
void upload_rect(struct gl_texture *texture, struct rect r, int row_px, const void *from);
/* Pixels in memory that is laid out as the texture, with the gaps between those of a first pass
 * filled (lattice_fill.h). Unbinds what is unpacked from. */
void upload_filled(struct upload *upload, struct gl_texture *texture, struct rect r,
                   const uint32_t *from, int first_stride);

#endif
