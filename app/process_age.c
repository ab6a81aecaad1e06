/* Process age: reads the age of the process from /proc/self/stat. */
#define _GNU_SOURCE /* defines CLOCK_BOOTTIME */
#include "app/process_age.h"
#include "render/base/log.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define START_FIELD 20 /* spaces between the name, which is in parentheses, and the start time */

/* Reads the time from the system's start to that of the process [ticks]. */
static bool read_start(unsigned long long *ticks) {
    char text[1024];
    FILE *file = fopen("/proc/self/stat", "r");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    const char *at = strrchr(text, ')');
    for (int field = 0; at && field < START_FIELD; field++)
        at = strchr(at + 1, ' ');
    return at && sscanf(at, "%llu", ticks) == 1;
}

double process_age_ms(void) {
    struct timespec now;
    unsigned long long ticks;
    const long per_second = sysconf(_SC_CLK_TCK);
    if (per_second <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0 || !read_start(&ticks))
        return NAN;
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6 -
           (double)ticks * 1e3 / (double)per_second;
}

void process_age_log(const char *what) {
    log_info("%s %.0f ms after the start", what, process_age_ms());
}
