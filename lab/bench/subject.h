/* What is measured on: one view, ready to be drawn by every contender. */
#ifndef FATHOM_LAB_BENCH_SUBJECT_H
#define FATHOM_LAB_BENCH_SUBJECT_H

#include "lab/bench/setup.h"
#include "render/files/bench_views.h"

/* One view, ready to be drawn by all. */
struct subject {
    struct frame_req req;
    uint32_t *rgba, *count; /* what is drawn goes there */
    void *re[TYPE_NATIVE_COUNT],
        *im[TYPE_NATIVE_COUNT]; /* as in struct loop_job; NULL around a reference */
};

/* Pairs with subject_finish. */
void subject_init(struct subject *subject);
/* Makes an initialised picture that of a view, once. False: no memory, logged. */
bool subject_load(struct subject *subject, const struct bench_setup *setup,
                  const struct bench_view *view);
void subject_finish(struct subject *subject);

#endif
