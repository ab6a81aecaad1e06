/* Work folder: the folder with the files of an unfinished movie, locked while processes use it. */
#ifndef FATHOM_APP_MOVIE_WORK_FOLDER_H
#define FATHOM_APP_MOVIE_WORK_FOLDER_H

#include <stdbool.h>

struct work_folder {
    const char *path;
    int lock;    /* locked file in it; -1: none */
    bool shared; /* others may use it */
};

/* Makes the folder, or takes over an older folder of a movie, and locks it: for this process alone,
 * or with `shared` for all processes of the movie. Returns false on failure, which is logged;
 * work_folder_release is then not necessary, but allowed. */
bool work_folder_claim(struct work_folder *folder, const char *path, bool shared);
/* Unlocks the folder, and removes it if it is empty and not shared. */
void work_folder_release(struct work_folder *folder);

#endif
