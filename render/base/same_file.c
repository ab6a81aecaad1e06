/* Same file: decides whether two names refer to one file, by its identity and not by the names. */
#define _GNU_SOURCE
#include "render/base/same_file.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* limit of the Linux kernel */

char *links_followed(const char *path) {
    char next[PATH_MAX];
    char *at = strdup(path);
    for (int i = 0; at && i < LINKS_MAX; i++) {
        const ssize_t length = readlink(at, next, sizeof next - 1);
        if (length < 0)
            return at;
        next[length] = '\0';
        const char *slash = strrchr(at, '/');
        const int folder = slash && *next != '/' ? (int)(slash - at) + 1 : 0;
        char *joined = NULL;
        if (asprintf(&joined, "%.*s%s", folder, at, next) < 0)
            joined = NULL;
        free(at);
        at = joined;
    }
    errno = at ? ELOOP : ENOMEM;
    free(at);
    return NULL;
}

/* Returns the last part of a path, and the status of its folder. NULL if the folder cannot be
 * reached. */
static const char *name_in(const char *path, struct stat *folder) {
    const char *slash = strrchr(path, '/');
    char *before = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const bool known = before && stat(before, folder) == 0;
    free(before);
    return !known ? NULL : slash ? slash + 1 : path;
}

/* Returns the identity of a file that does not exist yet. */
static char *place_identity(const char *path) {
    struct stat folder;
    char *end = links_followed(path), *identity = NULL;
    const char *name = end ? name_in(end, &folder) : NULL;
    if (name && asprintf(&identity, "%ju:%ju/%s", (uintmax_t)folder.st_dev,
                         (uintmax_t)folder.st_ino, name) < 0)
        identity = NULL;
    free(end);
    return identity;
}

char *file_identity(const char *path) {
    struct stat at;
    char *identity = NULL;
    if (!path)
        return NULL;
    if (stat(path, &at) != 0)
        return place_identity(path);
    if (!S_ISREG(at.st_mode) ||
        asprintf(&identity, "%ju:%ju", (uintmax_t)at.st_dev, (uintmax_t)at.st_ino) < 0)
        return NULL;
    return identity;
}
