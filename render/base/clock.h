/* Clock: monotonic milliseconds, the only time base of the program, and the local time as text. */
#ifndef FATHOM_RENDER_BASE_CLOCK_H
#define FATHOM_RENDER_BASE_CLOCK_H

#include <time.h>

#define CLOCK_DATE     "%Y-%m-%d"
#define CLOCK_SECOND   "%Y-%m-%d-%H%M%S"
#define CLOCK_TEXT_MAX 32

static inline double clock_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Returns the time of a clock of the system `ms` from now, for functions that wait until then. */
static inline struct timespec clock_after(clockid_t clock, double ms) {
    struct timespec t;
    clock_gettime(clock, &t);
    const long long ns = t.tv_nsec + (long long)(ms * 1e6);
    return (struct timespec){t.tv_sec + (time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

/* Prints the local time in a format of strftime; the text is empty if the time is unknown. */
static inline void clock_local(const char *format, char text[static CLOCK_TEXT_MAX]) {
    struct tm local;
    const time_t now = time(NULL);
    if (!localtime_r(&now, &local) || strftime(text, CLOCK_TEXT_MAX, format, &local) == 0)
        text[0] = '\0';
}

#endif
