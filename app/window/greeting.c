/* Tells the first start by a file in the state folder that every later start finds. */
#define _GNU_SOURCE
#include "app/window/greeting.h"
#include "app/paths.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The blanks behind the colons break no line. */
const char greeting_text[] =
    "wheel:\u00a0zoom   drag:\u00a0move   G:\u00a0gallery   L:\u00a0panel   F1:\u00a0keys";

static bool make_folder_of(const char *path) {
    char *folder = strdup(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    const bool ok = slash && paths_make_folder(folder, 0700);
    free(folder);
    return ok;
}

bool greeting_due(void) {
    char *path = paths_state("greeted");
    const int file = path && make_folder_of(path)
                         ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                         : -1;
    if (file >= 0)
        close(file);
    free(path);
    return file >= 0;
}
