/* Tells the first start by a file in the state folder that every later start finds. */
#include "app/window/greeting.h"
#include "app/paths.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The blanks behind the colons break no line. */
const char greeting_text[] =
    "wheel:\u00a0zoom   drag:\u00a0move   G:\u00a0gallery   L:\u00a0panel   F1:\u00a0keys";

bool greeting_due(void) {
    char *path = paths_state("greeted"), *folder = path ? paths_make_folder_of(path) : NULL;
    const int file = folder ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (file >= 0)
        close(file);
    free(folder);
    free(path);
    return file >= 0;
}
