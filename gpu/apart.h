/* Driver probe: calls driver functions with a time limit, in a child process or on a thread. */
#ifndef FATHOM_GPU_APART_H
#define FATHOM_GPU_APART_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum apart {
    APART_ANSWERED,
    APART_CRASHED,  /* the function ended the process before it answered */
    APART_SILENT,   /* no answer arrived within wait_ms */
    APART_NOT_ASKED /* no pipe, process or thread could be created */
};

/* Calls `ask` in a child process without standard output and error. The function fills an answer of
 * `size` bytes, which are zero at first. *answer is undefined unless APART_ANSWERED is returned.
 * Call it before any device is used, because it forks. */
enum apart apart_ask(void (*ask)(void *answer), void *answer, size_t size, int wait_ms);
/* Calls `ask` in the same way on a thread. A crash ends this process; a thread that stays silent
 * remains hanging. */
enum apart apart_ask_here(void (*ask)(void *answer), void *answer, size_t size, int wait_ms);
/* Joins a thread that should end soon. Returns false if it is still running after wait_ms; the
 * thread is then detached, and the process skips the exit handlers of libraries. */
bool apart_join(pthread_t thread, int wait_ms);

#endif
