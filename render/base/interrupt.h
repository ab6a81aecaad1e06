/* Interrupts: requests to stop (Ctrl-C, kill, a closed terminal). Commands then leave no partial
 * file, and the window quits as if by its key. */
#ifndef FATHOM_RENDER_BASE_INTERRUPT_H
#define FATHOM_RENDER_BASE_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Starts counting SIGINT, SIGTERM and SIGHUP instead of ending the program; the third signal still
 * ends it. Blocking system calls return with EINTR. Signals within 500 ms of the last counted
 * signal count as one, and SIGHUP never counts as the second. Main thread, before other threads
 * start. */
void interrupt_catch(void);
/* Keeps the third signal from ending the program while `hold` is true, during a save. Any
 * thread. */
void interrupt_hold(bool hold);
/* Returns true if a signal was counted. Any thread. */
bool interrupt_requested(void);
/* Sets *flag at each signal from now on, and at once if a signal has already arrived. NULL ends
 * this. Serves work that polls only a flag, and runs on the thread that polls for interrupts
 * because no other thread could be started. Only one thread at a time may use this. */
void interrupt_set_flag(atomic_bool *flag);
/* Blocks the signals (or with false unblocks them) in the calling thread, and in threads and
 * processes started from it meanwhile. Other threads then receive the signals. Protects libraries
 * that fail if a call or a child process is interrupted. Returns the previous state. */
bool interrupt_block(bool block);
/* Returns true if a second signal was counted: the program ends without tidying up first. */
bool interrupt_repeated(void);

#endif
