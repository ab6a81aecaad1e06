/* Orbit density being counted by the CPU's workers: one histogram of 64-bit totals for all of them,
 * parts of rounds to claim, and now and then a show.
 *
 * A worker gathers some thousand points and puts runs of equal ones together (neighbouring samples'
 * orbits begin together). It adds the runs to bytes of its own, an eighth of the totals and so
 * nearer in the caches; what overflows a byte it adds to the totals, atomically; what all bytes
 * hold in the end is merged into the totals in parts. Where such bytes would be more than 256 MB
 * for all workers it adds the runs to the totals at once. So memory is 8 bytes a counter, 1 MB for
 * each worker, and at most 256 MB. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_JOB_H
#define FATHOM_CPU_DENSITY_DENSITY_JOB_H

#include "cpu/density/density_part.h"
#include "cpu/density/density_show.h"
#include "cpu/task.h"

struct density_job;

/* What workers need for it, each. */
size_t density_job_scratch_size(void);

/* Copies the request. `shown`: it will be shown. NULL: no memory, logged.
 * The caller has the first reference, density_job_work's. */
struct density_job *density_job_create(const struct density_req *req, uint32_t cpu_flags,
                                       int workers, bool shown);
struct task *density_job_work(struct density_job *job);

/* --- the owner's; none of them waits for a worker --- */

/* From now on it is complete with so many samples, or with those that were started. */
void density_job_set_samples(struct density_job *job, uint64_t samples);

struct density_progress {
    uint64_t samples, wanted; /* done, and to be done */
    uint64_t points, steps;   /* steps: as far as they are known */
    double worked_ms;         /* by all workers together */
    bool complete;            /* nothing is under way any more */
    enum show_phase phase;
};
struct density_progress density_job_progress(struct density_job *job);

/* Lets workers show what is there; when phase is SHOW_IDLE. */
void density_job_show(struct density_job *job, const struct tone *tone);
/* The show, when phase is SHOW_READY; until density_job_shown, which lets the next one begin. */
const struct density_show *density_job_ready(struct density_job *job);
void density_job_shown(struct density_job *job);

/* When it is complete: to counts that were made for its request. */
void density_job_read(struct density_job *job, struct density_counts *counts);

#endif
