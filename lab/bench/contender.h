/* What competes in a measurement: backends in their settings, and the baselines. */
#ifndef FATHOM_LAB_BENCH_CONTENDER_H
#define FATHOM_LAB_BENCH_CONTENDER_H

#include "lab/bench/devices.h"
#include "lab/bench/limits.h"
#include "lab/bench/loops.h"
#include "lab/bench/subject.h"

#define CONTENDERS_MAX 48

struct contender {
    const char *name;                /* the backend's; "plain", "avx2-loop", "cuda-loop" */
    const struct backend_impl *impl; /* NULL: a baseline */
    loop_fn *loop;                   /* a baseline of the CPU's; both NULL: the GPU's */
    enum limit_unit unit;
    enum number_type type;
    unsigned shortcuts;
    int threads; /* 0: on the GPU */
};

struct drawing {
    double ms;         /* of the device alone where it tells, else from submit to done */
    double elapsed_ms; /* from submit to done */
    double cpu_ms;     /* of all threads of this process together */
    uint64_t iterations, skipped;
};

/* Fills in the contenders of this view, backends first, and returns how many. */
int contenders_choose(const struct bench_setup *setup, const struct bench_view *view,
                      struct contender list[CONTENDERS_MAX]);
/* Opens what it needs. *able: whether it is exact and has the method. False: logged why. */
bool contender_open(const struct contender *contender, struct devices *devices, bool *able);
/* Draws the subject and waits for it. With `counts` the counts are in subject->count afterwards and
 * iterations are known for baselines too; that takes longer. False: failed (logged) or stopped. */
bool contender_draw(const struct contender *contender, struct devices *devices,
                    struct subject *subject, bool counts, struct drawing *drawing);

#endif
