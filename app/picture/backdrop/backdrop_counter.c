/* Backdrop counter: counts one density picture of the whole set for a moment, so that density
 * pictures have a backdrop. */
#include "app/picture/backdrop/backdrop_counter.h"
#include "render/base/clock.h"

#define COUNT_MS 50.0
#define POINTS   8.0 /* points per pixel for which COUNT_MS [ms] is enough */
/* samples per pixel, as well: few samples may have thousands of points in one place */
#define SAMPLES    2.0
#define COUNT_MOST 250.0 /* [ms] longest counting time, if there are points at all */
#define POINTS_FEW 2.0   /* points per pixel that a busy machine may lack by then */
#define COUNT_SLOW 1e3   /* [ms] longest counting time with fewer points */
#define FINISH_MS  2e3   /* [ms] time for samples that are in flight then; orbits may be long */

void backdrop_counter_stop(struct backdrop_counter *counter) {
    if (counter->busy)
        density_req_finish(&counter->req);
    counter->busy = false;
}

bool backdrop_counter_begin(struct backdrop_counter *counter, struct backend *backend,
                            struct backdrop *backdrop, const struct density_req *like) {
    backdrop_counter_stop(counter);
    if (!backdrop_wants_counts(backdrop, like, &counter->req))
        return false;
    counter->busy = true;
    counter->ended = false;
    counter->started_ms = clock_ms();
    if (backend_density_submit(backend, &counter->req, NULL))
        return true;
    backdrop_counter_stop(counter);
    return false;
}

/* Passes the counts to the backdrop; if counting took too long, an empty picture, so that it is
 * not tried again. */
static void pass_counts(struct backdrop_counter *counter, struct backend *backend,
                        struct backdrop *backdrop, bool done) {
    struct density_counts counts;
    if (density_counts_init(&counts, &counter->req) &&
        (!done || backend_density_read(backend, &counts)))
        backdrop_take_counts(backdrop, &counter->req, &counts);
    density_counts_finish(&counts);
    backdrop_counter_stop(counter);
}

void backdrop_counter_step(struct backdrop_counter *counter, struct backend *backend,
                           struct backdrop *backdrop, double budget_ms) {
    const struct backend_report report = backend_poll(backend, budget_ms);
    const double ms = clock_ms() - counter->started_ms;
    const double pixels = (double)counter->req.width_px * counter->req.height_px;
    const double points = (double)report.points;
    const bool enough = points >= POINTS * pixels && (double)report.counted >= SAMPLES * pixels;
    const double most_ms = enough                         ? COUNT_MS
                           : points < POINTS_FEW * pixels ? COUNT_SLOW
                                                          : COUNT_MOST;
    if (report.state != BACKEND_BUSY && report.state != BACKEND_DONE) {
        backdrop_counter_stop(counter);
    } else if (report.state == BACKEND_DONE) {
        pass_counts(counter, backend, backdrop, true);
    } else if (ms > COUNT_SLOW + FINISH_MS) {
        backend_cancel(backend);
        pass_counts(counter, backend, backdrop, false);
    } else if (!counter->ended && ms > most_ms) {
        counter->ended = backend_density_set_samples(backend, 0);
    }
}
