/* Active backend: opens backends, lets one stand in while another starts, and switches to the
 * next one when a device is lost. */
#include "app/picture/active_backend.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

#define IMPLS_MAX 32

struct active_backend {
    const struct backend_impl *const *impls;
    struct backend_options options;
    struct messages *messages;
    struct backend *chosen, *standin; /* standin: draws while `chosen` starts, else NULL */
    /* further handles on the drawing backend's device; NULL if not open */
    struct backend *low_priority[BACKEND_BEHIND + 1], *insets[ACTIVE_BACKEND_INSETS];
    uint32_t failed; /* bit i is set if implementation i has lost its device */
};

/* Collects the usable implementations, NULL-terminated: those that have not failed. A fallback
 * (`second`) is left out if any implementation before it has failed. */
static void list_remaining(const struct active_backend *active,
                           const struct backend_impl *impls[IMPLS_MAX + 1]) {
    size_t count = 0;
    for (size_t i = 0; active->impls[i] && i < IMPLS_MAX; i++) {
        const uint32_t out = active->impls[i]->second ? (2u << i) - 1 : 1u << i;
        if (!(active->failed & out))
            impls[count++] = active->impls[i];
    }
    impls[count] = NULL;
}

static void mark_failed(struct active_backend *active, const char *name) {
    for (size_t i = 0; active->impls[i] && i < IMPLS_MAX; i++)
        if (strcmp(active->impls[i]->name, name) == 0)
            active->failed |= 1u << i;
}

/* Opens the implementation after `name` that has not failed. */
static struct backend *open_next(struct active_backend *active, const char *name) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    list_remaining(active, impls);
    const char *next = backend_next_name(impls, name, &active->options);
    return next ? backend_open(impls, next, &active->options) : NULL;
}

static struct backend *open_best(struct active_backend *active) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    list_remaining(active, impls);
    for (size_t i = 0; impls[i]; i++) {
        const char *why = NULL;
        if (backend_may_choose(impls, impls[i], &active->options, &why))
            return backend_open(impls, impls[i]->name, &active->options);
    }
    return NULL;
}

/* Closes the further handles because another device is about to draw. */
static void close_beside(struct active_backend *active) {
    for (int i = 0; i <= BACKEND_BEHIND; i++) {
        backend_close(active->low_priority[i]);
        active->low_priority[i] = NULL;
    }
    for (int i = 0; i < ACTIVE_BACKEND_INSETS; i++) {
        backend_close(active->insets[i]);
        active->insets[i] = NULL;
    }
}

/* Makes `backend` the chosen one, with a stand-in if it is not ready. */
static void set_chosen(struct active_backend *active, struct backend *backend) {
    close_beside(active);
    backend_close(active->standin);
    backend_close(active->chosen);
    active->chosen = backend;
    active->standin = NULL;
    const struct backend_info info = backend_info(backend);
    if (!info.ready)
        active->standin = open_next(active, info.name);
}

struct active_backend *active_backend_create(const struct backend_impl *const *impls,
                                             const char *name,
                                             const struct backend_options *options,
                                             struct messages *messages) {
    struct active_backend *active = calloc(1, sizeof *active);
    if (!active)
        return NULL;
    active->impls = impls;
    active->options = *options;
    active->messages = messages;
    active->options.device_needed = false; /* another device may replace it later */
    struct backend *backend = backend_open(impls, name, options);
    if (!backend) {
        active_backend_destroy(active);
        return NULL;
    }
    set_chosen(active, backend);
    return active;
}

void active_backend_destroy(struct active_backend *active) {
    if (!active)
        return;
    close_beside(active);
    backend_close(active->standin);
    backend_close(active->chosen);
    free(active);
}

struct backend *active_backend_get(struct active_backend *active) {
    return active->standin ? active->standin : active->chosen;
}

/* Opens the handle if it is lost or not open yet. */
static struct backend *keep_handle(struct active_backend *active, struct backend **handle,
                                   enum backend_priority priority) {
    if (*handle && backend_is_lost(*handle)) {
        backend_close(*handle);
        *handle = NULL;
    }
    if (!*handle)
        *handle = backend_another(active_backend_get(active), priority);
    return *handle;
}

