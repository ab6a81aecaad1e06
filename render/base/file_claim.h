/* File claims: reserve a file that one process reads and then writes repeatedly. No other process
 * of this program may do the same meanwhile, and changes by other programs are not overwritten. */
#ifndef FATHOM_RENDER_BASE_FILE_CLAIM_H
#define FATHOM_RENDER_BASE_FILE_CLAIM_H

#include <stdbool.h>
#include <sys/stat.h>

struct file_claim {
    bool exists;        /* true if there was a file */
    int fd;             /* descriptor that holds the lock; -1: no file, or no locks */
    struct stat status; /* state of the file at the last read or write */
    bool lost;          /* another file was found in its place */
};

/* Claims a file; to be called before reading it. If there is no file yet, or if the file system has
 * no locks (some network file systems), only the check before writing remains. Returns false if
 * another process holds the file; the reason is logged. */
bool file_claim_open(struct file_claim *claim, const char *path);
/* Returns true if `path` still is the claimed file (device, inode, size and time of change), or is
 * still absent if it was absent. */
bool file_claim_holds(const struct file_claim *claim, const char *path);
/* Updates the claim after the file was written. `fd` is the descriptor of the new file, with its
 * lock, or -1 if the older file was overwritten. */
void file_claim_renew(struct file_claim *claim, const char *path, int fd);
/* Releases the lock. A zeroed claim with an fd of -1 is allowed. */
void file_claim_close(struct file_claim *claim);

#endif
