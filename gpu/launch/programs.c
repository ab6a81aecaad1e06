/* Program cache: makes programs of kernels on a thread. */
#include "gpu/launch/programs.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAMS_MAX 512

struct entry {
    char options[PROGRAM_OPTIONS];
    uint64_t requested;      /* number of its latest request */
    enum device_error state; /* DEVICE_NOT_READY (not made yet), DEVICE_OK, or the error */
    struct device_program *program;
};

struct programs {
    struct device device;
    pthread_t maker;
    pthread_mutex_t lock;   /* protects the members below */
    pthread_cond_t changed; /* signals a new request, a new program, or `quit` */
    bool quit;
    uint64_t requests;
    int count;
    struct entry entries[PROGRAMS_MAX];
};

/* Returns the most recently requested entry that is not made yet, or NULL. */
static struct entry *most_urgent(struct programs *programs) {
    struct entry *best = NULL;
    for (int i = 0; i < programs->count; i++) {
        struct entry *entry = &programs->entries[i];
        if (entry->state == DEVICE_NOT_READY && (!best || entry->requested > best->requested))
            best = entry;
    }
    return best;
}

/* Makes requested programs until `quit`. The lock is not held meanwhile; a compilation cannot be
 * interrupted. */
static void *make_all(void *user) {
    struct programs *programs = user;
    const struct device_impl *impl = programs->device.impl;
    /* A compiler may run as a process, which inherits the signal mask. */
    interrupt_block(true);
    impl->attach(&programs->device);
    pthread_mutex_lock(&programs->lock);
    while (!programs->quit) {
        struct entry *entry = most_urgent(programs);
        if (!entry) {
            pthread_cond_wait(&programs->changed, &programs->lock);
            continue;
        }
        pthread_mutex_unlock(&programs->lock);
        struct device_program *program = NULL;
        const enum device_error state =
            impl->program_make(&programs->device, entry->options, &program);
        pthread_mutex_lock(&programs->lock);
        entry->program = program;
        entry->state = state;
        pthread_cond_broadcast(&programs->changed);
    }
    for (int i = 0; i < programs->count; i++)
        if (programs->entries[i].program)
            impl->program_free(&programs->device, programs->entries[i].program);
    pthread_mutex_unlock(&programs->lock);
    return NULL;
}

/* Returns the entry with these options and creates it if necessary. Returns NULL if the table is
 * full. */
static struct entry *entry_of(struct programs *programs, const char *options) {
    for (int i = 0; i < programs->count; i++)
        if (strcmp(programs->entries[i].options, options) == 0)
            return &programs->entries[i];
    if (programs->count == PROGRAMS_MAX)
        return NULL;
    struct entry *entry = &programs->entries[programs->count++];
    snprintf(entry->options, sizeof entry->options, "%s", options);
    entry->state = DEVICE_NOT_READY;
    return entry;
}

/* Requests a program. The caller holds the lock. */
static struct entry *request(struct programs *programs, const char *options) {
    struct entry *entry = entry_of(programs, options);
    if (!entry)
        return NULL;
    entry->requested = ++programs->requests;
    if (entry->state == DEVICE_NOT_READY)
        pthread_cond_broadcast(&programs->changed);
    return entry;
}

/* Waits until the device's first programs are made. */
static enum device_error make_first(struct programs *programs) {
    enum device_error error = DEVICE_OK;
    const char *const *first = programs->device.impl->first_programs;
    pthread_mutex_lock(&programs->lock);
    for (; first && *first && error == DEVICE_OK; first++) {
        const struct entry *entry = request(programs, *first);
        while (entry->state == DEVICE_NOT_READY)
            pthread_cond_wait(&programs->changed, &programs->lock);
        error = entry->state;
    }
    pthread_mutex_unlock(&programs->lock);
    return error;
}

struct programs *programs_create(const struct device *device, enum device_error *error) {
    struct programs *programs = calloc(1, sizeof *programs);
    *error = DEVICE_NO_MEMORY;
    if (!programs)
        return NULL;
    programs->device = *device;
    pthread_mutex_init(&programs->lock, NULL);
    pthread_cond_init(&programs->changed, NULL);
    const int failed = pthread_create(&programs->maker, NULL, make_all, programs);
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        pthread_mutex_destroy(&programs->lock);
        pthread_cond_destroy(&programs->changed);
        free(programs);
        return NULL;
    }
    *error = make_first(programs);
    if (*error == DEVICE_OK)
        return programs;
    programs_destroy(programs);
    return NULL;
}

void programs_destroy(struct programs *programs) {
    if (!programs)
        return;
    pthread_mutex_lock(&programs->lock);
    programs->quit = true;
    pthread_cond_broadcast(&programs->changed);
    pthread_mutex_unlock(&programs->lock);
    pthread_join(programs->maker, NULL);
    pthread_mutex_destroy(&programs->lock);
    pthread_cond_destroy(&programs->changed);
    free(programs);
}

enum device_error programs_get(struct programs *programs, const char *options,
                               struct device_program **program) {
    pthread_mutex_lock(&programs->lock);
    const struct entry *entry = request(programs, options);
    const enum device_error state = entry ? entry->state : DEVICE_NO_MEMORY;
    *program = entry ? entry->program : NULL;
    pthread_mutex_unlock(&programs->lock);
    return state;
}
