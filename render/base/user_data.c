/* User folders: finds and creates them by the XDG base directory specification. */
#define _GNU_SOURCE
#include "render/base/user_data.h"
#include "render/base/log.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns the folder of a variable. The specification ignores relative paths in variables. */
static char *home_of(const char *variable, const char *below_home) {
    const char *folder = getenv(variable), *home = getenv("HOME");
    char *path = NULL;
    if (folder && *folder == '/')
        return strdup(folder);
    if (home && *home && asprintf(&path, "%s/%s", home, below_home) < 0)
        path = NULL;
    return path;
}

static char *path_of(char *home, const char *name) {
    char *path = NULL;
    if (home && asprintf(&path, "%s/fathom/%s", home, name) < 0)
        path = NULL;
    free(home);
    return path;
}

char *user_config_home(void) {
    return home_of("XDG_CONFIG_HOME", ".config");
}

char *user_config_path(const char *name) {
    return path_of(user_config_home(), name);
}

char *user_data_path(const char *name) {
    return path_of(home_of("XDG_DATA_HOME", ".local/share"), name);
}

char *user_state_path(const char *name) {
    return path_of(home_of("XDG_STATE_HOME", ".local/state"), name);
}

char *user_cache_path(const char *name) {
    return path_of(home_of("XDG_CACHE_HOME", ".cache"), name);
}

/* Returns true if a name is longer than the system allows, with room for one file in the folder.
 * Checked first, so that no folder is made if another would fail. */
static bool is_too_long(const char *folder) {
    if (strlen(folder) + 1 + NAME_MAX >= PATH_MAX)
        return true;
    for (const char *name = folder; *name;) {
        const size_t length = strcspn(name, "/");
        if (length > NAME_MAX)
            return true;
        name += length + (name[length] == '/');
    }
    return false;
}

static bool make_one(const char *folder, unsigned permissions) {
    return mkdir(folder, (mode_t)permissions) == 0 || errno == EEXIST;
}

bool user_folder_make(const char *folder, unsigned permissions) {
    if (is_too_long(folder)) {
        errno = ENAMETOOLONG;
        return false;
    }
    char *path = strdup(folder);
    bool ok = path != NULL;
    for (char *p = path; ok && *p; p++) {
        if (*p != '/' || p == path)
            continue;
        *p = '\0';
        ok = make_one(path, permissions);
        *p = '/';
    }
    ok = ok && make_one(path, permissions);
    const int error = errno;
    free(path);
    errno = error;
    return ok;
}

bool user_folder_make_or_log(const char *folder) {
    const bool ok = user_folder_make(folder, 0777);
    if (!ok)
        log_error("cannot make the folder '%s': %s", folder, strerror(errno));
    return ok;
}
