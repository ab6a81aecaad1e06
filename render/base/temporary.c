/* Temporary files: creates them, unnamed if the system can, and removes files that a crash has
 * left. */
#define _GNU_SOURCE
#include "render/base/temporary.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define NAME_TRIES     100
#define SPARE_TRIES    1000
#define SHORT          "fathom" /* stem of a spare name if the target's own leaves no room */
#define NAME_BYTES     64
#define NAME_FORMAT    ".fathom-%ld-%" PRIx64 ".tmp"
#define ENTRIES_MAX    20000 /* entries of a folder that are searched for files of crashes */
#define OLD_S          3600  /* [s] age below which files are not removed */
#define COPY_AT_ONCE   (1 << 14)
#define CEPH_SUPER     0x00C36400u
#define FD_PATH_BYTES  40
#define FD_PATH_FORMAT "/proc/self/fd/%d"

/* --- files of crashes --- */

/* Returns true if processes of other machines may use the folder. */
static bool is_shared(int folder) {
    static const unsigned long shared[] = {NFS_SUPER_MAGIC,  SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC,
                                           SMB2_SUPER_MAGIC, CEPH_SUPER,      FUSE_SUPER_MAGIC,
                                           V9FS_MAGIC,       AFS_SUPER_MAGIC, CODA_SUPER_MAGIC};
    struct statfs system;
    if (fstatfs(folder, &system) != 0)
        return true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if ((unsigned long)system.f_type == shared[i])
            return true;
    return false;
}

/* Returns true for a name of this program whose process no longer exists. */
static bool is_left_over(const char *name) {
    char again[NAME_BYTES];
    long process = 0;
    uint64_t number = 0;
    if (sscanf(name, NAME_FORMAT, &process, &number) != 2 || process <= 0 || process > INT_MAX)
        return false;
    snprintf(again, sizeof again, NAME_FORMAT, process, number);
    return strcmp(again, name) == 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* Returns true for an old file of this user that no process has locked, and locks it. Other
 * containers have other processes, but share the locks. */
static bool is_ours_and_free(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
           status.st_nlink == 1 && time(NULL) - status.st_mtime > OLD_S &&
           flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void remove_left_over(int folder, const char *name) {
    const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (is_ours_and_free(fd))
        unlinkat(folder, name, 0);
    close(fd);
}

static void clean(const char *path) {
    DIR *folder = opendir(*path ? path : ".");
    if (!folder)
        return;
    struct dirent *entry;
    if (!is_shared(dirfd(folder)))
        for (int i = 0; i < ENTRIES_MAX && (entry = readdir(folder)); i++)
            if (is_left_over(entry->d_name))
                remove_left_over(dirfd(folder), entry->d_name);
    closedir(folder);
}

/* --- opening and closing --- */

static char *folder_of(const char *target) {
    const char *slash = strrchr(target, '/');
    return strndup(target, slash ? (size_t)(slash - target) + 1 : 0);
}

static void fd_path(char text[static FD_PATH_BYTES], int fd) {
    snprintf(text, FD_PATH_BYTES, FD_PATH_FORMAT, fd);
}

/* Calls `give` with temporary names until it accepts one, which is returned. NULL on failure; errno
 * is set. */
static char *try_names(const char *folder, bool (*give)(const char *name, void *user), void *user) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const size_t size = strlen(folder) + NAME_BYTES;
    char *path = malloc(size);
    for (int i = 0; path && i < NAME_TRIES; i++) {
        snprintf(path, size, "%s" NAME_FORMAT, folder, (long)getpid(),
                 (uint64_t)now.tv_nsec + (uint64_t)i);
        if (give(path, user))
            return path;
        if (errno != EEXIST)
            break;
    }
    const int error = errno;
    free(path);
    errno = error;
    return NULL;
}

struct making {
    int fd;
    mode_t permissions;
};

static bool make_named(const char *name, void *user) {
    struct making *making = user;
    making->fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, making->permissions);
    return making->fd >= 0;
}

/* Opens an unnamed file. Returns -1 if that is not possible in this folder. */
static int open_nameless(const char *folder, mode_t permissions) {
    char path[FD_PATH_BYTES];
    const int fd = open(*folder ? folder : ".", O_RDWR | O_TMPFILE | O_CLOEXEC, permissions);
    if (fd < 0)
        return -1;
    fd_path(path, fd);
    if (access(path, F_OK) == 0)
        return fd;
    close(fd); /* without /proc the file could never get a name */
    return -1;
}

