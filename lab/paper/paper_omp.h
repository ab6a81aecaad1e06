/* The loop over positions that the paper's programs share. */
#ifndef FATHOM_LAB_PAPER_PAPER_OMP_H
#define FATHOM_LAB_PAPER_PAPER_OMP_H

#include "lab/paper/paper_loops.h"
#include <omp.h>
#include <stdatomic.h>

/* Defines a static function `name` that runs `body` at every `lanes`-th position; what varies with
 * the program is a constant in `body`, so that each has a loop of its own. */
#define PAPER_LOOP(name, lanes, body)                                                              \
    static bool name(const struct paper_job *job) {                                                \
        const int points = job->width_px * job->height_px;                                         \
        atomic_bool stopped = false;                                                               \
        omp_set_schedule(job->dynamic ? omp_sched_dynamic : omp_sched_static, job->chunk);         \
        _Pragma("omp parallel for schedule(runtime) num_threads(job->threads)") for (int pos = 0;  \
                                                                                     pos < points; \
                                                                                     pos +=        \
                                                                                     (lanes)) {    \
            if (atomic_load_explicit(&stopped, memory_order_relaxed))                              \
                continue;                                                                          \
            if (pos % 4096 == 0 && job->stop())                                                    \
                atomic_store(&stopped, true);                                                      \
            body;                                                                                  \
        }                                                                                          \
        return !stopped;                                                                           \
    }

#endif
