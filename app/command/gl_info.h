/* OpenGL facts of the display, for `fathom info`: they show why there is no window. */
#ifndef FATHOM_APP_COMMAND_GL_INFO_H
#define FATHOM_APP_COMMAND_GL_INFO_H

#include <stdbool.h>

struct gl_info {
    char video[32];                                /* SDL's video driver; "" if there is none */
    char version[128], renderer[128], vendor[128]; /* OpenGL's strings; "" if there is no context */
    char why[256]; /* the fault and its remedy; "" if the explorer can run */
};

/* Fills `info` from a hidden window in a child process: neither a driver that crashes nor a display
 * that hangs harms this process. Waits at most 5 s. Forks: call before devices are used. */
void gl_info_ask(struct gl_info *info);

#endif
