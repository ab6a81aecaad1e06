/* Finds the reference of a request, decides between doubles and wide numbers, and submits the
 * request. */
#include "render/deep/resolver.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/deep/perturbation.h"
#include "render/number/doubt.h"
#include "render/plan.h"
#include <stdlib.h>

/* Wide numbers are used without a reference only if their precision allows this many more doublings
 * of the zoom: rounding then moves a point by 2^-50 of a pixel. */
#define WIDE_ROOM 50

struct resolver {
    const struct backend_impl *impl;
    void *self;
    struct references *references;
    const struct orbit_engine *engine;
    bool waits; /* `waiting` waits, and `target` is where it goes */
    bool older; /* the implementation's last picture is of an earlier request */
    struct frame_req waiting;
    struct target target;
    double since_ms;                  /* when the request was submitted */
    struct reference_facts reference; /* of the last request */
};

static struct resolver *create(const struct backend_impl *impl, void *self,
                               const struct orbit_engine *engine, struct references *references) {
    struct resolver *resolver = references ? calloc(1, sizeof *resolver) : NULL;
    if (!resolver) {
        log_error("not enough memory for a backend");
        references_destroy(references);
        return NULL;
    }
    resolver->impl = impl;
    resolver->self = self;
    resolver->engine = engine;
    resolver->references = references;
    return resolver;
}

struct resolver *resolver_create(const struct backend_impl *impl, void *self,
                                 const struct orbit_engine *engine) {
    return create(impl, self, engine, references_create());
}

struct resolver *resolver_another(const struct resolver *resolver, void *self) {
    return create(resolver->impl, self, resolver->engine, references_another(resolver->references));
}

bool resolver_drop(struct resolver *resolver) {
    if (!resolver->waits)
        return false;
    frame_req_finish(&resolver->waiting);
    resolver->waits = false;
    return true;
}

void resolver_destroy(struct resolver *resolver) {
    if (!resolver)
        return;
    resolver_drop(resolver);
    references_destroy(resolver->references);
    free(resolver);
}

void resolver_cancel(struct resolver *resolver) {
    references_cancel(resolver->references);
}

void resolver_forget(struct resolver *resolver) {
    resolver->older = false;
    resolver->reference = (struct reference_facts){0};
}

/* --- doubles or wide numbers --- */

static bool can_be_wide(const struct resolver *resolver, enum route route) {
    struct backend_info info = {0};
    resolver->impl->info(resolver->self, &info);
    return info.types[route] >> TYPE_WIDE & 1;
}

/* Returns true if doubles are not precise enough for a request that has its reference, and wide
 * numbers are there. */
static bool is_doubtful(const struct resolver *resolver, const struct frame_req *req) {
    const struct perturbed_place place = frame_req_place(req, req->perturbation);
    return req->widen && req->type == TYPE_DOUBLE && can_be_wide(resolver, ROUTE_PERTURBED) &&
           doubt_find_known(req->perturbation, &place, req->limit) == DOUBT_FOUND;
}

static void stop_screening(struct frame_req *req) {
    perturbation_unref(req->screen);
    req->screen = NULL;
}

/* Switches a request to wide numbers. If they are precise enough without a reference, the request
 * is drawn directly, two to three times as fast. Otherwise it needs a wide reference, and its
 * reference in doubles screens its points. */
static void use_wide_numbers(const struct resolver *resolver, struct frame_req *req) {
    int width, height;
    frame_req_whole(req, &width, &height);
    req->type = TYPE_WIDE;
    if (can_be_wide(resolver, ROUTE_DIRECT) &&
        plan_room(TYPE_WIDE, &req->fractal, &req->view, width, height) >= WIDE_ROOM)
        req->route = ROUTE_DIRECT;
    req->screen = req->perturbation;
    req->perturbation = NULL;
    if (req->route == ROUTE_DIRECT)
        stop_screening(req);
}

/* Screening needs two references of the same point. */
static void check_screen(struct frame_req *req) {
    const struct perturbation *around = req->perturbation, *screen = req->screen;
    if (screen && !(mpfr_equal_p(around->reference->re, screen->reference->re) &&
                    mpfr_equal_p(around->reference->im, screen->reference->im)))
        stop_screening(req);
}

bool resolver_decide(struct resolver *resolver, struct frame_req *req, backend_step *step,
                     void *user) {
    struct backend_report report = {.state = BACKEND_BUSY};
    if (req->route != ROUTE_PERTURBED || !req->widen)
        return true;
    const double start_ms = clock_ms();
    for (;;) {
        const enum references_state state =
            references_get(resolver->references, req, resolver->engine, 50, &req->perturbation,
                           &report.reference.progress);
        if (state == REFERENCES_READY)
            break;
        report.reference.making = true;
        report.elapsed_ms = report.reference.made_ms = clock_ms() - start_ms;
        if (state == REFERENCES_FAILED || (step && !step(user, &report))) {
            references_cancel(resolver->references);
            return false;
        }
    }
    if (is_doubtful(resolver, req))
        use_wide_numbers(resolver, req);
    req->widen = false;
    perturbation_unref(req->perturbation);
    req->perturbation = NULL;
    return true;
}

