/* Targets: own the memory into which backends draw, host memory or pixel buffer objects. Two of
 * each kind let a picture be drawn while the previous one is in use; a third is needed while one is
 * shown. The OpenGL context must be current. */
#ifndef FATHOM_APP_PICTURE_TARGETS_H
#define FATHOM_APP_PICTURE_TARGETS_H

#include "render/backend.h"
#include <GL/glew.h>

/* Kind of memory. MAPPED: host memory that OpenGL copies from without the processor; HOST if
 * there is no such memory. */
enum target_kind { TARGET_HOST, TARGET_BUFFER, TARGET_MAPPED };

struct targets {
    struct target_memory {
        uint32_t *host;
        GLuint mapped; /* buffer object that `host` maps; 0: `host` comes from malloc */
        GLsync copied; /* signalled when OpenGL has copied from `host`; NULL: it has */
        GLuint buffer;
        size_t host_pixels, buffer_pixels; /* allocated sizes [pixels] */
    } memory[3];
    int at;     /* index of the memory in use */
    bool gl;    /* the target in use is a buffer object */
    bool shows; /* memory[shown].host is displayed and must not be reused */
    int shown;
    GLuint retired;  /* the buffer replaced last; deleted when another is replaced */
    size_t refused;  /* smallest buffer size that OpenGL refused [pixels]; 0: none */
    size_t unmapped; /* smallest mapped size that OpenGL refused [pixels]; 0: none */
};

void targets_finish(struct targets *targets);
/* Provides a target of at least `pixels`; new memory is made for `room` pixels. A BUFFER becomes
 * host memory if OpenGL has no memory for it. The previous target (with `other`: the target
 * before that) is reused. Returns false if there is no memory; that is logged. */
bool targets_make(struct targets *targets, size_t pixels, size_t room, enum target_kind kind,
                  bool other, struct target *target);
/* Waits until OpenGL has finished copying from the target, which may then be written again. */
void targets_await(struct targets *targets);
/* Protects the current target's host memory while it is displayed: targets_make does not reuse
 * it until the next call. Returns that memory, or NULL if `shows` is false or the target is a
 * buffer. */
const uint32_t *targets_show(struct targets *targets, bool shows);

/* Binds the target as the source of texture uploads; targets_unbind undoes that. Returns the
 * address or buffer offset of pixel number `first`. */
const void *targets_bind(const struct targets *targets, size_t first);
void targets_unbind(struct targets *targets);
/* Returns true if the target is OpenGL's memory, from which it copies without the processor. */
bool targets_in_gl(const struct targets *targets);
/* Returns the target's pixels in host memory. */
const uint32_t *targets_host(const struct targets *targets);
/* Copies the first `pixels` pixels of the target to `rgba`. */
void targets_copy(const struct targets *targets, size_t pixels, uint32_t *rgba);

#endif
