/* Finds the user's data folder by the XDG base directory specification. */
#define _GNU_SOURCE
#include "render/base/user_data.h"
#include <stdio.h>
#include <stdlib.h>

char *user_data_path(const char *name) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const int own = data && *data == '/';
    char *path = NULL;
    if ((own || (home && *home)) &&
        asprintf(&path, "%s%s/fathom/%s", own ? data : home, own ? "" : "/.local/share", name) < 0)
        path = NULL;
    return path;
}
