/* Being asked to stop (Ctrl-C, kill, a closed terminal). Commands leave no half file, the window
 * quits as if by its key. */
#ifndef FATHOM_RENDER_BASE_INTERRUPT_H
#define FATHOM_RENDER_BASE_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending the program, but the third one
 * still ends it; system calls that wait return with EINTR. Signals less than half a second after
 * the one that counted last are the same one, and SIGHUP is never a second one. Main thread, before
 * others are started. */
void interrupt_catch(void);
/* While it is held, the third one does not end the program either: something is being saved. Any
 * thread. */
void interrupt_hold(bool hold);
/* Whether one came. Any thread. */
bool interrupt_came(void);
/* Whether another one did: things are not to be put in order first. */
bool interrupt_came_again(void);

#endif
