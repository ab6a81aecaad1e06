/* Targets: the memory that backends draw into, host memory or pixel buffer objects, two of each, so
 * that one can still be in use while the next one is drawn, and a third while one is shown. The
 * context must be current. */
#ifndef FATHOM_APP_PICTURE_TARGETS_H
#define FATHOM_APP_PICTURE_TARGETS_H

#include "render/backend.h"
#include <GL/glew.h>

/* MAPPED: memory of the host that OpenGL copies from by itself, where it has such, else HOST. */
enum target_kind { TARGET_HOST, TARGET_BUFFER, TARGET_MAPPED };

struct targets {
    struct target_memory {
        uint32_t *host;
        GLuint mapped; /* the buffer that `host` is a view of; 0: it is malloc's */
        GLsync copied; /* from there, once this is reached; NULL: it is */
        GLuint buffer;
        size_t host_pixels, buffer_pixels; /* that there is room for */
    } memory[3];
    int at;     /* the one in use, */
    bool gl;    /* a buffer object */
    bool shows; /* one in host memory is shown: */
    int shown;
    GLuint retired;  /* a buffer that another one has replaced, until one more does */
    size_t refused;  /* there is no buffer of so many pixels; 0: none was refused yet */
    size_t unmapped; /* there is no mapped memory for so many; 0: there was so far */
};

void targets_finish(struct targets *targets);
/* Makes a target of at least `pixels`, of `room` if it has to be made, a BUFFER if OpenGL has memory for
 * it; the one before, or with `other` the one before that, is no longer needed. False: no memory, logged. */
bool targets_make(struct targets *targets, size_t pixels, size_t room, enum target_kind kind,
                  bool other, struct target *target);
/* Waits until OpenGL has copied what it was told to, as the target is to be written again. */
void targets_settle(struct targets *targets);
/* From now on, until another one is, nothing is drawn into the memory of this target; or of none. */
const uint32_t *targets_show(struct targets *targets, bool shows);

/* Binds the target as what pixels are unpacked from, to be undone with targets_unbind, and returns
 * where those of number `first` on lie. */
const void *targets_bind(const struct targets *targets, size_t first);
void targets_unbind(struct targets *targets);
/* Whether that is memory of OpenGL's, which it copies from by itself. */
bool targets_in_gl(const struct targets *targets);
/* The target's own pixels, in host memory. */
const uint32_t *targets_host(const struct targets *targets);
/* Copies its first pixels. */
void targets_copy(const struct targets *targets, size_t pixels, uint32_t *rgba);

#endif
