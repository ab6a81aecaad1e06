/* Which file a name stands for, even if it does not exist yet. */
#ifndef FATHOM_RENDER_BASE_SAME_FILE_H
#define FATHOM_RENDER_BASE_SAME_FILE_H

#include <stdbool.h>

/* Where symbolic links lead from there, although nothing may be there yet. The caller frees it.
 * NULL: errno says why. */
char *links_followed(const char *path);

/* Whether two names stand for one regular file, by device and inode, or by folder and name where
 * there is none yet; links are followed. NULL names no file. */
bool same_file(const char *a, const char *b);

#endif
