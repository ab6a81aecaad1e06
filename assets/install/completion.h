/* Parts of the completion for bash that follow from the program's tables: branches of its
 * `case`s. */
#ifndef FATHOM_ASSETS_INSTALL_COMPLETION_H
#define FATHOM_ASSETS_INSTALL_COMPLETION_H

#include <stdio.h>

/* COMMAND) what its arguments are */
void completion_commands(FILE *file);
/* COMMAND) the options that mean something to it */
void completion_options(FILE *file);
/* --OPTION) its values */
void completion_values(FILE *file);
/* -LETTER) its long name */
void completion_letters(FILE *file);
/* --OPTION | ...) those that take a value */
void completion_with_value(FILE *file);
/* The commands' names, as an assignment. */
void completion_names(FILE *file);

#endif
