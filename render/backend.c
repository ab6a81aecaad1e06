/* Checks the calls of a backend against the contract, and chooses one by name or by order. */
#include "render/backend.h"
#include "render/base/require.h"
#include "render/density/density_counts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct backend {
    const struct backend_impl *impl;
    void *self;
    bool in_flight; /* submitted, and neither DONE, LOST nor cancelled since */
    bool counted;   /* the last request counts orbits, and was not cancelled */
    bool reuse;     /* the last one has statistics to gather, */
    bool gathers;   /* and has them once it is DONE: it was not cancelled */
    bool lost;
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

static const struct backend_impl *choose_best(const struct backend_impl *const *impls,
                                              const struct backend_options *options) {
    for (; *impls; impls++) {
        const char *why = NULL;
        if (!(*impls)->automatic)
            continue;
        if ((*impls)->usable(options, &why))
            return *impls;
        log_info("backend %s passed over: %s", (*impls)->name, why);
    }
    log_error("no backend can be used here");
    return NULL;
}

const struct backend_impl *backend_choose(const struct backend_impl *const *impls, const char *name,
                                          const struct backend_options *options) {
    require(impls && options, NULL);
    return name ? choose_named(impls, name, options) : choose_best(impls, options);
}

/* NULL: there is no `self`, or no memory for the rest, logged. */
static struct backend *wrap(const struct backend_impl *impl, void *self) {
    struct backend *backend = self ? calloc(1, sizeof *backend) : NULL;
    if (backend) {
        backend->impl = impl;
        backend->self = self;
    } else if (self) {
        log_error("not enough memory for a backend");
        impl->destroy(self);
    }
    return backend;
}

struct backend *backend_open(const struct backend_impl *const *impls, const char *name,
                             const struct backend_options *options) {
    const struct backend_impl *impl = backend_choose(impls, name, options);
    struct backend *backend = impl ? wrap(impl, impl->create(options)) : NULL;
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
    return wrap(backend->impl, backend->impl->another(backend->self, priority));
}

void backend_close(struct backend *backend) {
    if (!backend)
        return;
    backend->impl->destroy(backend->self);
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
        if (impl->automatic && impl->usable(options, &why))
            return impl->name;
    }
    return NULL;
}

struct backend_info backend_info(struct backend *backend) {
    struct backend_info info = {0};
    require(backend, info);
    backend->impl->info(backend->self, &info);
    return info;
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
    if (!(info.types[req->route] >> req->type & 1) || !(info.formulas >> req->formula & 1)) {
        log_error("backend %s cannot draw with this precision or formula; try another one",
                  backend->impl->name);
        return false;
    }
    if (!(info.methods >> req->method & 1)) {
        log_error("backend %s cannot draw with method %s; use --method tiled", backend->impl->name,
                  method_names[req->method]);
        return false;
    }
    require(!target->gl_buffer || info.caps & BACKEND_CAP_GL_TARGET, false);
    if (backend->in_flight)
        backend_cancel(backend);
    backend->counted = false;
    backend->in_flight = backend->impl->submit(backend->self, req, target);
    backend->reuse = backend->gathers =
        backend->in_flight && req->reuse && !lines_are_loose(req->lines);
    return backend->in_flight;
}

bool backend_recolour(struct backend *backend, uint64_t from, uint64_t generation,
                      const struct look *look) {
    require(backend && look && !backend->lost, false);
    require(!look->orbit_density || !tone_problem(&look->tone), false);
    const bool ok =
        backend->impl->recolour && backend->impl->recolour(backend->self, from, generation, look);
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
    return backend->impl->density != NULL;
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
    if (!backend->impl->density) {
        log_error("backend %s cannot count orbits; try another one", backend->impl->name);
        return false;
    }
    require(!target || !target->gl_buffer || backend_info(backend).caps & BACKEND_CAP_GL_TARGET,
            false);
    if (backend->in_flight)
        backend_cancel(backend);
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

struct backend_report backend_poll(struct backend *backend, double budget_ms) {
    struct backend_report report = {.state = BACKEND_IDLE};
    require(backend && budget_ms >= 0, report);
    backend->impl->poll(backend->self, budget_ms, &report);
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
    if (backend->in_flight)
        backend->impl->cancel(backend->self);
    backend->in_flight = backend->counted = backend->gathers = false;
}

bool backend_statistics(struct backend *backend, struct statistics *statistics) {
    require(backend && statistics, false);
    if (!backend->gathers || backend->in_flight || backend->lost)
        return false;
    backend->impl->statistics(backend->self, statistics);
    return true;
}

bool backend_draw(struct backend *backend, const struct frame_req *req, const struct target *target,
                  bool (*step)(void *user, const struct backend_report *report), void *user,
                  struct backend_report *report) {
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
