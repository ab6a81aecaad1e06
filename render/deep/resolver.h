/* Request resolver: stands between the checks of render/backend.c and an implementation. A request
 * around a reference waits here until its reference orbit is there and it is known whether doubles
 * are precise enough; then the resolver submits it. All other requests pass at once. One resolver
 * belongs to each handle; its functions are called from the handle's thread, with arguments that
 * the handle has checked. */
#ifndef FATHOM_RENDER_DEEP_RESOLVER_H
#define FATHOM_RENDER_DEEP_RESOLVER_H

#include "render/backend.h"

struct resolver;

/* Creates the resolver of an implementation's handle `self`, which stays the caller's; `engine`
 * iterates reference orbits, on at most `threads` threads. Returns NULL if there is no memory,
 * logged. */
struct resolver *resolver_create(const struct backend_impl *impl, void *self,
                                 const struct orbit_engine *engine, unsigned threads);
/* Creates one for another handle on the same device, which shares the references of `resolver`. */
struct resolver *resolver_another(const struct resolver *resolver, void *self);
/* Waits for its thread, as references_destroy. NULL is allowed. */
void resolver_destroy(struct resolver *resolver);

/* Submits a request, or lets it wait. Nothing else may wait. Returns false if it was refused,
 * logged. */
bool resolver_submit(struct resolver *resolver, const struct frame_req *req,
                     const struct target *target);
/* Recolours as backend_impl's recolour does; a waiting request is recoloured, too. */
bool resolver_recolour(struct resolver *resolver, uint64_t from, uint64_t generation,
                       const struct look *look);
/* Polls as backend_impl's poll does. Submits the waiting request when it is resolved, and adds
 * facts about its reference to the report. */
void resolver_poll(struct resolver *resolver, double budget_ms, struct backend_report *report);
/* Drops the request that waits; its reference goes on being made. Returns false if none waits. */
bool resolver_drop(struct resolver *resolver);
/* Stops making a reference. */
void resolver_cancel(struct resolver *resolver);
/* Forgets the last request: a picture of another kind follows. */
void resolver_forget(struct resolver *resolver);

/* Do the work of backend_prepare and backend_decide. */
void resolver_prepare(struct resolver *resolver, const struct frame_req *req,
                      const struct view *soon);
bool resolver_decide(struct resolver *resolver, struct frame_req *req, backend_step *step,
                     void *user);

#endif
