/* Paths: optional files of the program and of the user. For their folders see
 * render/base/user_data.h. */
#ifndef FATHOM_APP_PATHS_H
#define FATHOM_APP_PATHS_H

#include "render/base/atomic_file.h"

/* All paths are freed by the caller; NULL means no memory, or no home folder. */
/* Returns FOLDER/NAME. */
char *paths_join(const char *folder, const char *name);
/* Returns NAME, which may begin with "..", in the folder of the running program, or NULL if that
 * is unknown. */
char *paths_beside_program(const char *name);
/* Returns the absolute folder number `number`, from 0, in $XDG_DATA_DIRS, or in
 * /usr/local/share:/usr/share. Returns NULL past the end. */
char *paths_data_folder(size_t number);
/* Makes the folder of a file, accessible to this user only, and returns it. Returns NULL on
 * failure, with errno set. */
char *paths_make_folder_of(const char *path);

/* Reads a regular text file of at most `limit` bytes and appends a NUL byte. The caller frees the
 * text. Returns NULL if the file does not exist or cannot be used; in the latter case the reason is
 * logged as one warning. */
char *paths_read(const char *path, size_t limit, size_t *length);
/* Makes the folder of a file and locks it against other processes of this program, for which it
 * waits two seconds at most. The caller closes the descriptor. Returns -1 on failure. */
int paths_lock(const char *path);
/* Begins to write a file, for atomic_file_commit, and makes its folder for this user only.
 * Returns NULL on failure; the reason is logged in one line. */
struct atomic_file *paths_create(const char *path);

#endif
