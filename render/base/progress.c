/* Progress bar: writes the progress of a long command on one line of a terminal, over the previous
 * one. */
#include "render/base/progress.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DUE_MS    1000
#define LINES_MS  200 /* interval between two lines of progress */
#define BAR_CHARS 30
#define LEFT_FROM 0.01 /* share of the work before which the remaining time cannot be estimated */

bool progress_due(double elapsed_ms) {
    return elapsed_ms >= DUE_MS && isatty(STDERR_FILENO);
}

void progress_duration(double ms, char *text, size_t size) {
    const double s = ms / 1000;
    if (s < 99.5)
        snprintf(text, size, "%.0f s", s);
    else if (s < 99.5 * 60)
        snprintf(text, size, "%.0f min", s / 60);
    else
        snprintf(text, size, "%.1f h", s / 3600);
}

void progress_left(double ms, char *text, size_t size) {
    char duration[24];
    progress_duration(ms, duration, sizeof duration);
    snprintf(text, size, ", about %s left", duration);
}

/* Prints the progress as a line, from time to time. */
static void print_line(double done, double elapsed_ms) {
    static double due_ms;
    if (elapsed_ms < due_ms)
        return;
    due_ms = elapsed_ms + LINES_MS;
    fprintf(stderr, "%.4f\n", done);
}

/* Returns the cursor to the start of the line, so that a message overwrites the bar. */
bool progress_show(const char *what, double done, double elapsed_ms) {
    static const char full[BAR_CHARS + 1] = "##############################";
    static const char none[BAR_CHARS + 1] = "..............................";
    char left[40] = "";
    if (getenv(PROGRESS_LINES))
        print_line(done, elapsed_ms);
    if (!progress_due(elapsed_ms))
        return false;
    const int chars = (int)(BAR_CHARS * done);
    if (done > LEFT_FROM)
        progress_left(elapsed_ms * (1 - done) / done, left, sizeof left);
    fprintf(stderr, "\r\033[Kfathom: %s%s[%.*s%.*s] %5.1f %%%s\r", what ? what : "",
            what ? " " : "", chars, full, BAR_CHARS - chars, none, 100 * done, left);
    return true;
}

void progress_hide(void) {
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
