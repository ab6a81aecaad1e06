/* What to press, told once, when the program is started for the first time. */
#ifndef FATHOM_APP_WINDOW_GREETING_H
#define FATHOM_APP_WINDOW_GREETING_H

#include <stdbool.h>

#define GREETING_MS 15000.0 /* how long it stays */

/* One line of static text. */
extern const char greeting_text[];

/* Whether it is to be shown: true once for each state folder, in which that is kept. Where it
 * cannot be kept it is not shown either, so that it is not shown again and again. */
bool greeting_due(void);

#endif
