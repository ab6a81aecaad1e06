/* Work files: walks through a folder. */
#define _GNU_SOURCE /* asprintf */
#include "app/work/work_files.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void work_files_each(const char *folder, const char *prefix,
                     void (*each)(void *user, const char *path), void *user) {
    char *path;
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));)
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
            asprintf(&path, "%s/%s", folder, entry->d_name) >= 0) {
            each(user, path);
            free(path);
        }
    if (files)
        closedir(files);
}

static void remove_file(void *user, const char *path) {
    (void)user;
    unlink(path);
}

void work_files_remove(const char *folder, const char *prefix) {
    work_files_each(folder, prefix, remove_file, NULL);
}
