/* Files that are being written: without a name where the system has such, so that they go with the
 * process, else named .fathom-PID-NUMBER.tmp and locked, so that other processes can tell whether
 * they are still being written. */
#ifndef FATHOM_RENDER_BASE_TEMPORARY_H
#define FATHOM_RENDER_BASE_TEMPORARY_H

#include <stdbool.h>

struct temporary {
    int fd;       /* to read and write; locked (flock) where that is possible */
    char *folder; /* "" or with a slash at its end */
    char *path;   /* NULL: it has no name */
};

/* Makes one in the folder of `target`, with these permissions less the umask; before that, removes
 * those of this user's that processes which are gone have left there. False: errno says why,
 * nothing to be closed. */
bool temporary_open(struct temporary *file, const char *target, unsigned permissions);
/* Gives the file that name, if nothing has it: false with errno EEXIST otherwise. It loses its
 * own. */
bool temporary_link(struct temporary *file, const char *name);
/* Gives it a free name like that of `target`, which it cannot have: picture.new.ppm beside
 * picture.ppm. Returns the name, which the caller frees. NULL: it gets none, errno says why. */
char *temporary_link_spare(struct temporary *file, const char *target);
/* Gives it that name, whatever had it. False: errno says why; it may have a name of its own now. */
bool temporary_rename(struct temporary *file, const char *name);
/* Writes its content over that of another file, whose length becomes that of this one. *touched
 * says whether the other file is as it was; its place on the disk is taken before it is touched. 0,
 * or an errno. */
int temporary_copy(const struct temporary *file, int to, bool *touched);
/* Closes it; if it still has a name of its own, it is removed. */
void temporary_close(struct temporary *file);

#endif
