/* What competes in a measurement: backends in their settings, and the baselines. */
#ifndef FATHOM_BENCH_CONTENDER_H
#define FATHOM_BENCH_CONTENDER_H

#include "bench/limits.h"
#include "bench/loops.h"
#include "bench/setup.h"
#include "bench/subject.h"

#define CONTENDERS_MAX 48
#define DEVICES_MAX    16

struct contender {
    const char *name;                /* the backend's; "plain", "avx2-loop", "cuda-loop" */
    const struct backend_impl *impl; /* NULL: a baseline */
    loop_fn *loop;                   /* a baseline of the CPU's; both NULL: the GPU's */
    enum limit_unit unit;
    enum number_type type;
    unsigned shortcuts;
    int threads; /* 0: on the GPU */
};

/* What was opened for contenders, kept for the whole run. Zeroed before first use. */
struct devices {
    struct device_open {
        const struct backend_impl *impl;
        int threads;
        struct backend *backend;
    } open[DEVICES_MAX];
    int count;
    struct gpu *gpu; /* NULL until a baseline there is drawn */
};

struct drawing {
    double ms;         /* of the device alone where it tells, else from submit to done */
    double elapsed_ms; /* from submit to done */
    uint64_t iterations, skipped;
};

/* Threads that CPU backends work with. */
int contender_threads(const struct bench_setup *setup);
/* Fills in who draws this view and returns how many, backends first. */
int contenders_choose(const struct bench_setup *setup, const struct bench_view *view,
                      struct contender list[CONTENDERS_MAX]);
/* Opens what the contender needs, unless it is open already. False: logged why. */
bool contender_open(const struct contender *contender, const struct bench_setup *setup,
                    struct devices *devices);
/* Whether an open contender is exact and has the method; opening it has warned if not. */
bool contender_able(const struct contender *contender, const struct bench_setup *setup,
                    const struct devices *devices);
/* Draws the subject and waits for it. With `counts` the counts are in subject->count afterwards and
 * iterations are known for baselines too; that takes longer. False: failed (logged) or stopped. */
bool contender_draw(const struct contender *contender, const struct bench_setup *setup,
                    struct devices *devices, struct subject *subject, bool counts,
                    struct drawing *drawing);
void devices_finish(struct devices *devices);

#endif
