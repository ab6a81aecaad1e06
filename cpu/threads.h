/* Thread limit: how many threads the system lets this process start. OpenMP ends the program if it
 * cannot start a thread that it was asked for. */
#ifndef FATHOM_CPU_THREADS_H
#define FATHOM_CPU_THREADS_H

/* Returns how many threads can be started for work, at most `wanted` (> 0). Reserves one or two for
 * writing and waiting if threads are scarce. Measured by starting them, about 30 us each; they are
 * not reserved for the caller. Returns 0 if none can be started, with the reason in errno. */
int threads_startable(int wanted);
/* Returns the same, at least 1, which is the caller's own thread. Logs a warning if it is less than
 * `wanted`. */
int threads_fit(int wanted);

#endif
