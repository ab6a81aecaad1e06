/* Tells whether two names stand for one file, by what it is and not by what it is called. */
#define _GNU_SOURCE
#include "render/base/same_file.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as many as the kernel follows */

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

/* The folder that a path leads to, and its name there. */
static const char *name_in(const char *path, struct stat *folder) {
    const char *slash = strrchr(path, '/');
    char *before = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const bool known = before && stat(before, folder) == 0;
    free(before);
    return !known ? NULL : slash ? slash + 1 : path;
}

static bool same_node(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Neither is there yet. */
static bool same_place(const char *a, const char *b) {
    struct stat in_a, in_b;
    char *end_a = links_followed(a), *end_b = links_followed(b);
    const char *name_a = end_a ? name_in(end_a, &in_a) : NULL;
    const char *name_b = end_b ? name_in(end_b, &in_b) : NULL;
    const bool same = name_a && name_b && same_node(&in_a, &in_b) && strcmp(name_a, name_b) == 0;
    free(end_a);
    free(end_b);
    return same;
}

bool same_file(const char *a, const char *b) {
    struct stat at_a, at_b;
    if (!a || !b)
        return false;
    const bool is_a = stat(a, &at_a) == 0, is_b = stat(b, &at_b) == 0;
    if (is_a || is_b)
        return is_a && is_b && S_ISREG(at_a.st_mode) && same_node(&at_a, &at_b);
    return same_place(a, b);
}
