/* Finds the user's folders by the XDG base directory specification. */
#define _GNU_SOURCE
#include "render/base/user_data.h"
#include "render/base/log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *path_of(const char *variable, const char *below_home, const char *name) {
    const char *folder = getenv(variable), *home = getenv("HOME");
    const int own = folder && *folder == '/';
    char *path = NULL;
    if ((own || (home && *home)) &&
        asprintf(&path, "%s%s/fathom/%s", own ? folder : home, own ? "" : below_home, name) < 0)
        path = NULL;
    return path;
}

char *user_data_path(const char *name) {
    return path_of("XDG_DATA_HOME", "/.local/share", name);
}

char *user_cache_path(const char *name) {
    return path_of("XDG_CACHE_HOME", "/.cache", name);
}

bool user_data_make(const char *folder) {
    char *path = strdup(folder);
    bool ok = path;
    for (char *slash = path; ok && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(path, 0777); /* what fails here fails below */
        *slash = '/';
    }
    errno = ENOMEM;
    ok = ok && (mkdir(path, 0777) == 0 || errno == EEXIST);
    if (!ok)
        log_error("cannot make the folder '%s': %s", folder, strerror(errno));
    free(path);
    return ok;
}
