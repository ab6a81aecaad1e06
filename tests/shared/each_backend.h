/* Backend tests: runs a test for each backend, opens backends and waits until they are ready, and
 * names the backend in messages. */
#ifndef FATHOM_TESTS_SHARED_EACH_BACKEND_H
#define FATHOM_TESTS_SHARED_EACH_BACKEND_H

#include "cpu/cpuid.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "tests/shared/scoped.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, subject, #condition);                    \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

/* Backends to test: the program's, unless the build of a test defines others. */
#ifndef PICTURES_BACKENDS
#define PICTURES_BACKENDS backends_all
#endif
extern const struct backend_impl *const PICTURES_BACKENDS[];

static const char *subject; /* the backend under test, for messages */

/* Returns true if the backend is one of gpu/, which iterate in launches. */
static inline bool on_gpu(void) {
    return strcmp(subject, "cuda") == 0 || strcmp(subject, "host") == 0 ||
           strcmp(subject, "opencl") == 0;
}

static inline struct backend *open_ready(const char *name, struct backend_options options) {
    struct backend *backend = backend_open(PICTURES_BACKENDS, name, &options);
    const double start = clock_ms();
    while (backend && !backend_info(backend).ready && clock_ms() - start < 60000)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return backend;
}

static const struct backend_options plain = {.cpumask = ~0u};

/* Returns the CPU time of all threads [ms], which other programs do not affect. */
static inline double worked_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Opens the plainest backend as a reference: without vector instructions. For the scalar backend,
 * which uses fma, also without fma, which takes ten times as long. */
static inline struct backend *open_judge(void) {
    struct backend_options masked = plain;
    masked.cpumask = subject && strcmp(subject, "scalar") == 0 ? 0 : CPU_FMA;
    return open_ready("scalar", masked);
}

/* Returns true if kernels have not run for longer than their request exists. */
static inline bool in_time(const struct backend_report *report) {
    if (report->device_ms <= 1.01 * report->elapsed_ms + 0.5)
        return true;
    printf("%s: %.2f ms in kernels within %.2f ms\n", subject, report->device_ms,
           report->elapsed_ms);
    return false;
}

/* Calls `check` for every automatic backend that can run here, or only for the backend `only`.
 * Returns the program's exit status: 77 if the named backend cannot run, failure if none can. On
 * success it prints `text` with the number of backends. */
static inline int check_each_backend(const char *only, bool (*check)(const char *name),
                                     const char *text) {
    int checked = 0;
    for (const struct backend_impl *const *impl = PICTURES_BACKENDS; *impl; impl++) {
        const char *why = NULL;
        if (only ? strcmp(only, (*impl)->name) != 0 : !(*impl)->automatic)
            continue;
        if (!(*impl)->usable(&plain, &why)) {
            printf("%s: skipped, %s\n", (*impl)->name, why);
            continue;
        }
        subject = (*impl)->name;
        if (!check(subject))
            return 1;
        checked++;
    }
    if (checked == 0) {
        printf("no backend %s\n", text);
        return only ? 77 : 1;
    }
    printf("%d backends %s\n", checked, text);
    return 0;
}

static bool (*each_pair)(struct backend *backend, struct backend *judge);

static inline bool check_opened(const char *name) {
    struct backend *backend = open_ready(name, plain), *judge = open_judge();
    const bool ok = backend && judge && each_pair(backend, judge);
    backend_close(backend);
    backend_close(judge);
    return ok;
}

/* Calls `check` as check_each_backend does, with the backend and a judge, which it closes. */
static inline int check_each_pair(const char *only,
                                  bool (*check)(struct backend *backend, struct backend *judge),
                                  const char *text) {
    each_pair = check;
    return check_each_backend(only, check_opened, text);
}

#endif
