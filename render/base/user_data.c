/* Finds the user's data folder by the XDG base directory specification. */
#include "render/base/user_data.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *base, const char *middle, const char *name) {
    const size_t size = strlen(base) + strlen(middle) + strlen(name) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", base, middle, name);
    return path;
}

char *user_data_path(const char *name) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/')
        return join(data, "/fathom/", name);
    return home && *home ? join(home, "/.local/share/fathom/", name) : NULL;
}
