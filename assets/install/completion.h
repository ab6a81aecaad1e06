/* What shells complete, from the program's tables: parts of the completions' templates. */
#ifndef FATHOM_ASSETS_INSTALL_COMPLETION_H
#define FATHOM_ASSETS_INSTALL_COMPLETION_H

#include <stdio.h>

/* For bash and zsh: branches of a case by command, option or letter, which call functions of the template
 * (_fathom_words, _fathom_files, _fathom_folders, _fathom_list, _fathom_views) or echo words. */
void complete_commands(FILE *file);
void complete_options(FILE *file);
void complete_values(FILE *file);
void complete_letters(FILE *file);
void complete_with_value(FILE *file);
void complete_names(FILE *file); /* the line that sets `commands` */
void complete_help(FILE *file);  /* for zsh: "--option 'what it is for'", a line each */

/* For fish: a command `complete` for each option, and for each command and its arguments; a case of options with values;
 * what echoes `word` and returns where it is a command. */
void fish_options(FILE *file);
void fish_arguments(FILE *file);
void fish_with_value(FILE *file);
void fish_names(FILE *file);

#endif
