/* Progress bar of a long command, on one line of a terminal. Nothing is shown if standard error is
 * no terminal. */
#ifndef FATHOM_RENDER_BASE_PROGRESS_H
#define FATHOM_RENDER_BASE_PROGRESS_H

#include <stdbool.h>

/* Returns true if a command that has run for this long shows its progress. */
bool progress_due(double elapsed_ms);
/* Shows a bar with the remaining time, once due. `done` (0 .. 1) is the finished share of a
 * picture, or of `what` (may be NULL). Returns true if there is a bar now. */
bool progress_show(const char *what, double done, double elapsed_ms);
/* Clears the line. */
void progress_hide(void);

#endif
