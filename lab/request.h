/* Request of `fathom` to fathom-lab: a command with checked values. fathom reads the command line
 * and the settings, checks every value, and starts fathom-lab COMMAND NAME=VALUE... -- ARGUMENT...,
 * with all numbers of the lists below and the texts that are given. */
#ifndef FATHOM_LAB_REQUEST_H
#define FATHOM_LAB_REQUEST_H

#include "render/backend.h"
#include "render/files/bench_views.h"
#include "render/plan.h"
#include <stdbool.h>
#include <stdint.h>

/* Texts. Names and meanings are those of struct options (app/options/options.h) or of its
 * members. */
#define LAB_REQUEST_TEXTS(TEXT) TEXT(output) TEXT(backend) TEXT(device) TEXT(views) TEXT(csv)
/* Numbers, each with its least and its largest value. */
#define LAB_REQUEST_NUMBERS(NUMBER)                                                                \
    NUMBER(threads, 0, INT32_MAX)                                                                  \
    NUMBER(cpumask, 0, UINT32_MAX)                                                                 \
    NUMBER(shortcuts, 0, SHORTCUTS_ALL)                                                            \
    NUMBER(width_px, 0, FRAME_SIZE_MAX)                                                            \
    NUMBER(height_px, 0, FRAME_SIZE_MAX)                                                           \
    NUMBER(repeats, 0, BENCH_REPEATS_MAX)                                                          \
    NUMBER(quick, 0, 1)                                                                            \
    NUMBER(json, 0, 1)                                                                             \
    NUMBER(verbose, 0, 1)
/* Settings of a scene; -1 if not given. */
#define LAB_REQUEST_SETTINGS(NUMBER)                                                               \
    NUMBER(precision, -1, PRECISION_COUNT - 1)                                                     \
    NUMBER(iterations, -1, FRAME_LIMIT_MAX)

struct lab_request {
    const char *command;
    char **arguments; /* NULL-terminated */
    int argument_count;
#define MEMBER(name) const char *name;
    LAB_REQUEST_TEXTS(MEMBER) /* NULL: not given */
#undef MEMBER
#define MEMBER(name, low, high) int64_t name;
    LAB_REQUEST_NUMBERS(MEMBER)
    LAB_REQUEST_SETTINGS(MEMBER)
#undef MEMBER
};

static inline struct backend_options
lab_request_backend_options(const struct lab_request *request) {
    return (struct backend_options){
        .threads = (int)request->threads,
        .cpumask = (uint32_t)request->cpumask,
        .device = request->device,
    };
}

/* Commands of fathom-lab. Each returns the exit status: 0 success, 1 failure, 2 wrong use. */
int lab_command(const struct lab_request *request);
int bench_command(const struct lab_request *request);
int classic_command(const struct lab_request *request);

#endif
