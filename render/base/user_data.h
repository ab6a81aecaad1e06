/* User folders of the XDG base directory specification: configuration, data (palettes, styles and
 * views), state, and a cache of files that can be made again. */
#ifndef FATHOM_RENDER_BASE_USER_DATA_H
#define FATHOM_RENDER_BASE_USER_DATA_H

#include <stdbool.h>

/* Returns $XDG_CONFIG_HOME if it is absolute, else ~/.config: the configuration folder of all
 * programs. */
char *user_config_home(void);
/* Return the path of `name` in the program's part of $XDG_CONFIG_HOME, $XDG_DATA_HOME,
 * $XDG_STATE_HOME and $XDG_CACHE_HOME. The file need not exist. The caller frees the path. NULL if
 * there is no home folder or no memory. */
char *user_config_path(const char *name);
char *user_data_path(const char *name);
char *user_state_path(const char *name);
char *user_cache_path(const char *name);

/* Creates the folder and the missing folders above it with these permissions. Returns false on
 * failure; errno is set. If a name is too long, no folder is made. */
bool user_folder_make(const char *folder, unsigned permissions);
/* Creates the folder with the usual permissions. Returns false on failure; the reason is logged. */
bool user_folder_make_or_log(const char *folder);

#endif
