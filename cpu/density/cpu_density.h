/* Density pictures of the CPU backend, owner's side: decides when to show previews and when a
 * picture is done. */
#ifndef FATHOM_CPU_DENSITY_CPU_DENSITY_H
#define FATHOM_CPU_DENSITY_CPU_DENSITY_H

#include "cpu/density/density_job.h"
#include "cpu/worker_pool.h"
#include "render/backend.h"

struct cpu_density {
    struct worker_pool *pool;
    int threads, rank;       /* `rank`: priority in the pool */
    struct density_job *job; /* last submitted job, kept after it is done; NULL: none */
    bool busy;
    struct target target; /* rgba is NULL if only the counts are needed */
    int width_px, height_px;
    struct tone tone;
    bool stale; /* nothing was shown yet, or the tone has changed since */
    bool shown; /* the target shows the complete counts */
    int rows_copied;
    double started_ms, due_ms; /* [ms] earliest start of the next preview */
    double due_worked_ms;      /* [ms] work that the workers must have done by then */
    struct backend_report report;
};

/* All functions as in struct backend_density and struct backend_impl. Owner's thread. */
bool cpu_density_submit(struct cpu_density *density, uint32_t cpu_flags,
                        const struct density_req *req, const struct target *target);
bool cpu_density_recolour(struct cpu_density *density, uint64_t from, uint64_t generation,
                          const struct tone *tone);
bool cpu_density_set_samples(struct cpu_density *density, uint64_t samples);
bool cpu_density_read(struct cpu_density *density, struct density_counts *counts);
void cpu_density_poll(struct cpu_density *density, double budget_ms);
/* Stops the job and releases it. */
void cpu_density_cancel(struct cpu_density *density);

#endif
