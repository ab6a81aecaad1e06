/* Finds the reference of a request, decides between doubles and wide numbers, and submits the
 * request. */
#include "render/deep/resolver.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/deep/perturbation.h"
#include "render/number/doubt.h"
#include "render/plan.h"
#include <stdlib.h>

/* Doublings of the zoom that wide numbers must have left where they are used without a reference:
 * rounding then moves a point by 2^-50 of a pixel; and where there is no other way. */
#define WIDE_ROOM       50
#define WIDE_ROOM_LEAST 20

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
                                 const struct orbit_engine *engine, unsigned threads) {
    return create(impl, self, engine, references_create(threads));
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

static bool can_draw(const struct resolver *resolver, enum route route, enum number_type type) {
    struct backend_info info = {0};
    resolver->impl->info(resolver->self, &info);
    return info.types[route] >> type & 1;
}

/* Returns true if a request can be drawn around a reference in that type. */
static bool can_be_perturbed(const struct resolver *resolver, const struct frame_req *req,
                             enum number_type type) {
    struct frame_req around = *req;
    around.route = ROUTE_PERTURBED;
    around.type = type;
    return can_draw(resolver, ROUTE_PERTURBED, type) && !frame_req_problem(&around);
}

static void drop_reference(struct frame_req *req) {
    perturbation_unref(req->perturbation);
    req->perturbation = NULL;
}

static void stop_screening(struct frame_req *req) {
    perturbation_unref(req->screen);
    req->screen = NULL;
}

/* Switches a request to wide numbers if possible. If they are precise enough without a reference,
 * the request is drawn directly, two to three times as fast. Otherwise it needs a wide reference,
 * and its reference in doubles screens its points. `shallow` is doubles_limit of a direct picture.
 * Returns true if it needs another reference. */
static bool use_wide_numbers(const struct resolver *resolver, struct frame_req *req,
                             uint32_t shallow) {
    int width, height;
    frame_req_whole(req, &width, &height);
    const bool around = req->perturbation && can_be_perturbed(resolver, req, TYPE_WIDE);
    const double room = plan_room(TYPE_WIDE, &req->fractal, &req->view, width, height);
    if (room >= (around ? WIDE_ROOM : WIDE_ROOM_LEAST) &&
        can_draw(resolver, ROUTE_DIRECT, TYPE_WIDE)) {
        req->route = ROUTE_DIRECT;
        req->type = TYPE_WIDE;
        req->tailless = false;
        req->doubles_limit = shallow;
        drop_reference(req);
        return false;
    }
    if (!around) {
        req->tailless = req->route == ROUTE_PERTURBED; /* the fewest errors that doubles can have */
        return false;
    }
    req->type = TYPE_WIDE;
    req->screen = req->perturbation;
    req->perturbation = NULL;
    return true;
}

/* Decides how a request is drawn about which the doubt is settled. Returns true if it needs another
 * reference. */
static bool decide(const struct resolver *resolver, struct frame_req *req) {
    const struct reference *reference = req->perturbation->reference;
    const struct doubt_about about = doubt_about(req, reference->re, reference->im);
    uint32_t shallow = 0;
    const enum doubt doubt = doubt_find_known(req->perturbation, &about, &shallow);
    if (req->route == ROUTE_DIRECT) {
        drop_reference(req);
        const bool inside = req->planes & SAMPLE_INSIDE; /* exists without references only */
        const bool screens = shallow > 0 && can_draw(resolver, ROUTE_DIRECT, TYPE_WIDE);
        if (doubt != DOUBT_NONE && !inside && !screens &&
            can_be_perturbed(resolver, req, TYPE_DOUBLE)) {
            req->route = ROUTE_PERTURBED;
            return true; /* it is doubted again */
        }
    }
    req->widen = false;
    req->tailless = req->route == ROUTE_PERTURBED && (doubt == DOUBT_TAIL || doubt == DOUBT_BOTH);
    return doubt >= DOUBT_FOUND && use_wide_numbers(resolver, req, shallow);
}

/* Screening needs two references of the same point, and doubles that notice escapes. */
static void check_screen(struct frame_req *req) {
    const struct perturbation *around = req->perturbation, *screen = req->screen;
    if (screen &&
        (screen->reference->moved || !mpfr_equal_p(around->reference->re, screen->reference->re) ||
         !mpfr_equal_p(around->reference->im, screen->reference->im)))
        stop_screening(req);
}

/* --- references --- */

static void note_reference(struct resolver *resolver, const struct frame_req *req) {
    struct reference_facts *facts = &resolver->reference;
    if (!req->perturbation)
        return;
    const struct reference *reference = req->perturbation->reference;
    facts->length = reference->length;
    facts->bytes =
        perturbation_bytes(req->perturbation) + (req->screen ? perturbation_bytes(req->screen) : 0);
    facts->period =
        reference_period(reference, frame_req_place(req, req->perturbation).c_most_log2);
}

static void note_decision(struct resolver *resolver, const struct frame_req *req) {
    struct reference_facts *facts = &resolver->reference;
    facts->decided = true;
    facts->mixed = req->tailless || req->screen || req->doubles_limit > 0;
    facts->route = req->route;
    facts->type = req->type;
}

/* Waits up to wait_ms for a request's reference and stores it in the request. If it is open how the
 * request is drawn, decides and looks for the reference that this takes. */
static enum references_state find_reference(struct resolver *resolver, struct frame_req *req,
                                            double wait_ms, double *progress) {
    for (;;) {
        const enum references_state state = references_get(
            resolver->references, req, resolver->engine, wait_ms, &req->perturbation, progress);
        if (state != REFERENCES_READY)
            return state;
        if (!req->widen || !decide(resolver, req))
            break;
        wait_ms = 0;
    }
    check_screen(req);
    return REFERENCES_READY;
}

/* Finds the reference of the request that waits. */
static enum references_state advance_waiting(struct resolver *resolver, double wait_ms) {
    struct reference_facts *facts = &resolver->reference;
    struct frame_req *waiting = &resolver->waiting;
    const enum references_state state =
        find_reference(resolver, waiting, wait_ms, &facts->progress);
    facts->making = state == REFERENCES_MAKING;
    facts->made_ms = clock_ms() - resolver->since_ms;
    if (state == REFERENCES_READY) {
        note_reference(resolver, waiting);
        note_decision(resolver, waiting);
    }
    return state;
}

/* Submits the request that has waited. */
static bool submit_waiting(struct resolver *resolver) {
    const bool ok = resolver->impl->submit(resolver->self, &resolver->waiting, &resolver->target);
    resolver_drop(resolver);
    resolver->older = false;
    return ok;
}

/* Returns true if a request waits: for its reference, or to be decided. */
static bool must_wait(const struct frame_req *req) {
    return !req->perturbation && (req->route == ROUTE_PERTURBED || req->widen);
}

static bool wait_for_reference(struct resolver *resolver, const struct frame_req *req,
                               const struct target *target) {
    frame_req_init_copy(&resolver->waiting, req);
    resolver->target = *target;
    resolver->since_ms = clock_ms();
    resolver->waits = resolver->older = true;
    const enum references_state state = advance_waiting(resolver, 0);
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
    if (req->route != ROUTE_PERTURBED && !req->widen && !lines_in_motion(req->lines))
        references_cancel(resolver->references); /* no further request is known to need one */
    return must_wait(req) ? wait_for_reference(resolver, req, target)
                          : resolver->impl->submit(resolver->self, req, target);
}

bool resolver_decide(struct resolver *resolver, struct frame_req *req, backend_step *step,
                     void *user) {
    struct backend_report report = {.state = BACKEND_BUSY};
    const double start_ms = clock_ms();
    while (req->widen) {
        const enum references_state state =
            find_reference(resolver, req, 50, &report.reference.progress);
        if (state == REFERENCES_READY)
            break;
        report.reference.making = true;
        report.elapsed_ms = report.reference.made_ms = clock_ms() - start_ms;
        if (state == REFERENCES_FAILED || (step && !step(user, &report))) {
            references_cancel(resolver->references);
            return false;
        }
    }
    drop_reference(req);
    return true;
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
    const enum references_state state = advance_waiting(resolver, budget_ms);
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
