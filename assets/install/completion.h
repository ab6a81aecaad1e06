/* Shell completions: writes the parts of the completions' templates that depend on the program's
 * tables. */
#ifndef FATHOM_ASSETS_INSTALL_COMPLETION_H
#define FATHOM_ASSETS_INSTALL_COMPLETION_H

#include <stdio.h>

/* Experiments of the laboratory, which exists on x86-64 only. */
#if FATHOM_LAB
#include "lab/lab.h"
#else
static const struct experiment { const char *name, *what; } lab_experiments[] = {{0}};
#endif

/* Write branches of a case for bash and zsh: by command, option or letter. They call functions of
 * the template (_fathom_words, _fathom_files, _fathom_folders, _fathom_list, _fathom_views) or echo
 * words. */
void complete_commands(FILE *file);
void complete_options(FILE *file);
void complete_values(FILE *file);
void complete_letters(FILE *file);
void complete_with_value(FILE *file);
void complete_names(FILE *file); /* line that sets `commands` */
void complete_help(FILE *file);  /* lines "--option 'help'" of zsh, one for each option */

/* Write for fish: a `complete` command for each option; a `complete` command for each command and
 * its arguments; a case of options with values; the code that echoes `word` and returns if it is a
 * command. */
void fish_options(FILE *file);
void fish_arguments(FILE *file);
void fish_with_value(FILE *file);
void fish_names(FILE *file);

#endif
