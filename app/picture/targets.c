/* Targets: allocates memory for backends to draw into, again when it is too small or far too
 * large. */
#include "app/picture/targets.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

#define FAR_TOO_LARGE 8 /* times the needed size; covering 2.5 screens each way takes 6.25 */
/* Flags of persistent mappings. */
#define MAPPED (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)

#define COPY_NS 1000000000 /* [ns] longest wait for a copy */

static void wait_for_copy(struct target_memory *memory) {
    if (!memory->copied)
        return;
    glClientWaitSync(memory->copied, GL_SYNC_FLUSH_COMMANDS_BIT, COPY_NS);
    glDeleteSync(memory->copied);
    memory->copied = NULL;
}

static void free_host(struct target_memory *memory) {
    wait_for_copy(memory);
    if (memory->mapped)
        glDeleteBuffers(1, &memory->mapped); /* unmaps it, too */
    else
        free(memory->host);
    memory->mapped = 0;
    memory->host = NULL;
    memory->host_pixels = 0;
}

void targets_finish(struct targets *targets) {
    for (int i = 0; i < 3; i++) {
        glDeleteBuffers(1, &targets->memory[i].buffer);
        free_host(&targets->memory[i]);
    }
    glDeleteBuffers(1, &targets->retired);
    *targets = (struct targets){0};
}

/* Returns true if memory for `has` pixels can be kept. Pictures in motion and ordinary ones
 * alternate, and new memory costs a device up to 30 ms. */
static bool serves(size_t has, size_t pixels, size_t room) {
    return pixels <= has && room >= has / FAR_TOO_LARGE;
}

/* Allocates persistently mapped memory that the processor reads fast. Returns false on failure. */
static bool map_host(struct target_memory *memory, size_t room) {
    const GLsizeiptr bytes = (GLsizeiptr)(room * sizeof *memory->host);
    glGetError(); /* clears an earlier error */
    glGenBuffers(1, &memory->mapped);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, memory->mapped);
    glBufferStorage(GL_PIXEL_UNPACK_BUFFER, bytes, NULL, MAPPED | GL_CLIENT_STORAGE_BIT);
    memory->host = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, bytes, MAPPED);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (glGetError() != GL_NO_ERROR || !memory->host)
        free_host(memory);
    return memory->host != NULL;
}

static bool make_host(struct targets *targets, size_t pixels, size_t room, bool mapped) {
    struct target_memory *memory = &targets->memory[targets->at];
    const bool map = mapped && GLEW_ARB_buffer_storage && GLEW_ARB_sync &&
                     (targets->unmapped == 0 || room < targets->unmapped);
    if (!memory->host || !serves(memory->host_pixels, pixels, room) || (map && !memory->mapped)) {
        free_host(memory);
        if (map && !map_host(memory, room)) {
            log_info("OpenGL maps no memory for a picture of %zu pixels", pixels);
            targets->unmapped = room;
        }
        if (!memory->host)
            memory->host = malloc(room * sizeof *memory->host);
        memory->host_pixels = memory->host ? room : 0;
    }
    wait_for_copy(memory);
    if (!memory->host)
        log_error("not enough memory for a picture of %zu pixels", pixels);
    return memory->host != NULL;
}

/* Creates a buffer object. Returns 0 if there is no memory; that is logged, and as much is not
 * requested again. */
static GLuint new_buffer(struct targets *targets, size_t pixels, size_t room) {
    GLuint buffer;
    if (targets->refused > 0 && room >= targets->refused)
        return 0;
    glGetError(); /* clears an earlier error */
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)(room * sizeof(uint32_t)), NULL,
                 GL_DYNAMIC_DRAW);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (glGetError() == GL_NO_ERROR)
        return buffer;
    glDeleteBuffers(1, &buffer);
    targets->refused = room;
    log_warn(
        "not enough graphics memory to draw %zu pixels in place; such pictures go via host memory",
        pixels);
    return 0;
}

/* Replaces the buffer if its size does not fit. The new buffer has a new name, because a device
 * may still have the old one registered; the old one is kept until the next replacement. */
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

/* Returns the first index that is neither in use nor displayed. */
static int other_one(const struct targets *targets) {
    int i = 0;
    while (i == targets->at || (targets->shows && i == targets->shown))
        i++;
    return i;
}

bool targets_make(struct targets *targets, size_t pixels, size_t room, enum target_kind kind,
                  bool other, struct target *target) {
    if (other || (targets->shows && targets->at == targets->shown))
        targets->at = other_one(targets);
    targets->gl = kind == TARGET_BUFFER && make_buffer(targets, pixels, room);
    if (!targets->gl && !make_host(targets, pixels, room, kind == TARGET_MAPPED))
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

bool targets_in_gl(const struct targets *targets) {
    return targets->gl || targets->memory[targets->at].mapped;
}

void targets_await(struct targets *targets) {
    wait_for_copy(&targets->memory[targets->at]);
}

const void *targets_bind(const struct targets *targets, size_t first) {
    const struct target_memory *memory = &targets->memory[targets->at];
    const GLuint buffer = targets->gl ? memory->buffer : memory->mapped;
    if (buffer == 0)
        return memory->host + first;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    return (const void *)(uintptr_t)(first * sizeof(uint32_t));
}

void targets_unbind(struct targets *targets) {
    struct target_memory *memory = &targets->memory[targets->at];
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (targets->gl || !memory->mapped)
        return;
    if (memory->copied)
        glDeleteSync(memory->copied);
    memory->copied = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

const uint32_t *targets_host(const struct targets *targets) {
    return targets->memory[targets->at].host;
}

void targets_copy(const struct targets *targets, size_t pixels, uint32_t *rgba) {
    const size_t bytes = pixels * sizeof *rgba;
    if (!targets->gl) {
        memcpy(rgba, targets_host(targets), bytes);
        return;
    }
    targets_bind(targets, 0);
    glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)bytes, rgba);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}
