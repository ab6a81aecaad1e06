/* The line that is written over itself. */
#include "app/progress.h"
#include <stdio.h>
#include <unistd.h>

#define DUE_MS 1000

bool progress_due(double elapsed_ms) {
    return elapsed_ms >= DUE_MS && isatty(STDERR_FILENO);
}

void progress_repetition(const char *what, int repetition, int repeats) {
    if (!isatty(STDERR_FILENO))
        return;
    if (repetition == 0)
        fprintf(stderr, "\rfathom: %s, warming up\033[K", what);
    else
        fprintf(stderr, "\rfathom: %s, %d of %d\033[K", what, repetition, repeats);
}

void progress_hide(void) {
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
