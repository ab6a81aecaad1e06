/* Atomic files: writes files entirely or not at all, so that a full disk or a crash loses nothing,
 * and reads files with a size limit. */
#define _GNU_SOURCE
#include "render/base/atomic_file.h"
#include "render/base/file_claim.h"
#include "render/base/log.h"
#include "render/base/same_file.h"
#include "render/base/temporary.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_AT_ONCE 65536

struct atomic_file {
    FILE *stream;
    char *path;   /* name as the caller gave it, for messages */
    char *target; /* file to replace: `path` with symbolic links followed */
    bool direct;  /* true: written to without a temporary file */
    struct temporary temporary;
    struct file_claim *claim; /* NULL: any file at the target is replaced */
    bool exclusive, expendable;
};

static void log_unwritable(const char *path, int error) {
    log_error("cannot write '%s': %s", path, strerror(error ? error : EIO));
}

static void destroy(struct atomic_file *file) {
    if (file->stream)
        fclose(file->stream);
    temporary_close(&file->temporary);
    free(file->path);
    free(file->target);
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

/* Opens a device, a FIFO or standard output for writing. Returns -1 on failure; errno is set. */
static int open_directly(const char *path, const struct stat *status) {
    if (is_standard_output(status))
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

/* Returns the absolute path of an existing file; otherwise, or if the caller may not search a
 * folder of the path, the path with its links followed. NULL on failure; errno is set. */
static char *find_target(const struct atomic_file *file, bool exists) {
    char *absolute = exists ? realpath(file->path, NULL) : NULL;
    if (absolute)
        return absolute;
    return file->exclusive ? strdup(file->path) : links_followed(file->path);
}

/* Opens the target of file->path or its temporary file. Returns -1 on failure; errno is set. */
static int open_path(struct atomic_file *file) {
    struct stat status;
    if (!*file->path) {
        errno = ENOENT;
        return -1;
    }
    const bool exists = !file->exclusive && stat(file->path, &status) == 0;
    file->direct = exists && written_directly(&status);
    if (file->direct)
        return open_directly(file->path, &status);
    if (exists && access(file->path, W_OK) != 0)
        return -1;
    file->target = find_target(file, exists);
    if (!file->target)
        return -1;
    /* The replacement of a private file is never readable by others, not even for a moment. */
    if (!temporary_open(&file->temporary, file->target, exists ? 0600 : 0666))
        return -1;
    if (exists)
        (void)!fchmod(file->temporary.fd, status.st_mode & 0777);
    return fcntl(file->temporary.fd, F_DUPFD_CLOEXEC, 3);
}

struct atomic_file *atomic_file_open(const char *path, bool exclusive) {
    struct atomic_file *file = calloc(1, sizeof *file);
    if (!file) {
        log_unwritable(path, ENOMEM);
        return NULL;
    }
    file->exclusive = exclusive;
    file->temporary.fd = -1;
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
    return !file->direct;
}

void atomic_file_mark_expendable(struct atomic_file *file) {
    file->expendable = true;
}

void atomic_file_claim(struct atomic_file *file, struct file_claim *claim) {
    file->claim = claim;
}

/* Flushes, syncs and closes the stream. Returns 0 or an errno. */
static int finish_stream(struct atomic_file *file) {
    int error = ferror(file->stream) ? (errno ? errno : EIO) : 0;
    if (!error && fflush(file->stream) != 0)
        error = errno;
    if (!error && !file->direct && fsync(fileno(file->stream)) != 0 && errno != EINVAL)
        error = errno;
    if (fclose(file->stream) != 0 && !error)
        error = errno;
    file->stream = NULL;
    return error;
}

/* Moves the finished file to its target. Returns 0 or an errno. */
static int put_in_place(struct atomic_file *file) {
    const struct file_claim *claim = file->claim;
    if (claim && !file_claim_holds(claim, file->target))
        return ESTALE;
    const bool is_new = file->exclusive || (claim && !claim->exists);
    if (is_new || access(file->target, F_OK) != 0) {
        if (temporary_link(&file->temporary, file->target))
            return 0;
        if (is_new || errno != EEXIST)
            return claim && errno == EEXIST ? ESTALE : errno;
    }
    return temporary_rename(&file->temporary, file->target) ? 0 : errno;
}

/* Overwrites the target if it is only its name that cannot be replaced. Returns 0 or an errno:
 * `error` itself if no bytes were copied. */
static int overwrite(struct atomic_file *file, int error, bool *touched) {
    *touched = false;
    if (error != EBUSY && error != EPERM && error != EACCES && error != EXDEV)
        return error;
    int to = open(file->target, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (to < 0)
        to = open(file->target, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (to < 0)
        return error;
    struct stat status;
    const bool ok = fstat(to, &status) == 0 && S_ISREG(status.st_mode);
    const int result = ok ? temporary_copy(&file->temporary, to, touched) : error;
    close(to);
    return result;
}

static void log_kept(const struct atomic_file *file, int error, bool touched, const char *kept) {
    if (error == ESTALE)
        log_error("'%s' was changed by another process and was not overwritten; the new content is "
                  "in '%s'",
                  file->path, kept);
    else
        log_error("cannot write '%s': %s%s; the new content is in '%s'", file->path,
                  strerror(error), touched ? " (and the old file is damaged)" : "", kept);
}

/* Handles a finished file that cannot replace its target: gives the file a spare name, then
 * overwrites the target. Returns 0 or an errno; *told becomes true if the error was logged. */
static int overwrite_or_keep(struct atomic_file *file, int error, bool *told) {
    bool touched = false;
    char *kept = temporary_link_spare(&file->temporary, file->target);
    const int result = overwrite(file, error, &touched);
    *told = result && kept && (!file->expendable || touched || error == ESTALE);
    if (*told)
        log_kept(file, result, touched, kept);
    else if (kept)
        unlink(kept);
    free(kept);
    return result;
}

static int replace_target(struct atomic_file *file, bool *told) {
    int error = put_in_place(file);
    const bool named = !error;
    if (error && !file->exclusive)
        error = overwrite_or_keep(file, error, told);
    if (file->claim && error == ESTALE)
        file->claim->lost = true;
    else if (file->claim && !error)
        file_claim_renew(file->claim, file->target, named ? file->temporary.fd : -1);
    return error;
}

bool atomic_file_commit(struct atomic_file *file, bool *existed) {
    bool told = false;
    int error = finish_stream(file);
    if (!error && !file->direct)
        error = replace_target(file, &told);
    const bool taken = error == EEXIST && file->exclusive;
    if (existed)
        *existed = taken;
    if (error && !told && !(taken && existed))
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
