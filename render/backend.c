/* Backend wrapper: checks calls against the contract, and chooses a backend by name or by order. */
#include "render/backend.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/require.h"
#include "render/deep/perturbation.h"
#include "render/deep/references.h"
#include "render/density/density_counts.h"
#include "render/number/doubt.h"
#include "render/plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Doublings of the zoom that direct wide numbers must have left to be taken where doubles do not do: what they
 * round then moves a point by 2^-50 of a pixel. */
#define WIDE_ROOM 50

#define START_LOOK_NS 1000000

struct backend {
    const struct backend_impl *impl;
    void *self;
    bool in_flight; /* submitted, and neither DONE, LOST nor cancelled since */
    bool counted;   /* the last request counts orbits and was not cancelled */
    bool reuse;     /* the last request has statistics */
    bool gathers;   /* the last request has statistics at DONE: it was not cancelled */
    bool lost;
    struct references *references;
    const struct orbit_engine *engine; /* that makes them */
    /* A request that waits for its reference, and where it will go. */
    bool waits;
    bool older; /* what the implementation has shown is of a picture before the last one */
    struct frame_req waiting;
    struct target target;
    double since_ms;
    struct reference_facts reference; /* of the last request */
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

/* NULL: there is no `self`, or no memory for the rest, logged. */
static struct backend *wrap(const struct backend_impl *impl, void *self,
                            struct references *references, const struct orbit_engine *engine) {
    struct backend *backend = self && references ? calloc(1, sizeof *backend) : NULL;
    if (backend) {
        backend->impl = impl;
        backend->self = self;
        backend->references = references;
        backend->engine = engine;
        return backend;
    }
    if (self) {
        log_error("not enough memory for a backend");
        impl->destroy(self);
    }
    references_destroy(references);
    return NULL;
}

struct backend *backend_open(const struct backend_impl *const *impls, const char *name,
                             const struct backend_options *options) {
    const struct backend_impl *impl = backend_choose(impls, name, options);
    struct backend *backend =
        impl ? wrap(impl, impl->create(options), references_create(), options->engine) : NULL;
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
    return wrap(backend->impl, backend->impl->another(backend->self, priority),
                references_another(backend->references), backend->engine);
}

static void stop_waiting(struct backend *backend) {
    if (!backend->waits)
        return;
    frame_req_finish(&backend->waiting);
    backend->waits = false;
}

void backend_close(struct backend *backend) {
    if (!backend)
        return;
    stop_waiting(backend);
    backend->impl->destroy(backend->self);
    references_destroy(backend->references);
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
    while (!backend_info(backend).ready && !interrupt_came()) {
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

/* Gives up what is in flight; a reference that is being made may yet serve. */
static void drop(struct backend *backend) {
    if (backend->waits)
        stop_waiting(backend);
    else if (backend->in_flight)
        backend->impl->cancel(backend->self);
    backend->in_flight = backend->counted = backend->gathers = false;
}

/* --- references --- */

static void note_reference(struct backend *backend, const struct frame_req *req) {
    backend->reference.wide = req->type == TYPE_WIDE;
    backend->reference.direct = req->route == ROUTE_DIRECT;
    if (!req->perturbation)
        return;
    const struct reference *reference = req->perturbation->reference;
    backend->reference.length = reference->length;
    backend->reference.bytes =
        perturbation_bytes(req->perturbation) + (req->screen ? perturbation_bytes(req->screen) : 0);
    backend->reference.period =
        reference_period(reference, frame_req_place(req, req->perturbation).c_most_log2);
}

static void stop_screening(struct frame_req *req) {
    perturbation_unref(req->screen);
    req->screen = NULL;
}

/* Whether doubles do not do for a request that has its reference, and wide numbers can be had. */
static bool is_doubtful(struct backend *backend, const struct frame_req *req) {
    const struct perturbed_place place = frame_req_place(req, req->perturbation);
    return req->widen && req->type == TYPE_DOUBLE &&
           backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_WIDE & 1 &&
           doubt_known(req->perturbation, &place, req->limit) == DOUBT_FOUND;
}

/* Makes a doubtful request one in wide numbers: about no reference where they are fine enough, which is
 * two to three times as fast as about one; elsewhere what it has in doubles screens its points. */
static void widen(struct backend *backend, struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    req->type = TYPE_WIDE;
    if (backend_info(backend).types[ROUTE_DIRECT] >> TYPE_WIDE & 1 &&
        plan_room(TYPE_WIDE, &req->fractal, &req->view, width, height) >= WIDE_ROOM)
        req->route = ROUTE_DIRECT;
    req->screen = req->perturbation;
    req->perturbation = NULL;
    if (req->route == ROUTE_DIRECT)
        stop_screening(req);
}

/* Points are as far from the one reference as from the other, or there is no screen. */
static void check_screen(struct frame_req *req) {
    const struct perturbation *around = req->perturbation, *screen = req->screen;
    if (screen && !(mpfr_equal_p(around->reference->re, screen->reference->re) &&
                    mpfr_equal_p(around->reference->im, screen->reference->im)))
        stop_screening(req);
}

/* Gives a request that waits its reference, or says that it waits on. */
static enum references_state find_reference(struct backend *backend, double wait_ms) {
    struct reference_facts *facts = &backend->reference;
    const enum references_state state =
        references_get(backend->references, &backend->waiting, backend->engine, wait_ms,
                       &backend->waiting.perturbation, &facts->progress);
    if (state == REFERENCES_READY && is_doubtful(backend, &backend->waiting)) {
        widen(backend, &backend->waiting);
        if (backend->waiting.route == ROUTE_PERTURBED)
            return find_reference(backend, 0);
    }
    facts->making = state == REFERENCES_MAKING;
    facts->made_ms = clock_ms() - backend->since_ms;
    if (state == REFERENCES_READY) {
        check_screen(&backend->waiting);
        note_reference(backend, &backend->waiting);
    }
    return state;
}

/* Submits what has waited. False: refused, logged why. */
static bool end_waiting(struct backend *backend) {
    backend->waiting.widen = false; /* it is decided */
    const bool ok = backend->impl->submit(backend->self, &backend->waiting, &backend->target);
    frame_req_finish(&backend->waiting);
    backend->waits = backend->older = false;
    return ok;
}

static bool submit_perturbed(struct backend *backend, const struct frame_req *req,
                             const struct target *target) {
    stop_waiting(backend);
    frame_req_init_copy(&backend->waiting, req);
    backend->target = *target;
    backend->since_ms = clock_ms();
    backend->waits = backend->older = true;
    switch (find_reference(backend, 0)) {
    case REFERENCES_READY:
        return end_waiting(backend);
    case REFERENCES_MAKING:
        return true;
    default:
        stop_waiting(backend);
        return false;
    }
}

/* True: the request that waits has been submitted; otherwise *report says where it is. */
static bool poll_waiting(struct backend *backend, double budget_ms, struct backend_report *report) {
    const enum references_state state = find_reference(backend, budget_ms);
    *report = (struct backend_report){.state = BACKEND_BUSY,
                                      .generation = backend->waiting.generation,
                                      .elapsed_ms = clock_ms() - backend->since_ms};
    if (state == REFERENCES_MAKING)
        return false;
    if (state == REFERENCES_READY && end_waiting(backend))
        return true;
    stop_waiting(backend);
    report->state = BACKEND_LOST;
    return false;
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
    backend->older = false;
    backend->reference = (struct reference_facts){0};
    if (req->perturbation)
        note_reference(backend, req);
    if (req->route != ROUTE_PERTURBED && !lines_are_loose(req->lines))
        references_cancel(backend->references); /* nothing more is known to need one */
    backend->in_flight = req->route == ROUTE_PERTURBED && !req->perturbation
                             ? submit_perturbed(backend, req, target)
                             : backend->impl->submit(backend->self, req, target);
    backend->reuse = backend->gathers =
        backend->in_flight && req->reuse && !lines_are_loose(req->lines);
    return backend->in_flight;
}

bool backend_recolour(struct backend *backend, uint64_t from, uint64_t generation,
                      const struct look *look) {
    require(backend && look && !backend->lost, false);
    require(!look->orbit_density || !tone_problem(&look->tone), false);
    if (backend->waits && backend->waiting.generation == from && !look->orbit_density) {
        backend->waiting.colouring = look->colouring;
        backend->waiting.generation = generation;
        return true;
    }
    const bool ok =
        backend->impl->recolour && backend->impl->recolour(backend->self, from, generation, look);
    if (!ok) {
        backend_cancel(backend);
        return false;
    }
    backend->in_flight = true;
    backend->older = false;
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
    backend->older = false;
    backend->reference = (struct reference_facts){0};
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
    if (!backend->waits || poll_waiting(backend, budget_ms, &report))
        backend->impl->poll(backend->self, budget_ms, &report);
    if (backend->older && report.state == BACKEND_DONE)
        report = (struct backend_report){.state = BACKEND_IDLE};
    report.reference = backend->reference;
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
    references_cancel(backend->references);
}

void backend_give_way(struct backend *backend) {
    require(backend);
    drop(backend);
}

void backend_prepare(struct backend *backend, const struct frame_req *req,
                     const struct view *soon) {
    require(backend && req && soon && req->route == ROUTE_PERTURBED);
    references_prepare(backend->references, req, backend->engine, soon);
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
    struct backend_report report = {.state = BACKEND_BUSY};
    require(backend && req && !req->perturbation, false);
    if (req->route != ROUTE_PERTURBED || !req->widen)
        return true;
    const double start_ms = clock_ms();
    for (;;) {
        const enum references_state state =
            references_get(backend->references, req, backend->engine, 50, &req->perturbation,
                           &report.reference.progress);
        if (state == REFERENCES_READY)
            break;
        report.reference.making = true;
        report.elapsed_ms = report.reference.made_ms = clock_ms() - start_ms;
        if (state == REFERENCES_FAILED || (step && !step(user, &report))) {
            references_cancel(backend->references);
            return false;
        }
    }
    if (is_doubtful(backend, req))
        widen(backend, req);
    req->widen = false;
    perturbation_unref(req->perturbation);
    req->perturbation = NULL;
    return true;
}
