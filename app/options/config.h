/* Settings: what the config file and the environment say where the command line does not.
 *
 * $XDG_CONFIG_HOME/fathom/config, else ~/.config/fathom/config, is INI (render/base/ini.h): long
 * names of options with values ("palette = ember"; flags take yes or no). What is before the first
 * section counts for every command but those that measure (bench, classic, lab); what is in a
 * section named as a command, or [explore], counts for that one only, and before the rest. FATHOM_
 * with the name in capitals (FATHOM_BACKEND=avx2) is stronger than the file, the command line
 * stronger than both. Where a view is given, it tells what a view tells: settings then count only
 * for a size that it leaves open. */
#ifndef FATHOM_APP_OPTIONS_CONFIG_H
#define FATHOM_APP_OPTIONS_CONFIG_H

#include "app/options/options.h"
#include <stdio.h>

/* The settings that are kept, by enum preference; and the levels of the numbers, as --numbers names
 * them. NULL-terminated. */
extern const char *const preference_names[];
extern const char *const preference_numbers[];

/* Puts settings into parsed options. What is wrong is reported, one warning for each line, and left
 * out; how much it was is left in options->wrong_settings. The file is not read with --no-config
 * and for scripts, and never written. */
void config_apply(struct options *options);
/* Where the file is, or would be. The caller frees it. NULL: there is no home folder. */
char *config_path(void);
/* Writes a file that has every setting as a comment. */
void config_template(FILE *file);

/* Whether the explorer keeps anything from run to run. */
bool config_remembers(const struct options *options);
/* The file of what is; the caller frees the name. NULL: there is no folder for it. */
char *config_preferences_path(void);

#endif
