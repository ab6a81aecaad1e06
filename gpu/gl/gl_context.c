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

static void *call(const char *file, const char *name) {
    current_function current;
    *(void **)&current = loaded(file, name);
    return current ? current() : NULL;
}

struct gl_context gl_context_current(void) {
    static const char *const glx[] = {"libGLX.so.0", "libGL.so.1"};
    struct gl_context gl = {.context = call("libEGL.so.1", "eglGetCurrentContext"),
                            .display = call("libEGL.so.1", "eglGetCurrentDisplay"),
                            .egl = true};
    for (int i = 0; i < 2 && !gl.context; i++)
        gl = (struct gl_context){.context = call(glx[i], "glXGetCurrentContext"),
                                 .display = call(glx[i], "glXGetCurrentDisplay")};
    return gl.context && gl.display ? gl : (struct gl_context){0};
}

void *gl_context_function(const struct gl_context *gl, const char *name) {
    static const char *const glx[] = {"libGLX.so.0", "libGL.so.1"};
    find_function find;
    *(void **)&find = gl->egl ? loaded("libEGL.so.1", "eglGetProcAddress") : NULL;
    for (int i = 0; i < 2 && !find; i++)
        *(void **)&find = loaded(glx[i], "glXGetProcAddressARB");
    return find ? find(name) : NULL;
}
