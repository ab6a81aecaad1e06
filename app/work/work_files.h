/* Work files: finds files of one kind in a work folder. */
#ifndef FATHOM_APP_WORK_WORK_FILES_H
#define FATHOM_APP_WORK_WORK_FILES_H

/* Calls `each` with the path of every file in a folder whose name begins with `prefix`. A folder
 * that cannot be read has none. */
void work_files_each(const char *folder, const char *prefix,
                     void (*each)(void *user, const char *path), void *user);
/* Removes these files. */
void work_files_remove(const char *folder, const char *prefix);

#endif
