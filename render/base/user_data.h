/* The user's data folder, which has own palettes and views. */
#ifndef FATHOM_RENDER_BASE_USER_DATA_H
#define FATHOM_RENDER_BASE_USER_DATA_H

/* $XDG_DATA_HOME/fathom/NAME, or below ~/.local/share where that variable is no absolute path. The
 * caller frees it; whether it exists is another question. NULL: no home folder to go by, or no
 * memory. */
char *user_data_path(const char *name);

#endif
