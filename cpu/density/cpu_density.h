/* The contract for density pictures, on the owner's side: what is shown when, and when it is
 * done. */
#ifndef FATHOM_CPU_DENSITY_CPU_DENSITY_H
#define FATHOM_CPU_DENSITY_CPU_DENSITY_H

#include "cpu/density/density_job.h"
#include "cpu/worker_pool.h"
#include "render/backend.h"

struct cpu_density {
    struct worker_pool *pool;
    int threads, rank;       /* rank: in the pool */
    struct density_job *job; /* the last one submitted, also when it is done; NULL: none */
    bool busy;
    struct target target; /* rgba NULL: only the counts are wanted */
    int width_px, height_px;
    struct tone tone;
    bool stale; /* the tone is not the one of the last show, or nothing was shown */
    bool shown; /* what the target has was complete when it was shown */
    int rows_copied;
    double started_ms, due_ms; /* when the next show may begin, */
    double due_worked_ms;      /* and what the workers have to have counted by then */
    struct backend_report report;
};

/* All as struct backend_density and backend_impl have them. */
bool cpu_density_submit(struct cpu_density *density, uint32_t cpu_flags,
                        const struct density_req *req, const struct target *target);
bool cpu_density_recolour(struct cpu_density *density, uint64_t from, uint64_t generation,
                          const struct tone *tone);
bool cpu_density_set_samples(struct cpu_density *density, uint64_t samples);
bool cpu_density_read(struct cpu_density *density, struct density_counts *counts);
void cpu_density_poll(struct cpu_density *density, double budget_ms);
/* Lets go of the job too. */
void cpu_density_cancel(struct cpu_density *density);

#endif
