/* How many threads the system lets this process start: where OpenMP cannot start one that it was
 * told to, it ends the program. */
#ifndef FATHOM_CPU_THREADS_H
#define FATHOM_CPU_THREADS_H

/* The most that can be started now for work, up to `wanted` (> 0), one or two being left for what
 * writes and waits beside them where they are few. Found out by starting them, which takes some 30
 * us each; they are not held for the caller. 0: not even one; errno says why. */
int threads_startable(int wanted);
/* The same, with a warning where they are fewer, and 1 where there is none: the caller's own. */
int threads_fit(int wanted);

#endif
