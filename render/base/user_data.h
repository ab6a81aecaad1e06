/* The user's own folders: of data, which has palettes and views, and of what can be made again. */
#ifndef FATHOM_RENDER_BASE_USER_DATA_H
#define FATHOM_RENDER_BASE_USER_DATA_H

#include <stdbool.h>

/* $XDG_DATA_HOME/fathom/NAME, or below ~/.local/share where that variable is no absolute path. The
 * caller frees it; whether it exists is another question. NULL: no home folder to go by, or no
 * memory. */
char *user_data_path(const char *name);
/* Makes such a folder, with those above it. False: logged why. */
bool user_data_make(const char *folder);
/* The same in $XDG_CACHE_HOME/fathom, or below ~/.cache. */
char *user_cache_path(const char *name);

#endif
