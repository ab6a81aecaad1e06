/* What fathom density says: its progress, and its results for people and for programs. */
#ifndef FATHOM_APP_COMMAND_DENSITY_REPORT_H
#define FATHOM_APP_COMMAND_DENSITY_REPORT_H

#include "render/backend.h"
#include "render/density/density.h"
#include <stdio.h>

struct density_report {
    const struct density_req *req;
    const char *backend, *device;           /* "": nothing was left to count */
    uint64_t samples, points;               /* in all; points as increments made */
    uint64_t samples_before, points_before; /* of the run that this one went on from */
    double counted_ms, device_ms, write_ms; /* of this one */
    uint64_t most[DENSITY_PLANES_MAX],
        least[DENSITY_PLANES_MAX]; /* counts shown, of each channel */
    bool folded; /* every point is shown with its mirror image, which was not counted */
    bool interrupted;
};

/* On one line of a terminal, from a second on; nothing when standard error is none. `done` is from
 * 0 to 1, negative when there is no end. Whether there is a line now (progress_hide). */
bool density_report_progress(double done, uint64_t samples, uint64_t points, double counted_ms);

void density_report_text(FILE *file, const struct density_report *report);
/* One JSON object on standard output. */
void density_report_json(const struct density_report *report);

#endif
