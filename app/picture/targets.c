/* Makes targets, and makes them anew when they become too small or far too large. */
#include "app/picture/targets.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

#define FAR_TOO_LARGE 8 /* times what is needed; covering 2.5 screens each way takes 6.25 */

void targets_finish(struct targets *targets) {
    for (int i = 0; i < 3; i++) {
        glDeleteBuffers(1, &targets->memory[i].buffer);
        free(targets->memory[i].host);
    }
    glDeleteBuffers(1, &targets->retired);
    *targets = (struct targets){0};
}

/* Pictures in motion and whole ones take turns, and new memory takes a device up to 30 ms. */
static bool serves(size_t has, size_t pixels, size_t room) {
    return pixels <= has && room >= has / FAR_TOO_LARGE;
}

static bool make_host(struct targets *targets, size_t pixels, size_t room) {
    uint32_t **host = &targets->memory[targets->at].host;
    size_t *has = &targets->memory[targets->at].host_pixels;
    if (!*host || !serves(*has, pixels, room)) {
        free(*host);
        *host = malloc(room * sizeof **host);
        *has = *host ? room : 0;
    }
    if (!*host)
        log_error("not enough memory for a picture of %zu pixels", pixels);
    return *host != NULL;
}

/* 0: there was no memory, and is not asked for as much again; logged. */
static GLuint new_buffer(struct targets *targets, size_t pixels, size_t room) {
    GLuint buffer;
    if (targets->refused > 0 && room >= targets->refused)
        return 0;
    glGetError(); /* an earlier one */
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)(room * sizeof(uint32_t)), NULL,
                 GL_DYNAMIC_DRAW);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (glGetError() == GL_NO_ERROR)
        return buffer;
    glDeleteBuffers(1, &buffer);
    targets->refused = room;
    log_warn("no graphics memory for a picture of %zu pixels to be drawn in; such ones go through "
             "host memory",
             pixels);
    return 0;
}

/* A new size gets a buffer with a new name, because a device may still know the old one. */
static bool make_buffer(struct targets *targets, size_t pixels, size_t room) {
    GLuint *buffer = &targets->memory[targets->at].buffer;
    size_t *has = &targets->memory[targets->at].buffer_pixels;
    if (*buffer && serves(*has, pixels, room))
        return true;
    const GLuint made = new_buffer(targets, pixels, room);
    if (!made)
        return false;
    glDeleteBuffers(1, &targets->retired);
    targets->retired = *buffer;
    *buffer = made;
    *has = room;
    return true;
}

/* The first that is not in use. */
static int other_one(const struct targets *targets) {
    int i = 0;
    while (i == targets->at || (targets->shows && i == targets->shown))
        i++;
    return i;
}

bool targets_make(struct targets *targets, size_t pixels, size_t room, bool gl, bool other,
                  struct target *target) {
    if (other || (targets->shows && targets->at == targets->shown))
        targets->at = other_one(targets);
    targets->gl = gl && make_buffer(targets, pixels, room);
    if (!targets->gl && !make_host(targets, pixels, room))
        return false;
    *target = targets->gl ? (struct target){.gl_buffer = targets->memory[targets->at].buffer}
                          : (struct target){.rgba = targets->memory[targets->at].host};
    return true;
}

const uint32_t *targets_show(struct targets *targets, bool shows) {
    targets->shows = shows && !targets->gl;
    targets->shown = targets->at;
    return targets->shows ? targets->memory[targets->at].host : NULL;
}

void targets_taken(struct targets *targets) {
    glDeleteBuffers(1, &targets->retired);
    targets->retired = 0;
}

const void *targets_bind(const struct targets *targets, size_t first) {
    if (!targets->gl)
        return targets->memory[targets->at].host + first;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, targets->memory[targets->at].buffer);
    return (const void *)(uintptr_t)(first * sizeof(uint32_t));
}

void targets_unbind(void) {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void targets_copy(const struct targets *targets, size_t pixels, uint32_t *rgba) {
    const size_t bytes = pixels * sizeof *rgba;
    const void *from = targets_bind(targets, 0);
    if (targets->gl)
        glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)bytes, rgba);
    else
        memcpy(rgba, from, bytes);
    targets_unbind();
}
