/* Asks the libraries of OpenGL that the process has loaded; none is linked. */
#include "gpu/gl/gl_context.h"
#include <dlfcn.h>
#include <stddef.h>

typedef void *(*current_function)(void);
typedef void *(*find_function)(const char *name);

/* A function of a library that is loaded already; NULL: there is none. */
static void *loaded(const char *file, const char *name) {
    void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    void *function = library ? dlsym(library, name) : NULL;
    if (library)
        dlclose(library); /* whoever has loaded it keeps it */
    return function;
}

static void *of_egl(const char *name) {
    return loaded("libEGL.so.1", name);
}

static void *of_glx(const char *name) {
    void *function = loaded("libGLX.so.0", name);
    return function ? function : loaded("libGL.so.1", name);
}

static void *call(void *function) {
    current_function current;
    *(void **)&current = function;
    return current ? current() : NULL;
}

struct gl_context gl_context_current(void) {
    struct gl_context gl = {.context = call(of_egl("eglGetCurrentContext")),
                            .display = call(of_egl("eglGetCurrentDisplay")),
                            .egl = true};
    if (!gl.context)
        gl = (struct gl_context){.context = call(of_glx("glXGetCurrentContext")),
                                 .display = call(of_glx("glXGetCurrentDisplay"))};
    return gl.context && gl.display ? gl : (struct gl_context){0};
}

void *gl_context_function(const struct gl_context *gl, const char *name) {
    find_function find;
    *(void **)&find = gl->egl ? of_egl("eglGetProcAddress") : of_glx("glXGetProcAddressARB");
    return find ? find(name) : NULL;
}
