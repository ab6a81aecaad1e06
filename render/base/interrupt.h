/* Being asked to stop (Ctrl-C, kill, a closed terminal). Commands leave no half file, the window
 * quits as if by its key. */
#ifndef FATHOM_RENDER_BASE_INTERRUPT_H
#define FATHOM_RENDER_BASE_INTERRUPT_H

#include <stdatomic.h>
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
/* From now on one that comes sets this flag, and one that came has set it at once: for work that looks at a flag
 * alone, done by the thread that looks for interrupts otherwise, as no other could be started. NULL: none any more.
 * One thread at a time. */
void interrupt_raises(atomic_bool *flag);
/* Whether signals are left to other threads: by the calling thread, and by threads and processes that it starts while
 * that is so, for libraries that fail when a call or a child of theirs is interrupted. Returns what held before. */
bool interrupt_elsewhere(bool elsewhere);
/* Whether another one did: things are not to be put in order first. */
bool interrupt_came_again(void);

#endif
