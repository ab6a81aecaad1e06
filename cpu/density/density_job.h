/* Density job of the CPU backend: a histogram with 64-bit totals, shared by all workers, parts of
 * rounds to claim, and previews.
 *
 * A worker gathers some thousand points and joins runs of equal ones, since orbits of neighbouring
 * samples begin together. It adds the runs to counters of its own, one byte each: an eighth of the
 * totals' memory, so more of them are in the cache. A byte that overflows is added to the totals
 * atomically. In the end the bytes are merged into the totals in parts. If the bytes of all workers
 * would need more than 256 MB, workers add the runs to the totals directly. So memory is 8 bytes a
 * counter, 1 MB a worker, and at most 256 MB. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_JOB_H
#define FATHOM_CPU_DENSITY_DENSITY_JOB_H

#include "cpu/density/density_part.h"
#include "cpu/density/density_show.h"
#include "cpu/task.h"

struct density_job;

/* Returns the size of a worker's scratch memory. */
size_t density_job_scratch_size(void);

/* Creates a job with one reference, the caller's, to density_job_work. Copies the request. `shown`:
 * previews are needed. Returns NULL without memory, which is logged. */
struct density_job *density_job_create(const struct density_req *req, uint32_t cpu_flags,
                                       int workers, bool shown);
struct task *density_job_work(struct density_job *job);

/* --- owner's thread; no function waits for a worker --- */

/* Sets the number of samples after which the job is complete; at least the samples already
 * started. */
void density_job_set_samples(struct density_job *job, uint64_t samples);

struct density_progress {
    uint64_t samples, wanted; /* finished, requested */
    uint64_t points, steps;   /* `steps`: of the orbits that escaped */
    double worked_ms;         /* [ms] work, summed over workers */
    bool complete;            /* all is counted and merged */
    enum show_phase phase;
};
struct density_progress density_job_progress(struct density_job *job);

/* Starts a preview; phase must be SHOW_IDLE. */
void density_job_show(struct density_job *job, const struct tone *tone);
/* Returns the finished preview; phase must be SHOW_READY. density_job_shown ends it, so that the
 * next may start. */
const struct density_show *density_job_ready(struct density_job *job);
void density_job_shown(struct density_job *job);

/* Copies the counts of a complete job to counts that were made for its request. */
void density_job_read(struct density_job *job, struct density_counts *counts);

#endif
