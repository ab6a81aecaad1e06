/* Which file a name stands for, even if it does not exist yet. */
#ifndef FATHOM_RENDER_BASE_SAME_FILE_H
#define FATHOM_RENDER_BASE_SAME_FILE_H

/* Where symbolic links lead from there, although nothing may be there yet. The caller frees it.
 * NULL: errno says why. */
char *links_followed(const char *path);

/* A text that two names have in common if they stand for one regular file: its device and inode, or those of its folder
 * and its name where nothing is there yet; links are followed. The caller frees it. NULL: the name is NULL, stands for
 * what is no regular file, or cannot be followed. */
char *file_identity(const char *path);

#endif
