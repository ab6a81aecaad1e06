/* The libraries that the program stands on, for bug reports. */
#ifndef FATHOM_APP_COMMAND_LIBRARIES_H
#define FATHOM_APP_COMMAND_LIBRARIES_H

#include <stddef.h>

#define LIBRARIES_MAX 8

/* Its version when fathom was compiled, and as it runs now. */
struct library {
    const char *name;
    char compiled[32], linked[32];
};

/* Returns how many. */
size_t libraries_list(struct library list[LIBRARIES_MAX]);

#endif
