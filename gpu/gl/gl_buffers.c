/* Keeps two buffers, the last one first. */
#include "gpu/gl/gl_buffers.h"

void gl_buffers_forget(struct gl_buffers *buffers, int i) {
    if (buffers->known[i].resource)
        buffers->forget(buffers->user, buffers->known[i].resource);
    buffers->known[i] = (struct gl_buffer){0};
}

static bool serves(const struct gl_buffer *known, uint32_t name, size_t bytes) {
    return known->resource && known->name == name && known->bytes >= bytes;
}

bool gl_buffers_use(struct gl_buffers *buffers, uint32_t name, size_t bytes) {
    struct gl_buffer *first = &buffers->known[0], *second = &buffers->known[1];
    if (serves(first, name, bytes))
        return true;
    if (first->resource && first->name != name) {
        const struct gl_buffer last = *first;
        *first = *second;
        *second = last;
    }
    if (serves(first, name, bytes))
        return true;
    gl_buffers_forget(buffers, 0);
    if (second->name == name) /* made anew under its name */
        gl_buffers_forget(buffers, 1);
    return false;
}
