/* OpenGL's buffers that stay known to a device for the pictures after this one. */
#ifndef FATHOM_GPU_GL_GL_BUFFERS_H
#define FATHOM_GPU_GL_GL_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pictures in motion take turns with two. */
struct gl_buffers {
    void (*forget)(void *user, void *resource);
    void *user;
    struct gl_buffer {
        void *resource; /* the device's for it; NULL: none */
        uint32_t name;
        size_t bytes;
    } known[2]; /* the one in use first */
};

/* Brings the buffer to the first place; in the second stays the one before it. False: it is not known with so many bytes,
 * and its resource has to be put there. */
bool gl_buffers_use(struct gl_buffers *buffers, uint32_t name, size_t bytes);
void gl_buffers_forget(struct gl_buffers *buffers, int i);

#endif
