/* Processes: starts other programs without a shell. */
#ifndef FATHOM_APP_WORK_PROCESS_H
#define FATHOM_APP_WORK_PROCESS_H

#include <sys/types.h>

/* Starts a program, whose name is the first of its words, which end in NULL, with these standard
 * streams. It gets the default signals, of which the caller ignores or blocks some, and a process
 * group of its own, so that Ctrl-C in a terminal does not reach it. Returns 0, or an errno and
 * *process = 0. */
int process_start(pid_t *process, char *const *words, const int streams[static 3]);

#endif
