/* Finds a free name beside one that is taken. */
#define _GNU_SOURCE
#include "render/base/spare_name.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 1000
#define SHORT "fathom" /* where the name has no room for more */

/* FOLDER/STEM.newN.ENDING; the caller frees it. NULL: no memory. */
static char *spare(const char *target, int number, bool shorter) {
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    const char *dot = strrchr(name, '.'), *ending = dot && dot > name ? dot : "";
    const int folder = (int)(name - target), stem = (int)(strlen(name) - strlen(ending));
    char digits[12] = "", *path = NULL;
    if (number > 1)
        snprintf(digits, sizeof digits, "%d", number);
    if (asprintf(&path, "%.*s%.*s.new%s%s", folder, target, shorter ? (int)strlen(SHORT) : stem,
                 shorter ? SHORT : name, digits, shorter ? "" : ending) < 0)
        return NULL;
    return path;
}

char *spare_name_link(struct temporary *file, const char *target) {
    bool shorter = false;
    for (int number = 1; number < TRIES; number++) {
        char *path = spare(target, number, shorter);
        if (!path || temporary_link(file, path))
            return path;
        const int error = errno;
        free(path);
        errno = error;
        if (error != EEXIST && (error != ENAMETOOLONG || shorter))
            return NULL;
        shorter = shorter || error == ENAMETOOLONG;
    }
    return NULL;
}
