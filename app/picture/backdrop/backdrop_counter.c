/* Counts one density picture of the whole set for a moment, so that the backdrop has no hole in
 * that kind of picture. */
#include "app/picture/backdrop/backdrop_counter.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include <stdlib.h>

#define COUNT_MS  50.0
#define FINISH_MS 100.0 /* for what has been started by then */
#define POLL_MS   3.0

/* False: there is nothing to be seen. */
static bool count(struct backend *backend, const struct density_req *req, uint32_t *rgba) {
    const struct target target = {.rgba = rgba};
    const double begin = clock_ms();
    if (!backend_density_submit(backend, req, &target))
        return false;
    struct backend_report report = {.state = BACKEND_BUSY};
    for (bool ended = false;
         report.state == BACKEND_BUSY && clock_ms() < begin + COUNT_MS + FINISH_MS;) {
        if (!ended && clock_ms() > begin + COUNT_MS)
            ended = backend_density_set_samples(backend, 0);
        report = backend_poll(backend, POLL_MS);
    }
    backend_cancel(backend);
    return report.state == BACKEND_DONE && report.points > 0;
}

void backdrop_counter_run(struct backend *backend, struct backdrop *backdrop,
                          const struct density_req *like) {
    struct density_req req;
    if (!backdrop_wants_counts(backdrop, like, &req))
        return;
    uint32_t *rgba =
        memory_alloc(4 * (uint64_t)req.width_px * (uint64_t)req.height_px, "the backdrop");
    if (rgba && count(backend, &req, rgba))
        backdrop_take_counts(backdrop, &req, rgba);
    free(rgba);
    density_req_finish(&req);
}
