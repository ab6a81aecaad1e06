/* Statistics of pictures, on every backend that can run here: the values of a plain loop over the
 * count plane, however the picture was drawn. Without a picture there are no statistics.
 * usage: check_statistics [NAME]   (77: NAME cannot run on this machine) */
#include "render/density/density_cells.h"
#include "render/palette.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <inttypes.h>

#define WIDTH  203
#define HEIGHT 141

/* --- the buckets --- */

static bool check_buckets(void) {
    subject = "buckets";
    for (uint32_t count = 0; count < 8; count++)
        CHECK(statistics_bucket(count) == count);
    for (unsigned b = 0; b < 120; b++) {
        const uint32_t least = statistics_bucket_least(b), next = statistics_bucket_least(b + 1);
        CHECK(least < next);
        CHECK(statistics_bucket(least) == b);
        CHECK(statistics_bucket(next - 1) == b);
        CHECK(statistics_bucket(least + (next - least) / 2) == b);
    }
    CHECK(statistics_bucket_least(120) == SAMPLE_INTERIOR);
    return true;
}

/* Checks sums over counts of all sizes, in rows of many lengths that are not adjacent in memory. */
static bool check_add(void) {
    static uint32_t plane[7][200];
    subject = "sums";
    random_seed(11);
    for (size_t columns = 1; columns < 140; columns += 9) {
        struct statistics sum;
        uint64_t histogram[STATISTICS_BUCKETS] = {0}, interior = 0;
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t i = 0; i < 7 * 200; i++)
            plane[i / 200][i % 200] = (uint32_t)random_bits() >> random_bits() % 32;
        for (size_t i = 0; i < 7 * columns; i++) {
            const uint32_t count = plane[i / columns][i % columns];
            const bool inside = count & SAMPLE_INTERIOR;
            interior += inside;
            histogram[statistics_bucket(inside ? 0 : count)] += !inside;
            least = !inside && count < least ? count : least;
            most = !inside && count > most ? count : most;
        }
        statistics_init(&sum);
        CHECK(sum.least > sum.most && sum.pixels == 0 && sum.interior == 0);
        statistics_add(&sum, plane[0], columns, 3, 200);
        statistics_add(&sum, plane[3], columns, 4, 200);
        CHECK(sum.pixels == 7 * columns && sum.interior == interior);
        CHECK(sum.least == least && sum.most == most);
        CHECK(memcmp(sum.histogram, histogram, sizeof histogram) == 0);
    }
    return true;
}

/* --- pictures --- */

static bool is_of(const struct statistics *s, const struct picture *picture, const char *what) {
    struct statistics want = {.pixels = picture->pixels, .least = UINT32_MAX};
    for (size_t i = 0; i < picture->pixels; i++) {
        const uint32_t count = picture->target.planes.count[i];
        if (count & SAMPLE_INTERIOR) {
            want.interior++;
            continue;
        }
        want.histogram[statistics_bucket(count)]++;
        want.least = count < want.least ? count : want.least;
        want.most = count > want.most ? count : want.most;
    }
    if (s->pixels == want.pixels && s->interior == want.interior && s->least == want.least &&
        s->most == want.most && memcmp(s->histogram, want.histogram, sizeof want.histogram) == 0)
        return true;
    printf("%s: %s: %" PRIu64 " pixels, %" PRIu64
           " interior, counts %u to %u; but there are %" PRIu64 ", %" PRIu64 ", %u to %u%s\n",
           subject, what, s->pixels, s->interior, s->least, s->most, want.pixels, want.interior,
           want.least, want.most,
           memcmp(s->histogram, want.histogram, sizeof want.histogram) ? ", or in other buckets"
                                                                       : "");
    return false;
}

/* Draws, and compares the statistics with the count plane. */
static bool check_drawn(struct backend *backend, const struct frame_req *req,
                        struct picture *picture, const char *what) {
    struct statistics s;
    CHECK(draw(backend, req, picture));
    CHECK(backend_statistics(backend, &s));
    return is_of(&s, picture, what);
}

static const struct place places[] = {
    {"-0.5", "0", "1.5", 0, 500},  {"-0.743643887037151", "0.131825904205330", "1e6", 0, 2000},
    {"-0.1", "0", "1e4", 0, 1000}, /* interior */ {"0", "0", "1e-6", 0, 17},
    {"0.3", "0.5", "2", 180, 0},   {"-1.25066", "0.02012", "1700", 37.5, 1},
};

