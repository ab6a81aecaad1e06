/* Backend wrapper: checks calls against the contract, and chooses a backend by name or by order. */
#include "render/backend.h"
#include "render/base/interrupt.h"
#include "render/base/require.h"
#include "render/deep/crew.h"
#include "render/deep/resolver.h"
#include "render/density/density_counts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define START_LOOK_NS 1000000

struct backend {
    const struct backend_impl *impl;
    void *self;
    bool in_flight; /* submitted, and neither DONE, LOST nor cancelled since */
    bool counted;   /* the last request counts orbits and was not cancelled */
    bool reuse;     /* the last request has statistics */
    bool gathers;   /* the last request has statistics at DONE: it was not cancelled */
    bool lost;
    struct resolver *resolver;
};

static const struct backend_impl *find(const struct backend_impl *const *impls, const char *name) {
    for (; *impls; impls++)
        if (strcmp((*impls)->name, name) == 0)
            return *impls;
    return NULL;
}

static void list_names(const struct backend_impl *const *impls, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (; *impls && used < size; impls++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", (*impls)->name);
}

static const struct backend_impl *choose_named(const struct backend_impl *const *impls,
                                               const char *name,
                                               const struct backend_options *options) {
    char names[128];
    const char *why = NULL;
    const struct backend_impl *impl = find(impls, name);
    list_names(impls, names, sizeof names);
    if (!impl)
        log_error("there is no backend '%s'; these exist: %s", name, names);
    else if (!impl->usable(options, &why))
        log_error("backend '%s' cannot be used here: %s; 'fathom info' lists what can", name, why);
    else
        return impl;
    return NULL;
}

bool backend_may_choose(const struct backend_impl *const *impls, const struct backend_impl *impl,
                        const struct backend_options *options, const char **why) {
    struct backend_options automatic = *options;
    automatic.automatic = true;
    *why = "it has to be named";
    if (!impl->automatic && !impl->second)
        return false;
    for (; impl->second && *impls && *impls != impl; impls++)
        if ((*impls)->automatic && (*impls)->usable(&automatic, why)) {
            *why = "another one before it can be used";
            return false;
        }
    return impl->usable(&automatic, why);
}

static const struct backend_impl *choose_best(const struct backend_impl *const *impls,
                                              const struct backend_options *options) {
    for (const struct backend_impl *const *impl = impls; *impl; impl++) {
        const char *why = NULL;
        if (backend_may_choose(impls, *impl, options, &why))
            return *impl;
        if ((*impl)->automatic || (*impl)->second)
            log_info("backend %s passed over: %s", (*impl)->name, why);
    }
    log_error("no backend can be used here");
    return NULL;
}

#define NO_GPU "there is no GPU '%s' that can draw here"

static bool refuse_device(const struct backend_options *options) {
    log_error(NO_GPU "; 'fathom info' lists what there is", options->device);
    return false;
}

bool backend_finds_device(const struct backend_impl *const *impls,
                          const struct backend_options *options) {
    const char *why = "";
    for (; options->device && *impls; impls++)
        if ((*impls)->gpu && (*impls)->usable(options, &why))
            return true;
    if (options->device && !options->device_needed)
        log_warn(NO_GPU, options->device);
    return !options->device || !options->device_needed || refuse_device(options);
}

/* Returns true if the backend draws with the requested GPU, or if the list has no backends for
 * GPUs. Otherwise logs, and returns false if the GPU is needed. */
static bool has_device(const struct backend_impl *const *impls, const struct backend_impl *impl,
                       bool named, const struct backend_options *options) {
    bool any = false;
    for (size_t i = 0; impls[i]; i++)
        any |= impls[i]->gpu;
    if (!options->device || !any || impl->gpu)
        return true;
    if (options->device_needed && named)
        log_error("backend '%s' does not draw with a GPU, so there is no device '%s' for it",
                  impl->name, options->device);
    else if (options->device_needed)
        refuse_device(options);
    else if (!named)
        log_warn(NO_GPU ", so %s draws", options->device, impl->name);
    return !options->device_needed;
}

const struct backend_impl *backend_choose(const struct backend_impl *const *impls, const char *name,
                                          const struct backend_options *options) {
    require(impls && options, NULL);
    const struct backend_impl *impl =
        name ? choose_named(impls, name, options) : choose_best(impls, options);
    return impl && has_device(impls, impl, name, options) ? impl : NULL;
}

/* Wraps a handle with its resolver. Returns NULL if there is no memory, which is logged. */
static struct backend *create_handle(const struct backend_impl *impl, void *self,
                                     struct resolver *resolver) {
    struct backend *backend = resolver ? calloc(1, sizeof *backend) : NULL;
    if (!backend) {
        if (resolver)
            log_error("not enough memory for a backend");
        impl->destroy(self);
        resolver_destroy(resolver);
        return NULL;
    }
    backend->impl = impl;
    backend->self = self;
    backend->resolver = resolver;
    return backend;
}

struct backend *backend_open(const struct backend_impl *const *impls, const char *name,
                             const struct backend_options *options) {
    const struct backend_impl *impl = backend_choose(impls, name, options);
    void *self = impl ? impl->create(options) : NULL;
    struct backend *backend = self ? create_handle(impl, self,
                                                   resolver_create(impl, self, options->engine,
                                                                   crew_threads(options->threads)))
                                   : NULL;
    if (!backend)
        return NULL;
    const struct backend_info info = backend_info(backend);
    if (info.ready)
        log_info("drawing with %s on %s", info.name, info.device);
    else
        log_info("%s is starting", info.name);
    return backend;
}

struct backend *backend_another(struct backend *backend, enum backend_priority priority) {
    require(backend, NULL);
    void *self = backend->impl->another(backend->self, priority);
    return self ? create_handle(backend->impl, self, resolver_another(backend->resolver, self))
                : NULL;
}

void backend_close(struct backend *backend) {
    if (!backend)
        return;
    resolver_drop(backend->resolver);
    backend->impl->destroy(backend->self);
    resolver_destroy(backend->resolver);
    free(backend);
}

const char *backend_next_name(const struct backend_impl *const *impls, const char *name,
                              const struct backend_options *options) {
    require(impls && name && options, NULL);
    size_t count = 0, at = 0;
    for (; impls[count]; count++)
        if (strcmp(impls[count]->name, name) == 0)
            at = count;
    for (size_t i = 1; i < count; i++) {
        const struct backend_impl *impl = impls[(at + i) % count];
        const char *why = NULL;
        if (backend_may_choose(impls, impl, options, &why))
            return impl->name;
    }
    return NULL;
}

/* Waits until the device has started. Returns false if it is lost. */
static bool await_start(struct backend *backend) {
    while (!backend_info(backend).ready && !interrupt_requested()) {
        if (backend_poll(backend, 0).state == BACKEND_LOST)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = START_LOOK_NS}, NULL);
    }
    return true;
}

