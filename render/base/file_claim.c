/* File claims: lock a file that is replaced while it is held, so that two processes never continue
 * the same file. */
#define _GNU_SOURCE
#include "render/base/file_claim.h"
#include "render/base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define TRIES 100 /* attempts to open a file that is being replaced */

static bool same_state(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Opens for writing if permitted, because network file systems lock no other files. Returns -1 on
 * failure; errno is set. */
static int open_file(const char *path) {
    const int flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    const int fd = open(path, O_RDWR | flags);
    return fd >= 0 || errno == ENOENT ? fd : open(path, O_RDONLY | flags);
}

/* Claims the current file. Returns false if another process holds it (errno is EWOULDBLOCK), or if
 * it was replaced in the meantime (ESTALE). */
static bool take(struct file_claim *claim, const char *path) {
    struct stat named;
    *claim = (struct file_claim){.fd = open_file(path)};
    if (claim->fd < 0 || fstat(claim->fd, &claim->status) != 0 || !S_ISREG(claim->status.st_mode)) {
        file_claim_close(claim); /* reading the file will report the reason */
        claim->exists = stat(path, &claim->status) == 0;
        return true;
    }
    claim->exists = true;
    if (flock(claim->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    errno = ESTALE;
    return stat(path, &named) == 0 && fstat(claim->fd, &claim->status) == 0 &&
           same_state(&named, &claim->status);
}

bool file_claim_open(struct file_claim *claim, const char *path) {
    for (int i = 0; i < TRIES; i++) {
        if (take(claim, path))
            return true;
        const int error = errno;
        file_claim_close(claim);
        if (error == EWOULDBLOCK)
            break;
    }
    log_error(
        "'%s' is in use: another process is continuing it; wait for that one, or name another "
        "file",
        path);
    return false;
}

bool file_claim_holds(const struct file_claim *claim, const char *path) {
    struct stat now;
    const bool exists = stat(path, &now) == 0;
    return !claim->lost && exists == claim->exists && (!exists || same_state(&now, &claim->status));
}

void file_claim_renew(struct file_claim *claim, const char *path, int fd) {
    const int held = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (held >= 0) {
        file_claim_close(claim);
        claim->fd = held;
    }
    claim->exists = stat(path, &claim->status) == 0;
}

void file_claim_close(struct file_claim *claim) {
    if (claim->fd >= 0)
        close(claim->fd);
    claim->fd = -1;
}
