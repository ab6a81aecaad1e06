/* Parts of the man page that follow from the program's tables, as man(7) source. */
#ifndef FATHOM_ASSETS_INSTALL_MANUAL_H
#define FATHOM_ASSETS_INSTALL_MANUAL_H

#include <stdio.h>

void manual_title(FILE *file);
void manual_synopsis(FILE *file);
/* One paragraph a command, with the options that mean something to it. */
void manual_commands(FILE *file);
/* Options under a heading for each set of commands that share them, in the order of the table. */
void manual_options(FILE *file);
/* The names that a config file may set. */
void manual_settings(FILE *file);
void manual_keys(FILE *file);
void manual_palettes(FILE *file);
void manual_bench_views(FILE *file);
void manual_experiments(FILE *file);

#endif