struct backend *active_backend_low_priority(struct active_backend *active,
                                            enum backend_priority priority) {
    struct backend *handle = keep_handle(active, &active->low_priority[priority], priority);
    return handle ? handle : active_backend_get(active);
}

struct backend *active_backend_inset(struct active_backend *active, int number) {
    return keep_handle(active, &active->insets[number], BACKEND_INSET);
}

void active_backend_cancel_low_priority(struct active_backend *active) {
    for (int i = BACKEND_REST; i <= BACKEND_BEHIND; i++)
        if (active->low_priority[i])
            backend_cancel(active->low_priority[i]);
}

void active_backend_cancel(struct active_backend *active) {
    backend_cancel(active_backend_get(active));
    active_backend_cancel_low_priority(active);
}

void active_backend_cancel_for_next(struct active_backend *active) {
    backend_cancel_for_next(active_backend_get(active));
    active_backend_cancel_low_priority(active);
}

struct backend_info active_backend_info(struct active_backend *active) {
    return backend_info(active_backend_get(active));
}

const char *active_backend_starting(struct active_backend *active) {
    return active->standin ? backend_info(active->chosen).name : NULL;
}

/* Keeps the stand-in because the chosen backend failed to start. */
static void give_up_chosen(struct active_backend *active) {
    const char *name = backend_info(active->chosen).name;
    messages_post(active->messages, "%s could not start; continuing with %s", name,
                  backend_info(active->standin).name);
    mark_failed(active, name);
    backend_close(active->chosen);
    active->chosen = active->standin;
    active->standin = NULL;
}

bool active_backend_update(struct active_backend *active) {
    if (!active->standin)
        return false;
    const struct backend_info info = backend_info(active->chosen);
    if (info.ready) {
        close_beside(active);
        backend_close(active->standin);
        active->standin = NULL;
        log_info("drawing with %s on %s", info.name, info.device);
        return true;
    }
    if (backend_poll(active->chosen, 0).state == BACKEND_LOST)
        give_up_chosen(active);
    return false;
}

bool active_backend_next(struct active_backend *active) {
    struct backend *next = open_next(active, backend_info(active->chosen).name);
    if (!next) {
        messages_post(active->messages, "no other backend works here");
        return false;
    }
    set_chosen(active, next);
    const struct backend_info info = backend_info(next);
    messages_post(active->messages, "backend %s", info.name);
    return true;
}

const char *active_backend_usable(struct active_backend *active, size_t i) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    list_remaining(active, impls);
    for (size_t at = 0; impls[at]; at++) {
        const char *why = NULL;
        if (backend_may_choose(impls, impls[at], &active->options, &why) && i-- == 0)
            return impls[at]->name;
    }
    return NULL;
}

bool active_backend_choose(struct active_backend *active, const char *name) {
    const struct backend_impl *impls[IMPLS_MAX + 1];
    list_remaining(active, impls);
    struct backend *backend = backend_open(impls, name, &active->options);
    if (!backend) {
        messages_post(active->messages, "backend %s cannot be used", name);
        return false;
    }
    set_chosen(active, backend);
    messages_post(active->messages, "backend %s", name);
    return true;
}

bool active_backend_lost(struct active_backend *active) {
    const char *name = active_backend_info(active).name;
    mark_failed(active, name);
    if (active->standin) {
        close_beside(active);
        backend_close(active->standin);
        active->standin = NULL;
        return true;
    }
    struct backend *next = open_best(active);
    if (!next) {
        log_error("backend %s failed and no other can be used here", name);
        return false;
    }
    messages_post(active->messages, "%s was lost; continuing with %s", name,
                  backend_info(next).name);
    set_chosen(active, next);
    return true;
}

void active_backend_post(struct active_backend *active, const char *what) {
    messages_post(active->messages, "%s %s", active_backend_info(active).name, what);
}

bool active_backend_inject_loss(struct active_backend *active) {
    struct backend_options options = active->options;
    options.lose_after = 1;
    struct backend *backend =
        backend_open(active->impls, active_backend_info(active).name, &options);
    if (backend)
        set_chosen(active, backend);
    return backend != NULL;
}