bool temporary_open(struct temporary *file, const char *target, unsigned permissions) {
    struct making making = {-1, permissions};
    *file = (struct temporary){.fd = -1, .folder = folder_of(target)};
    if (!file->folder)
        return false;
    clean(file->folder);
    making.fd = open_nameless(file->folder, making.permissions);
    if (making.fd < 0)
        file->path = try_names(file->folder, make_named, &making);
    file->fd = making.fd;
    if (file->fd >= 0) {
        flock(file->fd, LOCK_EX | LOCK_NB);
        return true;
    }
    const int error = errno;
    temporary_close(file);
    errno = error;
    return false;
}

void temporary_close(struct temporary *file) {
    if (file->path)
        unlink(file->path);
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    free(file->folder);
    *file = (struct temporary){.fd = -1};
}

/* --- names --- */

static bool link_fd(int fd, const char *name) {
    char path[FD_PATH_BYTES];
    fd_path(path, fd);
    return linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool link_to(const char *name, void *user) {
    return link_fd(*(const int *)user, name);
}

/* Gives an unnamed file a temporary name; copies it if the file system cannot name it. */
static bool become_named(struct temporary *file) {
    struct stat status;
    bool touched;
    struct making making = {-1, 0600};
    file->path = try_names(file->folder, link_to, &file->fd);
    if (file->path || errno == ENOENT || fstat(file->fd, &status) != 0)
        return file->path;
    file->path = try_names(file->folder, make_named, &making);
    if (!file->path)
        return false;
    flock(making.fd, LOCK_EX | LOCK_NB);
    const int error = temporary_copy(file, making.fd, &touched);
    if (error || fchmod(making.fd, status.st_mode & 0777) != 0) {
        unlink(file->path);
        free(file->path);
        file->path = NULL;
        close(making.fd);
        errno = error ? error : errno;
        return false;
    }
    close(file->fd);
    file->fd = making.fd;
    return true;
}

static void forget_name(struct temporary *file) {
    free(file->path);
    file->path = NULL;
}

static bool rename_exclusively(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return false;
    /* This file system cannot: create the name first, then replace the created file. */
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

bool temporary_link(struct temporary *file, const char *name) {
    if (!file->path && link_fd(file->fd, name))
        return true;
    if (!file->path && (errno == EEXIST || errno == ENOENT || !become_named(file)))
        return false;
    if (!rename_exclusively(file->path, name))
        return false;
    forget_name(file);
    return true;
}

/* Returns FOLDER/STEM.newN.ENDING, which the caller frees. NULL without memory. */
static char *spare_path(const char *target, int number, bool shorter) {
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

char *temporary_link_spare(struct temporary *file, const char *target) {
    bool shorter = false;
    for (int number = 1; number < SPARE_TRIES; number++) {
        char *path = spare_path(target, number, shorter);
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

bool temporary_rename(struct temporary *file, const char *name) {
    if ((!file->path && !become_named(file)) || rename(file->path, name) != 0)
        return false;
    forget_name(file);
    return true;
}

/* --- content --- */

/* Reserves space for the whole content before the old content is touched. Returns 0 or an errno. If
 * the file system cannot reserve space, writing will find out. */
static int take_room(int to, off_t before, off_t size) {
    const int error = size > 0 ? posix_fallocate(to, 0, size) : 0;
    if (error != ENOSPC && error != EDQUOT && error != EFBIG)
        return 0;
    return ftruncate(to, before) == 0 ? error : EIO;
}

static int copy_bytes(int from, int to, off_t size) {
    char bytes[COPY_AT_ONCE];
    for (off_t at = 0; at < size;) {
        const ssize_t got = pread(from, bytes, sizeof bytes, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : EIO;
        for (ssize_t put = 0; put < got;) {
            const ssize_t n = pwrite(to, bytes + put, (size_t)(got - put), at + put);
            if (n < 0 && errno != EINTR)
                return errno;
            put += n > 0 ? n : 0;
        }
        at += got;
    }
    return 0;
}

int temporary_copy(const struct temporary *file, int to, bool *touched) {
    struct stat from, before;
    *touched = false;
    if (fstat(file->fd, &from) != 0 || fstat(to, &before) != 0)
        return errno;
    int error = take_room(to, before.st_size, from.st_size);
    if (error)
        return error;
    *touched = true;
    error = copy_bytes(file->fd, to, from.st_size);
    if (!error && (ftruncate(to, from.st_size) != 0 || (fsync(to) != 0 && errno != EINVAL)))
        error = errno;
    return error;
}
