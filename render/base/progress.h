/* Progress bar of a long command, on one line of a terminal. Nothing is shown if standard error is
 * no terminal, except lines for another program if the environment asks for them. */
#ifndef FATHOM_RENDER_BASE_PROGRESS_H
#define FATHOM_RENDER_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* If this variable is set, the done share is written on lines of their own, such as 0.2500. Its
 * value is the number of the process that reads them. */
#define PROGRESS_LINES "FATHOM_PROGRESS_LINES"

/* Returns true if a command that has run for this long shows its progress. */
bool progress_due(double elapsed_ms);
/* Shows a bar with the remaining time, once due. `done` (0 .. 1) is the finished share of a
 * picture, or of `what` (may be NULL). Returns true if there is a bar now. */
bool progress_show(const char *what, double done, double elapsed_ms);
/* Stores a duration, such as "12 s", "3 min" or "1.5 h". */
void progress_duration(double ms, char *text, size_t size);
/* Stores a text about the remaining time, such as ", about 12 s left". */
void progress_left(double ms, char *text, size_t size);
/* Clears the line. */
void progress_hide(void);

#endif
