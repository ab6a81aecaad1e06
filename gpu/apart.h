/* Asking a driver so that neither one that crashes nor one that hangs harms this process. */
#ifndef FATHOM_GPU_APART_H
#define FATHOM_GPU_APART_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum apart {
    APART_ANSWERED,
    APART_CRASHED,  /* what it was asked for ended the process */
    APART_SILENT,   /* no answer within wait_ms */
    APART_NOT_ASKED /* there is no process to be had */
};

/* Has `ask` fill an answer of `size` bytes, from its zeros on, in a child without standard output and error. *answer is undefined
 * unless it is ANSWERED. Before devices are used, as it forks. */
enum apart apart_ask(void (*ask)(void *answer), void *answer, size_t size, int wait_ms);
/* The same on a thread of its own: a crash is this process's. One that is SILENT goes on hanging. */
enum apart apart_ask_here(void (*ask)(void *answer), void *answer, size_t size, int wait_ms);
/* Joins a thread that ends soon. False: it does not, and is detached; what libraries clean up at the end of the process is
 * then left out. */
bool apart_join(pthread_t thread, int wait_ms);

#endif
