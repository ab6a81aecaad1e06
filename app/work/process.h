/* Processes: starts other programs without a shell. */
#ifndef FATHOM_APP_WORK_PROCESS_H
#define FATHOM_APP_WORK_PROCESS_H

#include <sys/types.h>

/* Starts a program with these standard streams. The first of its words is its name, and NULL ends
 * them. The program gets the default signals, also where the caller ignores or blocks them, and a
 * process group of its own, so that Ctrl-C in a terminal does not reach it. Returns 0, or an errno
 * and *process = 0. */
int process_start(pid_t *process, char *const *words, const int streams[static 3]);

#endif
