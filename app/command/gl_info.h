/* What the display offers, to find out why there is no window. */
#ifndef FATHOM_APP_COMMAND_GL_INFO_H
#define FATHOM_APP_COMMAND_GL_INFO_H

#include <stdbool.h>

struct gl_info {
    char video[32];                                /* SDL's driver; "" where there is none */
    char version[128], renderer[128], vendor[128]; /* of OpenGL; "" where there is none */
    char why[256]; /* what is missing and what to do; "" where the explorer can run */
};

/* Opens a hidden window in a process of its own, so that neither a driver that crashes nor a
 * display that does not answer harms this one; waits seconds for it at most. Before devices are
 * used. */
void gl_info_ask(struct gl_info *info);

#endif
