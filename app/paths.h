/* Files of the program and of the user that it can do without. Their folders: render/base/user_data.h. */
#ifndef FATHOM_APP_PATHS_H
#define FATHOM_APP_PATHS_H

#include "render/base/atomic_file.h"

/* All return names that the caller frees; NULL: no memory, or no home folder to go by. */
/* FOLDER/NAME. */
char *paths_join(const char *folder, const char *name);
/* NAME, which may begin with "..", in the folder that the running program is in; NULL also where
 * that is unknown. */
char *paths_beside_program(const char *name);
/* The absolute folder of that number, from 0, in $XDG_DATA_DIRS, or in /usr/local/share:/usr/share.
 * NULL: there are not so many. */
char *paths_data_folder(size_t number);
/* Makes the folder of a file, for this user alone, and returns it. NULL: errno says why. */
char *paths_make_folder_of(const char *path);

/* Reads a regular file of at most `limit` bytes of text; a NUL byte is appended. The caller frees
 * it. NULL: there is none, or one warning tells why it is not used. */
char *paths_read(const char *path, size_t limit, size_t *length);
/* Makes the folder of that file, and holds it against other processes of this program that do the
 * same, waiting two seconds for them at most. The caller closes the descriptor. -1: no lock. */
int paths_lock(const char *path);
/* Begins to write a file there, for atomic_file_commit, making its folder for this user alone.
 * NULL: logged why, in one line. */
struct atomic_file *paths_create(const char *path);

#endif
