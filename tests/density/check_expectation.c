/* Expectation of orbit density: cells, rejection, folding and conjugate points must not change it.
 * Compares batches of samples, pixel by pixel, with batches of independent c, uniform over the
 * whole square. A loop of this file counts the latter as density.h defines it. */
#include "render/backends.h"
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "render/grid/coords.h"
#include "tests/shared/check.h"
#include "tests/shared/random.h"
#include <math.h>

#define PIXELS  400 /* maximum number of pixels of a picture */
#define BATCHES 24
#define SAMPLES 100000
#define ENOUGH  10 /* pixels whose mean has fewer standard errors count in the total only */

/* Points per area of c. */
struct mean {
    double sum[PIXELS + 1], squares[PIXELS + 1]; /* last entry: over all pixels */
};

static void add_batch(struct mean *mean, const uint64_t *count, double area) {
    uint64_t all = 0;
    for (int i = 0; i <= PIXELS; i++) {
        const double density = (double)(i < PIXELS ? count[i] : all) * area / SAMPLES;
        all += i < PIXELS ? count[i] : 0;
        mean->sum[i] += density;
        mean->squares[i] += density * density;
    }
}

/* --- plain counting --- */

struct window {
    double re, im, cosine, sine, step;
    int width, height;
};

static void count_point(const struct window *w, double re, double im, uint64_t *count) {
    const double x = re - w->re, y = im - w->im;
    const double column = floor((x * w->cosine + y * w->sine) / w->step + w->width / 2.0);
    const double row = floor((x * w->sine - y * w->cosine) / w->step + w->height / 2.0);
    if (column >= 0 && column < w->width && row >= 0 && row < w->height)
        count[(int)row * w->width + (int)column]++;
}

static void count_orbit(const struct density *density, const struct window *w, double cr, double ci,
                        uint64_t *count) {
    double points[64][2], re = cr, im = ci;
    uint32_t n = 0;
    const uint32_t limit = density->limit[0];
    while (n < limit) {
        points[n][0] = re;
        points[n++][1] = im;
        if (re * re + im * im >= 4)
            break;
        const double next = re * re - im * im + cr;
        im = 2 * re * im + ci;
        re = next;
    }
    const bool escaped =
        points[n - 1][0] * points[n - 1][0] + points[n - 1][1] * points[n - 1][1] >= 4;
    if (density->orbits == DENSITY_BOUNDED ? escaped
                                           : !escaped || n < 2 || n < density_least(density))
        return;
    for (uint32_t i = 0; i < n; i++)
        count_point(w, points[i][0], points[i][1], count);
}

static double random_coordinate(void) {
    return (double)(random_bits() >> 11) * 0x1p-51 - 2;
}

static void plain_batch(const struct density *density, const struct window *w, struct mean *mean) {
    static uint64_t count[PIXELS];
    memset(count, 0, sizeof count);
    for (int i = 0; i < SAMPLES; i++) {
        const double re = random_coordinate();
        count_orbit(density, w, re, random_coordinate(), count);
    }
    add_batch(mean, count, 16);
}

/* --- fathom's counting --- */

static bool our_batch(struct backend *backend, struct density_req *req, struct mean *mean) {
    static uint64_t shown[PIXELS];
    struct density_counts counts;
    struct backend_report report;
    density_cells_unref(req->cells);
    req->cells = density_cells_create(&req->density);
    req->samples = SAMPLES;
    bool ok = req->cells && density_counts_init(&counts, req) &&
              backend_density_submit(backend, req, NULL);
    do
        report = backend_poll(backend, 50);
    while (ok && report.state == BACKEND_BUSY);
    ok = ok && report.state == BACKEND_DONE && backend_density_read(backend, &counts);
    const struct density_place place = density_place(req);
    memset(shown, 0, sizeof shown);
    for (int i = 0; ok && i < req->width_px * req->height_px; i++)
        shown[i] = density_shown(req, &place, &counts, 0, i % req->width_px, i / req->width_px);
    /* Samples come from the upper half, and count for the lower half too. */
    if (ok)
        add_batch(mean, shown, req->cells->count * 0x1p-16);
    density_counts_finish(&counts);
    return ok;
}

/* --- comparison --- */

static double variance(const struct mean *mean, int i) {
    const double average = mean->sum[i] / BATCHES;
    return fmax(mean->squares[i] / BATCHES - average * average, 0) / (BATCHES - 1);
}

/* Computes the mean square of the differences in standard errors: about 1 if both expectations are
 * equal. */
static void compare(const struct mean *a, const struct mean *b, int pixels, const char *what) {
    double squares = 0;
    int used = 0;
    for (int i = 0; i < pixels; i++) {
        const double error2 = variance(a, i) + variance(b, i);
        const double difference = (a->sum[i] - b->sum[i]) / BATCHES;
        if (a->sum[i] > ENOUGH * BATCHES * sqrt(error2)) {
            squares += difference * difference / error2;
            used++;
        }
    }
    const double score = squares / used;
    const double error = sqrt(variance(a, PIXELS) + variance(b, PIXELS));
    const double total = (b->sum[PIXELS] - a->sum[PIXELS]) / BATCHES / error;
    printf("%s: %d pixels, %.3f; all of them %+.2f errors of %.3f %%\n", what, used, score, total,
           100 * error * BATCHES / a->sum[PIXELS]);
    CHECK(used > pixels / 8 && score < 1.4 && fabs(total) < 3.5);
}

static void check_view(struct backend *backend, const char *what, const struct density *density,
                       int width, int height, const char *re, const char *im, const char *zoom,
                       double degrees) {
    static struct mean plain, ours;
    struct density_req req;
    const char *why;
    density_req_init(&req, width, height);
    CHECK(view_set_centre(&req.view, re, im, 0, &why) && view_set_zoom(&req.view, zoom, &why) &&
          view_set_angle_degrees(&req.view, degrees, &why));
    const double angle = degrees * M_PI / 180;
    const struct window window = {
        atof(re), atof(im), cos(angle), sin(angle), 4 / (atof(zoom) * height), width, height};
    req.density = *density;
    req.type = TYPE_FLOAT;
    memset(&plain, 0, sizeof plain);
    memset(&ours, 0, sizeof ours);
    for (int batch = 0; batch < BATCHES; batch++) {
        req.density.random = random_bits();
        plain_batch(density, &window, &plain);
        CHECK(our_batch(backend, &req, &ours));
    }
    compare(&plain, &ours, width * height, what);
    density_req_finish(&req);
}

int main(void) {
    const struct backend_options options = {.cpumask = ~0u};
    struct backend *backend = backend_open(backends_all, "scalar", &options);
    struct density density;
    random_seed(11);
    density_init(&density);
    density.limit[0] = 60;
    density.least = 1;
    if (!backend)
        return 1;
    check_view(backend, "all orbits, folded", &density, 24, 16, "-0.5", "0", "1", 0);
    check_view(backend, "folded sideways", &density, 17, 23, "-0.6", "0", "0.8", 90);
    density.least = 9;
    check_view(backend, "from 9 steps, folded", &density, 25, 15, "-0.5", "0", "1", 0);
    check_view(backend, "from 9 steps, in the upper half", &density, 23, 16, "-0.4", "0.6", "2", 0);
    check_view(backend, "from 9 steps, turned", &density, 24, 15, "0.1", "-0.3", "1.5", 30);
    density.orbits = DENSITY_BOUNDED;
    density.limit[0] = 40;
    check_view(backend, "bounded", &density, 21, 17, "-0.5", "0", "1.2", 0);
    backend_close(backend);
    return failures > 0;
}
