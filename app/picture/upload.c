/* Uploads: copies pixels into textures. Filled pixels pass through a buffer object; all others
 * are copied from where they were drawn. */
#include "app/picture/upload.h"
#include "app/picture/lattice_fill.h"

void upload_finish(struct upload *upload) {
    glDeleteBuffers(1, &upload->buffer);
    *upload = (struct upload){0};
}

void upload_rect(struct gl_texture *texture, struct rect r, int row_px, const void *from) {
    texture->levels = false;
    glBindTexture(GL_TEXTURE_2D, texture->name);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, row_px);
    glTexSubImage2D(GL_TEXTURE_2D, 0, r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0, GL_RGBA,
                    GL_UNSIGNED_BYTE, from);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static uint32_t *map(struct upload *upload, size_t bytes) {
    if (!upload->buffer)
        glGenBuffers(1, &upload->buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, upload->buffer);
    if (bytes > upload->bytes) {
        glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
        upload->bytes = bytes;
    }
    return glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)bytes,
                            GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
}

void upload_filled(struct upload *upload, struct gl_texture *texture, struct rect r,
                   const uint32_t *from, int first_stride) {
    const size_t pixels = (size_t)(r.x1 - r.x0) * (size_t)(r.y1 - r.y0);
    uint32_t *to = map(upload, pixels * sizeof *to);
    if (to)
        lattice_fill_run(from, texture->width_px, r, first_stride, to);
    if (to && glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER))
        upload_rect(texture, r, r.x1 - r.x0, NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}
