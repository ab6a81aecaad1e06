/* Same file: the identity of the file that a name refers to, even before it exists. */
#ifndef FATHOM_RENDER_BASE_SAME_FILE_H
#define FATHOM_RENDER_BASE_SAME_FILE_H

/* Returns the path to which symbolic links lead; no file need exist there. The caller frees it.
 * NULL on failure; errno is set. */
char *links_followed(const char *path);

/* Returns a text that is equal for two names of one regular file. An existing file's text has its
 * device and inode; a new file's has those of the folder, and the name. Links are followed. The
 * caller frees the text. Returns NULL if `path` is NULL, cannot be followed, or refers to anything
 * except a regular file. */
char *file_identity(const char *path);

#endif
