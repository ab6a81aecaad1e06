/* Driver probe: calls driver functions with a time limit, in a child process or on a thread. */
#ifndef FATHOM_GPU_DRIVER_PROBE_H
#define FATHOM_GPU_DRIVER_PROBE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum driver_probe {
    DRIVER_PROBE_ANSWERED,
    DRIVER_PROBE_CRASHED,    /* the function ended the process before it answered */
    DRIVER_PROBE_TIMED_OUT,  /* no answer arrived within timeout_ms */
    DRIVER_PROBE_NOT_STARTED /* no pipe, process or thread could be created */
};

/* Calls `query` in a child process without standard output and error. The function fills an answer
 * of `size` bytes, which are zero at first. *answer is undefined unless DRIVER_PROBE_ANSWERED is
 * returned. Call it before any device is used, because it forks. */
enum driver_probe driver_probe_in_process(void (*query)(void *answer), void *answer, size_t size,
                                          int timeout_ms);
/* Calls `query` in the same way on a thread. A crash ends this process; a thread that stays silent
 * remains hanging. */
enum driver_probe driver_probe_on_thread(void (*query)(void *answer), void *answer, size_t size,
                                         int timeout_ms);
/* Joins a thread that should end soon. Returns false if it is still running after timeout_ms; the
 * thread is then detached, and the process skips the exit handlers of libraries. */
bool driver_probe_join(pthread_t thread, int timeout_ms);

#endif
