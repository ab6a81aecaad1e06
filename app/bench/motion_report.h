/* Motion report: prints the results of `fathom bench motion`, as a table or as JSON. */
#ifndef FATHOM_APP_BENCH_MOTION_REPORT_H
#define FATHOM_APP_BENCH_MOTION_REPORT_H

#include "app/bench/judge.h"
#include "app/bench/scenario.h"

/* Facts common to all scenarios. The caller owns the texts. */
struct motion_setup {
    const char *view, *backend, *device, *gl;
    int width_px, height_px;
    double hz;
    uint32_t limit;
    bool painting; /* all frames are painted, not only the judged ones */
    bool json;
};

void motion_report_begin(const struct motion_setup *setup);
void motion_report_row(const struct motion_setup *setup, const struct scenario *scenario,
                       const struct recorder *recorder, const struct judgement *judgement,
                       bool first);
void motion_report_end(const struct motion_setup *setup);

#endif
