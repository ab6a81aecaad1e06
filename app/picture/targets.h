/* Targets: the memory that backends draw into, host memory or pixel buffer objects, two of each, so
 * that one can still be in use while the next one is drawn, and a third while one is shown. The
 * context must be current. */
#ifndef FATHOM_APP_PICTURE_TARGETS_H
#define FATHOM_APP_PICTURE_TARGETS_H

#include "render/backend.h"
#include <GL/glew.h>

struct targets {
    struct {
        uint32_t *host;
        GLuint buffer;
        size_t host_pixels, buffer_pixels; /* that there is room for */
    } memory[3];
    int at;     /* the one in use, */
    bool gl;    /* of this kind */
    bool shows; /* one in host memory is shown: */
    int shown;
    GLuint retired;
    size_t refused; /* there is no buffer of so many pixels; 0: none was refused yet */
};

void targets_finish(struct targets *targets);
/* Makes a target of at least `pixels`, of `room` if it has to be made, with `gl` a buffer if OpenGL
 * has memory for it; the one before, or with `other` the one before that, is no longer needed. False:
 * no memory, logged. */
bool targets_make(struct targets *targets, size_t pixels, size_t room, bool gl, bool other,
                  struct target *target);
/* From now on, until another one is, nothing is drawn into the memory of this target; or of none. */
const uint32_t *targets_show(struct targets *targets, bool shows);
/* The backend has taken it: the buffer that it replaces may go. */
void targets_taken(struct targets *targets);

/* Binds the target as what pixels are unpacked from, to be undone with targets_unbind, and returns
 * where those of number `first` on lie. */
const void *targets_bind(const struct targets *targets, size_t first);
void targets_unbind(void);
/* Copies its first pixels. */
void targets_copy(const struct targets *targets, size_t pixels, uint32_t *rgba);

#endif
