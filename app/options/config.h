/* Settings: values of options from the settings file and the environment.
 *
 * The file $XDG_CONFIG_HOME/fathom/config, or ~/.config/fathom/config, is INI (render/base/ini.h):
 * long names of options with values ("palette = ember"; flags take yes or no). Settings before the
 * first section apply to every command except those that measure (bench, classic, lab). Settings in
 * a section named as a command, or in [explore], apply to that command and override those before
 * the first section. The environment (FATHOM_BACKEND=avx2) overrides the file, and the command line
 * overrides both. If a view is given, its own settings apply, and the size of a picture only if the
 * view has none. */
#ifndef FATHOM_APP_OPTIONS_CONFIG_H
#define FATHOM_APP_OPTIONS_CONFIG_H

#include "app/options/options.h"
#include <stdio.h>

/* Names of the remembered settings, by enum preference, NULL-terminated. */
extern const char *const preference_names[];
/* Values of --numbers, NULL-terminated. */
extern const char *const preference_numbers[];

/* Reads settings into parsed options. Wrong settings are ignored: each is logged as a warning and
 * counted in options->wrong_settings. The file is not read with --no-config or for scripts. */
void config_apply(struct options *options);
/* Returns the file's path, whether or not the file exists. The caller frees it. NULL: there is no
 * home folder. */
char *config_path(void);
/* Writes a settings file that contains every setting as a comment. */
void config_template(FILE *file);

/* Returns true if the explorer remembers preferences from run to run. */
bool config_keeps_preferences(const struct options *options);
/* Returns the path of the preferences' file. The caller frees it. NULL: there is no folder for
 * it. */
char *config_preferences_path(void);

#endif