struct backend *backend_open_started(const struct backend_impl *const *impls, const char *name,
                                     const struct backend_options *options) {
    struct backend *backend = backend_open(impls, name, options);
    for (size_t i = 0; backend && !await_start(backend); i++) {
        const char *next =
            name || !impls[i] ? NULL : backend_next_name(impls, backend->impl->name, options);
        backend_close(backend);
        backend = next ? backend_open(impls, next, options) : NULL;
    }
    return backend;
}

struct backend_info backend_info(struct backend *backend) {
    struct backend_info info = {0};
    require(backend, info);
    backend->impl->info(backend->self, &info);
    return info;
}

/* Cancels what is in flight; a reference that is being made may serve the next request. */
static void drop(struct backend *backend) {
    if (!resolver_drop(backend->resolver) && backend->in_flight)
        backend->impl->cancel(backend->self);
    backend->in_flight = backend->counted = backend->gathers = false;
}

bool backend_submit(struct backend *backend, const struct frame_req *req,
                    const struct target *target) {
    require(backend && req && target, false);
    require((target->rgba != NULL) != (target->gl_buffer != 0), false);
    require(!backend->lost, false);
    const char *problem = frame_req_problem(req);
    if (problem) {
        log_error("cannot draw this picture: %s", problem);
        return false;
    }
    require(!(sample_planes_set(&target->planes) & ~req->planes), false);
    const struct backend_info info = backend_info(backend);
    if (info.types[ROUTE_DIRECT] == 1u << TYPE_FLOAT && req->type != TYPE_FLOAT) {
        log_error(
            "backend %s supports only float here; use --precision float, or another --backend",
            backend->impl->name);
        return false;
    }
    if (!(info.types[req->route] >> req->type & 1) ||
        !(info.formulas >> req->fractal.formula & 1)) {
        log_error("backend %s cannot draw with this precision or formula; try another one",
                  backend->impl->name);
        return false;
    }
    require(!target->gl_buffer || info.caps & BACKEND_CAP_GL_TARGET, false);
    drop(backend);
    backend->in_flight = resolver_submit(backend->resolver, req, target);
    backend->reuse = backend->gathers =
        backend->in_flight && req->reuse && !lines_in_motion(req->lines);
    return backend->in_flight;
}

