/* Progress bar: writes the progress of a long command on one line of a terminal, over the previous
 * one. */
#include "render/base/progress.h"
#include <stdio.h>
#include <unistd.h>

#define DUE_MS    1000
#define BAR_CHARS 30
#define LEFT_FROM 0.01 /* share of the work before which the remaining time cannot be estimated */

bool progress_due(double elapsed_ms) {
    return elapsed_ms >= DUE_MS && isatty(STDERR_FILENO);
}

static void print_left(double ms) {
    const double s = ms / 1000;
    if (s < 99.5)
        fprintf(stderr, ", about %.0f s left", s);
    else if (s < 99.5 * 60)
        fprintf(stderr, ", about %.0f min left", s / 60);
    else
        fprintf(stderr, ", about %.1f h left", s / 3600);
}

/* Returns the cursor to the start of the line, so that a message overwrites the bar. */
bool progress_show(const char *what, double done, double elapsed_ms) {
    static const char full[BAR_CHARS + 1] = "##############################";
    static const char none[BAR_CHARS + 1] = "..............................";
    if (!progress_due(elapsed_ms))
        return false;
    const int chars = (int)(BAR_CHARS * done);
    fprintf(stderr, "\r\033[Kfathom: %s%s[%.*s%.*s] %5.1f %%", what ? what : "", what ? " " : "",
            chars, full, BAR_CHARS - chars, none, 100 * done);
    if (done > LEFT_FROM)
        print_left(elapsed_ms * (1 - done) / done);
    fputs("\r", stderr);
    return true;
}

void progress_hide(void) {
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
