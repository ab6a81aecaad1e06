/* How far a long command is, on one line of a terminal; nothing when standard error is none. */
#ifndef FATHOM_RENDER_BASE_PROGRESS_H
#define FATHOM_RENDER_BASE_PROGRESS_H

#include <stdbool.h>

/* Whether something that has taken this long should show its progress. */
bool progress_due(double elapsed_ms);
/* Shows how much is done of a picture, or of `what` (else NULL), 0 .. 1, as a bar with the time left, once
 * that is due. Whether there is a line now. */
bool progress_show(const char *what, double done, double elapsed_ms);
/* Clears the line. */
void progress_hide(void);

#endif
