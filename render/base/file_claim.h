/* A file that one process reads and then writes again and again: no other process of this program
 * may do so meanwhile, and what other programs put there is not replaced. */
#ifndef FATHOM_RENDER_BASE_FILE_CLAIM_H
#define FATHOM_RENDER_BASE_FILE_CLAIM_H

#include <stdbool.h>
#include <sys/stat.h>

struct file_claim {
    bool exists;        /* there was a file */
    int fd;             /* holds its lock; -1: none can be had, or there is no file */
    struct stat status; /* what it was when it was read or written last */
    bool lost;          /* another one was found in its place */
};

/* Before the file is read. Where there is no file yet, or no locks can be had (some network file
 * systems), only the look before writing remains. False: another process has it, logged. */
bool file_claim_open(struct file_claim *claim, const char *path);
/* Whether it still is that file: device, inode, size and time of change, or none as there was
 * none. */
bool file_claim_holds(const struct file_claim *claim, const char *path);
/* After it was written; `fd` is that of the new file, with its lock, or -1 if the older one was
 * written over. */
void file_claim_renew(struct file_claim *claim, const char *path, int fd);
/* Zeroed ones with an fd of -1 are allowed. */
void file_claim_close(struct file_claim *claim);

#endif
