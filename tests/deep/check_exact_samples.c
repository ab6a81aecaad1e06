/* Exact samples: counts at super_dense, where neither doubles nor wide numbers do, against a table
 * that is independent of the program; their fractions; and that a step can stop them. */
#include "render/backends.h"
#include "render/palette.h"
#include "render/verify/exact_samples.h"
#include "tests/deep/truth.h"
#include <math.h>

#include "tests/shared/check.h"

#define COUNT_MOST 800000u /* larger ones take longer */
#define POINTS     6

static bool stop(void *user, double done) {
    *(int *)user += 1;
    CHECK(done >= 0 && done <= 1);
    return false;
}

/* Draws and corrects one pixel of a picture. Returns true if it has been corrected. */
static bool correct(struct backend *backend, struct exact_samples *samples, struct frame_req *part,
                    const struct truth_point *at) {
    struct backend_report report;
    struct target target = {.at_once = true};
    uint32_t rgba, before;
    part->part_x_px = at->x_px;
    part->part_y_px = at->y_px;
    target.rgba = &rgba;
    CHECK(sample_planes_init(&target.planes, SAMPLE_BASIC, 1, "a test"));
    CHECK(backend_draw(backend, part, &target, NULL, NULL, &report));
    before = target.planes.count[0];
    int steps = 0;
    CHECK(!exact_samples_correct(samples, part, &target, stop, &steps) && steps == 1);
    CHECK(target.planes.count[0] == before);
    CHECK(exact_samples_correct(samples, part, &target, NULL, NULL));
    const float fraction = target.planes.fraction[0];
    CHECK(target.planes.count[0] == at->count && fraction > 0 && fraction < 8);
    CHECK(rgba == colour_of(&part->colouring, part->colouring.table, at->count, fraction));
    sample_planes_finish(&target.planes);
    return before != at->count;
}

int main(void) {
    static struct truth truth;
    const struct backend_options options = {.cpumask = ~0u};
    int points = 0, corrected = 0;
    CHECK(palette_ready() && truth_load(&truth, "super_dense", 0));
    struct frame_req *req = &truth.req;
    req->route = ROUTE_PERTURBED;
    req->type = TYPE_DOUBLE;
    req->widen = false;
    struct backend *backend = backend_open(backends_all, "scalar", &options);
    struct exact_samples *samples = exact_samples_create(req, 1, NULL, 2, false);
    CHECK(backend && samples);
    SCOPED_BY(frame_req_init_copy, frame_req, part, req);
    part.whole_width_px = req->width_px;
    part.whole_height_px = req->height_px;
    part.width_px = part.height_px = 1;
    part.focus_x_px = part.focus_y_px = 0;
    for (int i = 0; i < truth.points && points < POINTS; i++) {
        if (truth.point[i].count > COUNT_MOST)
            continue;
        corrected += correct(backend, samples, &part, &truth.point[i]);
        points++;
    }
    const struct exact_samples_result *result = exact_samples_result(samples);
    printf("%d of %d counts were corrected, with up to %ld bits\n", corrected, points,
           result->bits);
    CHECK(points == POINTS && corrected > 0 && result->bits > 128);
    CHECK(result->changed >= (uint64_t)corrected);
    exact_samples_destroy(samples);
    backend_close(backend);
    frame_req_finish(req);
    return failures > 0;
}
