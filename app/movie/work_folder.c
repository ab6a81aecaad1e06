/* Work folders: claims and releases them. */
#define _GNU_SOURCE /* asprintf */
#include "app/movie/work_folder.h"
#include "render/base/log.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK       "movie.lock" /* file in the folder */
#define LOCK_TRIES 20           /* in two seconds */

/* Returns true if a folder has no files except the lock. */
static bool is_empty(const char *path) {
    DIR *folder = opendir(path);
    int entries = 0;
    for (struct dirent *entry; folder && entries < 1 && (entry = readdir(folder));)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                   strcmp(entry->d_name, LOCK) != 0;
    if (folder)
        closedir(folder);
    return entries == 0;
}

/* Locks a file. Returns false if another process keeps it locked. The system may need a moment to
 * unlock the file of a process that was killed. */
static bool lock_file(int file, bool shared) {
    for (int tries = 0; flock(file, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK)
            return true; /* some network file systems have no locks */
        if (tries == LOCK_TRIES)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return true;
}

bool work_folder_claim(struct work_folder *folder, const char *path, bool shared) {
    char *lock;
    *folder = (struct work_folder){.path = path, .lock = -1, .shared = shared};
    const bool made = mkdir(path, 0777) == 0;
    if (!made && errno != EEXIST) {
        log_error("cannot make the work folder '%s': %s", path, strerror(errno));
        return false;
    }
    if (asprintf(&lock, "%s/" LOCK, path) < 0)
        return false;
    const bool ours = made || is_empty(path) || access(lock, F_OK) == 0;
    folder->lock = ours ? open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    const bool taken = folder->lock >= 0 && !lock_file(folder->lock, shared);
    if (!ours)
        log_error("'%s' has files that are no movie's: choose another folder by --work", path);
    else if (folder->lock < 0)
        log_error("cannot use the work folder '%s': %s", path, strerror(errno));
    else if (taken)
        log_error("another process makes a movie in '%s'%s; --work chooses another folder", path,
                  shared ? " alone" : "");
    free(lock);
    return folder->lock >= 0 && !taken;
}

void work_folder_release(struct work_folder *folder) {
    char *lock;
    if (folder->lock < 0)
        return;
    if (!folder->shared && is_empty(folder->path) &&
        asprintf(&lock, "%s/" LOCK, folder->path) >= 0) {
        unlink(lock);
        free(lock);
        rmdir(folder->path);
    }
    close(folder->lock);
    folder->lock = -1;
}