static bool check_places(struct backend *backend, struct frame_req *req, struct picture *picture) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int method = 0; method < METHOD_COUNT; method++) {
            char what[80];
            set_place(req, &places[i]);
            req->method = (enum method)method;
            req->first_stride = 1 << (i % 5);
            req->generation++;
            snprintf(what, sizeof what, "place %zu, %s", i, method_names[method]);
            if (!check_drawn(backend, req, picture, what))
                return false;
        }
    req->method = METHOD_TILES;
    return true;
}

/* Checks pans, new colours and raised limits, which continue with existing samples. */
static bool check_kept(struct backend *backend, struct frame_req *req, struct picture *picture) {
    set_place(req, &places[1]);
    req->limit = 300;
    if (!check_drawn(backend, req, picture, "before all that"))
        return false;
    for (int i = 0; i < 12; i++) {
        req->generation++;
        if (i % 3 == 0)
            view_pan(&req->view, 17 - 7 * i, 5 * i - 20, req->height_px);
        if (i % 3 == 1)
            req->limit += req->limit / 2;
        if (i % 4 == 2)
            colouring_set(&req->colouring, palette_builtin(i % 3), 2, 0.5);
        req->method = i == 7 ? METHOD_DEEPEN : METHOD_TILES;
        if (!check_drawn(backend, req, picture, "gone on with"))
            return false;
        CHECK(picture->report.kept > 0);
    }
    return true;
}

/* Checks raised limits that are replaced half-way. */
static bool check_replaced(struct backend *backend, struct frame_req *req,
                           struct picture *picture) {
    struct statistics s;
    set_place(req, &places[1]);
    for (int i = 0; i < 6; i++) {
        req->limit += 5000;
        view_pan(&req->view, 3, 1, req->height_px);
        req->generation++;
        CHECK(backend_submit(backend, req, &picture->target));
        backend_poll(backend, i);
        if (i == 3)
            backend_cancel(backend);
        CHECK(i != 3 || !backend_statistics(backend, &s));
    }
    while ((picture->report = backend_poll(backend, 50)).state == BACKEND_BUSY)
        CHECK(!backend_statistics(backend, &s));
    CHECK(picture->report.state == BACKEND_DONE && backend_statistics(backend, &s));
    return is_of(&s, picture, "replaced half-way");
}

/* Checks a picture of several tiles, launches and parts, with planes and without, as the window
 * draws. */
static bool check_large(struct backend *backend) {
    struct statistics s, bare;
    SCOPED(frame_req, req, 2600, 1800);
    req.limit = 200;
    SCOPED(picture, with, 2600, 1800);
    const struct target target = {.rgba = with.target.rgba};
    CHECK(backend_draw(backend, &req, &target, NULL, NULL, &with.report));
    CHECK(backend_statistics(backend, &bare));
    CHECK(draw(backend, &req, &with));
    CHECK(backend_statistics(backend, &s));
    CHECK(memcmp(&s, &bare, sizeof s) == 0);
    return is_of(&s, &with, "a large one");
}

/* Checks that there are no statistics before a picture, for pictures that cannot be continued, and
 * for orbit density. */
static bool check_absent(struct backend *backend, struct frame_req *req, struct picture *picture) {
    struct statistics s = {.pixels = 77};
    struct density_req orbits;
    CHECK(!backend_statistics(backend, &s));
    req->reuse = false;
    CHECK(draw(backend, req, picture));
    CHECK(!backend_statistics(backend, &s));
    req->reuse = true;
    CHECK(check_drawn(backend, req, picture, "the first one"));
    density_req_init(&orbits, 64, 48);
    orbits.samples = DENSITY_CHUNK;
    CHECK((orbits.cells = density_cells_create(&orbits.density)) != NULL);
    CHECK(backend_density_submit(backend, &orbits, NULL));
    CHECK(!backend_statistics(backend, &s));
    while (backend_poll(backend, 50).state == BACKEND_BUSY)
        continue;
    s.pixels = 77;
    CHECK(!backend_statistics(backend, &s) && s.pixels == 77);
    density_req_finish(&orbits);
    return check_drawn(backend, req, picture, "after orbits");
}

static bool check_backend(const char *name) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED(picture, picture, WIDTH, HEIGHT);
    struct backend *backend = open_ready(name, plain);
    const bool ok = backend && check_absent(backend, &req, &picture) &&
                    check_places(backend, &req, &picture) && check_kept(backend, &req, &picture) &&
                    check_replaced(backend, &req, &picture) && check_large(backend);
    backend_close(backend);
    return ok;
}

int main(int argc, char **argv) {
    if (!check_buckets() || !check_add())
        return 1;
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "know what their pictures consist of");
}
