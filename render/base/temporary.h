/* Temporary files: files that are being written. If the system supports files without a name,
 * temporary files have no name and vanish with the process. Otherwise they are named
 * .fathom-PID-NUMBER.tmp and locked, so that other processes can detect whether a file is still in
 * use. */
#ifndef FATHOM_RENDER_BASE_TEMPORARY_H
#define FATHOM_RENDER_BASE_TEMPORARY_H

#include <stdbool.h>

struct temporary {
    int fd;       /* descriptor for reading and writing; locked (flock) if possible */
    char *folder; /* "", or the folder with a slash at its end */
    char *path;   /* temporary name; NULL: the file has no name */
};

/* Creates a file in the folder of `target`, with these permissions less the umask. Removes the
 * files that dead processes of this user have left there first. Returns false on failure; errno is
 * set, and there is nothing to close. */
bool temporary_open(struct temporary *file, const char *target, unsigned permissions);
/* Moves the file to `name`, if that is free. Returns false on failure; errno is EEXIST if the name
 * is taken. */
bool temporary_link(struct temporary *file, const char *name);
/* Moves the file to a free name like that of `target`: picture.new.ppm next to picture.ppm. Returns
 * the name, which the caller frees. NULL on failure; errno is set. */
char *temporary_link_spare(struct temporary *file, const char *target);
/* Moves the file to `name` and replaces any file there. Returns false on failure; errno is set, and
 * the file may have got a temporary name. */
bool temporary_rename(struct temporary *file, const char *name);
/* Replaces the content of another file, whose length becomes that of this file. Its disk space is
 * reserved first; *touched becomes true once its content may have changed. Returns 0 or an
 * errno. */
int temporary_copy(const struct temporary *file, int to, bool *touched);
/* Closes the file, and removes it if it still has its temporary name. */
void temporary_close(struct temporary *file);

#endif
