/* Writing files whole or not at all, and reading them within bounds. */
#define _GNU_SOURCE
#include "render/atomic_file.h"
#include "render/log.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME_TRIES   100
#define LINKS_MAX    40 /* as many as the kernel follows */
#define READ_AT_ONCE 65536

struct atomic_file {
    FILE *stream;
    char *path;      /* as the caller named it, for messages */
    char *target;    /* what is renamed to: path with symbolic links followed */
    char *temporary; /* NULL: the target is written to directly */
    bool exclusive;
};

static void log_unwritable(const char *path, int error) {
    log_error("cannot write '%s': %s", path, strerror(error ? error : EIO));
}

static void destroy(struct atomic_file *file) {
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    free(file->path);
    free(file->target);
    free(file->temporary);
    free(file);
}

static bool is_standard_output(const struct stat *status) {
    struct stat output;
    return fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == status->st_dev &&
           output.st_ino == status->st_ino;
}

static bool written_directly(const struct stat *status) {
    return !S_ISREG(status->st_mode) || is_standard_output(status);
}

/* -1: errno says why. */
static int open_directly(const char *path, const struct stat *status) {
    if (is_standard_output(status))
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

/* Makes a new file beside file->target, named in file->temporary. -1: errno says why. */
static int open_temporary(struct atomic_file *file) {
    const char *slash = strrchr(file->target, '/');
    const size_t folder = slash ? (size_t)(slash - file->target) + 1 : 0;
    const size_t size = folder + 64;
    file->temporary = malloc(size);
    if (!file->temporary)
        return -1;
    memcpy(file->temporary, file->target, folder);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int fd = -1;
    for (int i = 0; i < NAME_TRIES; i++) {
        const uint64_t salt = (uint64_t)now.tv_nsec + (uint64_t)i;
        snprintf(file->temporary + folder, size - folder, ".fathom-%ld-%" PRIx64 ".tmp",
                 (long)getpid(), salt);
        fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    if (fd < 0) {
        const int error = errno;
        free(file->temporary);
        file->temporary = NULL;
        errno = error;
    }
    return fd;
}

/* Where symbolic links lead from there, although nothing is there yet. The caller frees it. NULL: errno says
 * why. */
static char *follow_links(const char *path) {
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

/* Opens what file->path names now. -1: errno says why. */
static int open_path(struct atomic_file *file) {
    struct stat status;
    if (!*file->path) {
        errno = ENOENT;
        return -1;
    }
    const bool exists = !file->exclusive && stat(file->path, &status) == 0;
    if (exists && written_directly(&status))
        return open_directly(file->path, &status);
    if (exists && access(file->path, W_OK) != 0)
        return -1;
    file->target = exists            ? realpath(file->path, NULL)
                   : file->exclusive ? strdup(file->path)
                                     : follow_links(file->path);
    if (!file->target)
        return -1;
    const int fd = open_temporary(file);
    if (fd >= 0 && exists)
        (void)!fchmod(fd, status.st_mode & 0777);
    return fd;
}

struct atomic_file *atomic_file_open(const char *path, bool exclusive) {
    struct atomic_file *file = calloc(1, sizeof *file);
    if (!file) {
        log_unwritable(path, ENOMEM);
        return NULL;
    }
    file->exclusive = exclusive;
    file->path = strdup(path);
    const int fd = file->path ? open_path(file) : -1;
    if (fd < 0)
        goto error;
    file->stream = fdopen(fd, "wb");
    if (!file->stream) {
        errno = errno == EINVAL ? EBADF : errno; /* a stream that is not for writing */
        close(fd);
        goto error;
    }
    return file;

error:
    log_unwritable(path, errno);
    destroy(file);
    return NULL;
}

FILE *atomic_file_stream(struct atomic_file *file) {
    return file->stream;
}

bool atomic_file_seekable(const struct atomic_file *file) {
    return file->temporary != NULL;
}

/* rename that fails with EEXIST rather than replace. */
static bool rename_exclusively(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return false;
    /* This file system cannot: take the name first, then replace what was put there. */
    const int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    close(fd);
    if (rename(from, to) == 0)
        return true;
    const int error = errno;
    unlink(to);
    errno = error;
    return false;
}

/* 0, or what went wrong. */
static int finish_stream(struct atomic_file *file) {
    int error = ferror(file->stream) ? (errno ? errno : EIO) : 0;
    if (!error && fflush(file->stream) != 0)
        error = errno;
    if (!error && file->temporary && fsync(fileno(file->stream)) != 0 && errno != EINVAL)
        error = errno;
    if (fclose(file->stream) != 0 && !error)
        error = errno;
    file->stream = NULL;
    return error;
}

bool atomic_file_commit(struct atomic_file *file, bool *existed) {
    int error = finish_stream(file);
    if (!error && file->temporary) {
        const bool moved = file->exclusive ? rename_exclusively(file->temporary, file->target)
                                           : rename(file->temporary, file->target) == 0;
        error = moved ? 0 : errno;
        if (moved) {
            free(file->temporary);
            file->temporary = NULL;
        }
    }
    const bool taken = error == EEXIST && file->exclusive;
    if (existed)
        *existed = taken;
    if (error && !(taken && existed))
        log_unwritable(file->path, error);
    destroy(file);
    return error == 0;
}

void atomic_file_abandon(struct atomic_file *file) {
    if (file)
        destroy(file);
}

void atomic_file_log_failure(const struct atomic_file *file, int error) {
    log_unwritable(file->path, error);
}

bool atomic_file_possible(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && written_directly(&status) && !S_ISDIR(status.st_mode))
        return true;
    struct atomic_file *file = atomic_file_open(path, false);
    atomic_file_abandon(file);
    return file != NULL;
}

FILE *file_open_silently(const char *path, bool *absent, const char **why) {
    struct stat status;
    FILE *file = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *why = NULL;
    *absent = fd < 0 && (errno == ENOENT || errno == ENOTDIR);
    if (fd < 0 || fstat(fd, &status) != 0)
        *why = strerror(errno);
    else if (S_ISDIR(status.st_mode))
        *why = "it is a folder";
    else if (!S_ISREG(status.st_mode))
        *why = "it is not a regular file";
    else if (!(file = fdopen(fd, "rb")))
        *why = strerror(errno);
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

FILE *file_open(const char *path) {
    bool absent;
    const char *why;
    FILE *file = file_open_silently(path, &absent, &why);
    if (!file)
        log_error("cannot read '%s': %s", path, why);
    return file;
}

unsigned long long file_length(FILE *file) {
    struct stat status;
    return fstat(fileno(file), &status) == 0 && status.st_size > 0
               ? (unsigned long long)status.st_size
               : 0;
}

char *file_read_start(FILE *file, const char *path, size_t limit, size_t *length, bool *more) {
    size_t used = 0, size = 0;
    char *text = NULL;
    for (;;) {
        if (used == size) {
            size = size < READ_AT_ONCE ? READ_AT_ONCE : 2 * size;
            size = size < limit + 1 ? size : limit + 1;
            char *longer = realloc(text, size + 1);
            if (!longer)
                goto error;
            text = longer;
        }
        const size_t got = fread(text + used, 1, size - used, file);
        used += got;
        if (got == 0 || used > limit)
            break;
    }
    if (ferror(file))
        goto error;
    *more = used > limit;
    *length = *more ? limit : used;
    text[*length] = '\0';
    return text;

error:
    log_error("cannot read '%s': %s", path, strerror(errno));
    free(text);
    return NULL;
}

char *file_read(const char *path, size_t limit, size_t *length) {
    FILE *file = file_open(path);
    if (!file)
        return NULL;
    bool more = false;
    char *text = file_read_start(file, path, limit, length, &more);
    fclose(file);
    if (text && more) {
        log_error("'%s' is too large: more than %zu bytes", path, limit);
        free(text);
        text = NULL;
    }
    return text;
}
