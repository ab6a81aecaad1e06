/* The user's own folders of the XDG base directory specification: configuration, data (palettes, styles and views),
 * state, and a cache of files that can be made again. */
#ifndef FATHOM_RENDER_BASE_USER_DATA_H
#define FATHOM_RENDER_BASE_USER_DATA_H

#include <stdbool.h>

/* $XDG_CONFIG_HOME if it is absolute, else ~/.config: the folder of every program's configuration. */
char *user_config_home(void);
/* NAME in the program's part of $XDG_CONFIG_HOME, $XDG_DATA_HOME, $XDG_STATE_HOME and $XDG_CACHE_HOME. The file need
 * not exist. The caller frees the path. NULL: there is no home folder to go by, or no memory. */
char *user_config_path(const char *name);
char *user_data_path(const char *name);
char *user_state_path(const char *name);
char *user_cache_path(const char *name);

/* Makes the folder and the missing folders above it with these permissions. False: errno says why. A name that is too
 * long makes no folder. */
bool user_folder_make(const char *folder, unsigned permissions);
/* Does the same with the usual permissions. False: the reason is logged. */
bool user_data_make(const char *folder);

#endif