/* --- references --- */

static void note_reference(struct resolver *resolver, const struct frame_req *req) {
    struct reference_facts *facts = &resolver->reference;
    facts->wide = req->type == TYPE_WIDE;
    facts->direct = req->route == ROUTE_DIRECT;
    if (!req->perturbation)
        return;
    const struct reference *reference = req->perturbation->reference;
    facts->length = reference->length;
    facts->bytes =
        perturbation_bytes(req->perturbation) + (req->screen ? perturbation_bytes(req->screen) : 0);
    facts->period =
        reference_period(reference, frame_req_place(req, req->perturbation).c_most_log2);
}

/* Waits up to wait_ms for the waiting request's reference and stores it in the request. If doubles
 * are not precise enough, widens the request and, if necessary, looks for the wide reference. */
static enum references_state find_reference(struct resolver *resolver, double wait_ms) {
    struct reference_facts *facts = &resolver->reference;
    struct frame_req *waiting = &resolver->waiting;
    const enum references_state state =
        references_get(resolver->references, waiting, resolver->engine, wait_ms,
                       &waiting->perturbation, &facts->progress);
    if (state == REFERENCES_READY && is_doubtful(resolver, waiting)) {
        use_wide_numbers(resolver, waiting);
        if (waiting->route == ROUTE_PERTURBED)
            return find_reference(resolver, 0);
    }
    facts->making = state == REFERENCES_MAKING;
    facts->made_ms = clock_ms() - resolver->since_ms;
    if (state == REFERENCES_READY) {
        check_screen(waiting);
        note_reference(resolver, waiting);
    }
    return state;
}

/* Submits the request that has waited. */
static bool submit_waiting(struct resolver *resolver) {
    resolver->waiting.widen = false; /* it is decided */
    const bool ok = resolver->impl->submit(resolver->self, &resolver->waiting, &resolver->target);
    resolver_drop(resolver);
    resolver->older = false;
    return ok;
}

static bool wait_for_reference(struct resolver *resolver, const struct frame_req *req,
                               const struct target *target) {
    frame_req_init_copy(&resolver->waiting, req);
    resolver->target = *target;
    resolver->since_ms = clock_ms();
    resolver->waits = resolver->older = true;
    const enum references_state state = find_reference(resolver, 0);
    if (state == REFERENCES_READY)
        return submit_waiting(resolver);
    if (state == REFERENCES_FAILED)
        resolver_drop(resolver);
    return state == REFERENCES_MAKING;
}

bool resolver_submit(struct resolver *resolver, const struct frame_req *req,
                     const struct target *target) {
    resolver_forget(resolver);
    if (req->perturbation)
        note_reference(resolver, req);
    if (req->route != ROUTE_PERTURBED && !lines_in_motion(req->lines))
        references_cancel(resolver->references); /* no further request is known to need one */
    return req->route == ROUTE_PERTURBED && !req->perturbation
               ? wait_for_reference(resolver, req, target)
               : resolver->impl->submit(resolver->self, req, target);
}

void resolver_prepare(struct resolver *resolver, const struct frame_req *req,
                      const struct view *soon) {
    references_prepare(resolver->references, req, resolver->engine, soon);
}

bool resolver_recolour(struct resolver *resolver, uint64_t from, uint64_t generation,
                       const struct look *look) {
    if (resolver->waits && resolver->waiting.generation == from && !look->orbit_density) {
        resolver->waiting.colouring = look->colouring;
        resolver->waiting.generation = generation;
        return true;
    }
    if (!resolver->impl->recolour ||
        !resolver->impl->recolour(resolver->self, from, generation, look))
        return false;
    resolver->older = false;
    return true;
}

/* Returns true if no request waits any more; otherwise reports about the one that does. */
static bool poll_waiting(struct resolver *resolver, double budget_ms,
                         struct backend_report *report) {
    const enum references_state state = find_reference(resolver, budget_ms);
    *report = (struct backend_report){.state = BACKEND_BUSY,
                                      .generation = resolver->waiting.generation,
                                      .elapsed_ms = clock_ms() - resolver->since_ms};
    if (state == REFERENCES_MAKING)
        return false;
    if (state == REFERENCES_READY && submit_waiting(resolver))
        return true;
    resolver_drop(resolver);
    report->state = BACKEND_LOST;
    return false;
}

void resolver_poll(struct resolver *resolver, double budget_ms, struct backend_report *report) {
    if (!resolver->waits || poll_waiting(resolver, budget_ms, report))
        resolver->impl->poll(resolver->self, budget_ms, report);
    if (resolver->older && report->state == BACKEND_DONE)
        *report = (struct backend_report){.state = BACKEND_IDLE};
    report->reference = resolver->reference;
}
