/* The OpenGL context that a backend's devices may share buffers with. */
#ifndef FATHOM_GPU_GL_GL_CONTEXT_H
#define FATHOM_GPU_GL_GL_CONTEXT_H

#include <stdbool.h>

struct gl_context {
    void *context, *display; /* NULL: none */
    bool egl;                /* EGL's; else GLX's */
};

/* The calling thread's current one. */
struct gl_context gl_context_current(void);
/* A function of OpenGL's, of such a context; NULL: it has none of that name. */
void *gl_context_function(const struct gl_context *gl, const char *name);

#endif
