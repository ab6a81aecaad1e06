/* Paths: finds and makes the user's folders by the XDG specification, and reads optional files. */
#define _GNU_SOURCE
#include "app/paths.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_MS      2000 /* [ms] longest wait for another process */
#define LOCK_STEP_MS 5

#define SYSTEM_FOLDERS "/usr/local/share:/usr/share"

char *paths_join(const char *folder, const char *name) {
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Finds NAME next to the program. A program that was replaced while it runs is called "PATH
 * (deleted)", which does not change its folder. */
char *paths_beside_program(const char *name) {
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    return paths_join(program, name);
}

char *paths_data_folder(size_t number) {
    const char *list = getenv("XDG_DATA_DIRS");
    for (const char *at = list && *list ? list : SYSTEM_FOLDERS; *at;) {
        const size_t length = strcspn(at, ":");
        if (*at == '/' && number-- == 0)
            return strndup(at, length);
        at += length + (at[length] == ':');
    }
    return NULL;
}

char *paths_read(const char *path, size_t limit, size_t *length) {
    const char *why;
    bool more = false, absent;
    FILE *file = file_open_silently(path, &absent, &why);
    char *text = file ? file_read_start(file, path, limit, length, &more) : NULL;
    if (file)
        fclose(file);
    if (more)
        why = "it is too large";
    else if (text && memchr(text, '\0', *length))
        why = "it is not a text file";
    if (!why || absent)
        return text;
    log_warn("'%s' is not used: %s", path, why);
    free(text);
    return NULL;
}

char *paths_make_folder_of(const char *path) {
    char *folder = strdup(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    if (slash && user_folder_make(folder, 0700))
        return folder;
    const int error = errno;
    free(folder);
    errno = error;
    return NULL;
}

int paths_lock(const char *path) {
    char *folder = paths_make_folder_of(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    for (int waited_ms = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
         waited_ms += LOCK_STEP_MS) {
        if (errno == EWOULDBLOCK && waited_ms < LOCK_MS) {
            nanosleep(&(struct timespec){0, LOCK_STEP_MS * 1000000L}, NULL);
            continue;
        }
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Creates a file. Existing files must be regular: writing to a FIFO could wait for ever. */
struct atomic_file *paths_create(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        log_warn("'%s' is not written: it is not a regular file", path);
        return NULL;
    }
    char *folder = paths_make_folder_of(path);
    const char *slash = strrchr(path, '/');
    if (!folder)
        log_warn("cannot make the folder '%.*s': %s", (int)(slash ? slash - path : 0), path,
                 strerror(errno));
    struct atomic_file *file = folder ? atomic_file_open(path, false) : NULL;
    free(folder);
    if (file)
        atomic_file_mark_expendable(file);
    return file;
}