bool backend_recolour(struct backend *backend, uint64_t from, uint64_t generation,
                      const struct look *look) {
    require(backend && look && !backend->lost, false);
    require(!look->orbit_density || !tone_problem(&look->tone), false);
    const bool ok = resolver_recolour(backend->resolver, from, generation, look);
    if (!ok) {
        backend_cancel(backend);
        return false;
    }
    backend->in_flight = true;
    backend->counted = look->orbit_density;
    backend->gathers = backend->reuse && !look->orbit_density;
    return true;
}

bool backend_has_density(const struct backend *backend) {
    require(backend, false);
    const unsigned types = backend_info((struct backend *)backend).types[ROUTE_DIRECT];
    return backend->impl->density && types >> TYPE_DOUBLE & 1;
}

bool backend_density_submit(struct backend *backend, const struct density_req *req,
                            const struct target *target) {
    require(backend && req && !backend->lost, false);
    require(!target || (target->rgba != NULL) != (target->gl_buffer != 0), false);
    const char *problem = density_req_problem(req);
    if (problem) {
        log_error("cannot count this picture: %s", problem);
        return false;
    }
    if (!backend_has_density(backend)) {
        log_error("backend %s cannot count orbits; try another one", backend->impl->name);
        return false;
    }
    require(!target || !target->gl_buffer || backend_info(backend).caps & BACKEND_CAP_GL_TARGET,
            false);
    if (backend->in_flight)
        backend_cancel(backend);
    resolver_forget(backend->resolver);
    backend->in_flight = backend->impl->density->submit(backend->self, req, target);
    backend->counted = backend->in_flight;
    backend->gathers = false;
    return backend->in_flight;
}

bool backend_density_set_samples(struct backend *backend, uint64_t samples) {
    require(backend && !backend->lost && backend->counted, false);
    backend->in_flight = backend->impl->density->set_samples(backend->self, samples);
    return backend->in_flight;
}

bool backend_density_read(struct backend *backend, struct density_counts *counts) {
    require(backend && counts && !backend->lost && backend->counted && !backend->in_flight, false);
    return backend->impl->density->read(backend->self, counts);
}

const struct backend_resampler *backend_resampler(struct backend *backend, void **impl) {
    require(backend && impl && !backend->in_flight, NULL);
    *impl = backend->self;
    return backend->impl->resampler;
}

struct backend_report backend_poll(struct backend *backend, double budget_ms) {
    struct backend_report report = {.state = BACKEND_IDLE};
    require(backend && budget_ms >= 0, report);
    resolver_poll(backend->resolver, budget_ms, &report);
    backend->lost = report.state == BACKEND_LOST;
    if (report.state != BACKEND_BUSY)
        backend->in_flight = false;
    return report;
}

bool backend_is_lost(const struct backend *backend) {
    require(backend, true);
    return backend->lost;
}

void backend_cancel(struct backend *backend) {
    require(backend);
    drop(backend);
    resolver_cancel(backend->resolver);
}

void backend_cancel_for_next(struct backend *backend) {
    require(backend);
    drop(backend);
}

void backend_prepare(struct backend *backend, const struct frame_req *req,
                     const struct view *soon) {
    require(backend && req && soon && req->route == ROUTE_PERTURBED);
    resolver_prepare(backend->resolver, req, soon);
}

bool backend_statistics(struct backend *backend, struct statistics *statistics) {
    require(backend && statistics, false);
    if (!backend->gathers || backend->in_flight || backend->lost)
        return false;
    backend->impl->statistics(backend->self, statistics);
    return true;
}

bool backend_draw(struct backend *backend, const struct frame_req *req, const struct target *target,
                  backend_step *step, void *user, struct backend_report *report) {
    require(report, false);
    *report = (struct backend_report){.state = BACKEND_IDLE};
    if (!backend_submit(backend, req, target))
        return false;
    do {
        *report = backend_poll(backend, 50);
        if (step && !step(user, report)) {
            backend_cancel(backend);
            return false;
        }
    } while (report->state == BACKEND_BUSY);
    return report->state == BACKEND_DONE;
}

bool backend_decide(struct backend *backend, struct frame_req *req, backend_step *step,
                    void *user) {
    require(backend && req && !req->perturbation, false);
    return resolver_decide(backend->resolver, req, step, user);
}
