/* Example views by what a person remembers of their names: case, blanks, dashes and underscores do
 * not matter, and the beginning of the name, or of a word in it, is enough. */
#ifndef FATHOM_APP_OPTIONS_VIEW_MATCH_H
#define FATHOM_APP_OPTIONS_VIEW_MATCH_H

#include <stdbool.h>

/* How many example views `word` may mean. *names, which the caller frees, is the name of the one,
 * several with ", " between, or NULL for none (or no memory). A whole name means that view
 * alone. */
int view_match(const char *word, char **names);

/* Whether a word of the command line reads like bare coordinates (location.h), "-0.75 + 0.1i 2500",
 * and so is no file's name that may be given. */
bool view_match_coordinates(const char *word);

#endif
