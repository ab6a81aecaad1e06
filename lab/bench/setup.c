/* Names in a benchmark's lists, and its number of threads. */
#include "lab/bench/setup.h"
#include "cpu/threads.h"
#include <omp.h>
#include <string.h>

bool setup_lists(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (strcspn(p, ",") == length && strncmp(p, name, length) == 0)
            return true;
    return !list;
}

int setup_threads(const struct bench_setup *setup) {
    const int wanted = setup->options.threads > 0 ? setup->options.threads : omp_get_num_procs();
    const int startable = threads_startable(wanted);
    return startable > 0 ? startable : 1;
}
