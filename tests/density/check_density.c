/* Orbit density on every backend that counts it: the counts equal a plain loop's, with any number
 * of parts and threads; previews, changes, stopping and continuing follow the contract. usage:
 * check_density [NAME [SEED]]   (77: NAME cannot run on this machine) */
#include "render/density/density_cells.h"
#include "render/density/density_sample.h"
#include "tests/density/densities.h"
#include "tests/density/density_pixels.h"
#include "tests/density/plain_density.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>

static uint64_t seed; /* from the command line */

/* Sanitizer builds skip repetitive parts: more threads, statistics of many runs. */
#ifdef TEST_SANITIZED
#define AT_LENGTH false
#else
#define AT_LENGTH true
#endif

/* --- identity --- */

struct scenario {
    int width_px, height_px;
    const char *re, *im, *zoom;
    double angle;
    struct density density;
    uint64_t round;   /* round of the first sample, or a little before */
    uint64_t samples; /* number of samples */
};

#define OURS(...)                                                                                  \
    {                                                                                              \
        .channels = 1, .limit = { __VA_ARGS__ }                                                    \
    }
#define NEBULA(...)                                                                                \
    {                                                                                              \
        .channels = 3, .limit = { __VA_ARGS__ }                                                    \
    }

static const struct scenario scenarios[] = {
    {160, 90, "-0.5", "0", "1", 0, OURS(1000), 0, 6000},
    {160, 90, "-0.5", "0", "1", 0, {.channels = 1, .least = 1, .limit = {20}}, 0, 20000},
    {161, 91, "-0.5", "0", "1", 0, {.channels = 1, .least = 3, .limit = {39}}, 1, 20000},
    {90, 161, "-0.6", "0", "0.7", 90, {.channels = 1, .limit = {20}}, 0, 30000},
    {91, 160, "-0.6", "0", "0.7", -90, {.channels = 1, .limit = {20}}, 2040, 30000},
    {64, 64, "-0.6", "0", "0.7", 0, {.channels = 1, .limit = {1000}}, 2, 5000},
    {64, 64, "-0.6", "0.1", "0.7", 30, {.channels = 3, .limit = {5, 100, 30}}, 24, 9000},
    {70, 50, "-0.5", "0", "1", 180, NEBULA(500, 50, 5), 120, 9000},
    {70, 50, "-0.5", "0.25", "1", 0, NEBULA(300, 300, 100), 1, 9000},
    {70, 50, "0.1", "-0.7", "6", 37.5, OURS(200), 0, 9000},
    {70, 50, "-1.7", "0", "300", 0, {.channels = 1, .least = 2, .limit = {100}}, 0, 40000},
    {55,
     33,
     "-0.5",
     "0",
     "1",
     0,
     {.orbits = DENSITY_BOUNDED, .channels = 1, .limit = {300}},
     0,
     4000},
    {33,
     55,
     "-0.5",
     "0.5",
     "1",
     45,
     {.orbits = DENSITY_BOUNDED, .channels = 1, .limit = {20}},
     504,
     4000},
    {33,
     55,
     "-0.5",
     "0",
     "1",
     0,
     {.orbits = DENSITY_BOUNDED, .channels = 1, .limit = {50}},
     3,
     4000},
    {1, 1, "0", "0", "1", 0, {.channels = 1, .least = 1, .limit = {50}}, 0, 3000},
    {65536, 1, "0", "0", "1e-4", 0, {.channels = 1, .least = 1, .limit = {50}}, 0, 3000},
    {1, 65536, "0", "0", "1", 90, {.channels = 1, .least = 1, .limit = {50}}, 1, 3000},
    {65536, 1, "0", "0.001", "1e-4", 10, {.channels = 1, .least = 1, .limit = {50}}, 1, 3000},
    {40, 30, "-0.5", "0", "1", 0, OURS(1), 0, 700},
    {40, 30, "-0.5", "0", "1", 0, OURS(2), 0, 7000},
    {40, 30, "-0.5", "0", "1", 0, {.orbits = DENSITY_BOUNDED, .channels = 1, .limit = {1}}, 0, 700},
    {40, 30, "-0.5", "0", "1", 0, {.channels = 1, .least = 900, .limit = {1000}}, 7, 20000},
    {40,
     30,
     "-0.5",
     "0",
     "1",
     0,
     {.channels = 1, .random = 0x123456789abcdef0, .limit = {100}},
     (1ull << 33) + 77,
     9000},
};

/* Returns a sample some clumps before the round, so that the test crosses the round's start. */
static uint64_t beginning(const struct density_req *req, uint64_t round) {
    const uint64_t samples = round * req->cells->count * CLUMP_SAMPLES;
    return samples < 2000 ? 0 : (samples - 2000) / DENSITY_CHUNK * DENSITY_CHUNK;
}

static bool check_scenario(struct backend *backend, const struct scenario *s,
                           struct density_req *req, const char *what) {
    req->width_px = s->width_px;
    req->height_px = s->height_px;
    set_view(req, s->re, s->im, s->zoom, s->angle);
    set_density(req, &s->density);
    SCOPED_MADE(density_counts, want, req);
    SCOPED_MADE(density_counts, got, req);
    want.samples = beginning(req, s->round);
    req->start = &want;
    req->samples = want.samples + s->samples;
    req->generation++;
    bool ok = count(backend, req, NULL, &got);
    if (req->cells->count > 0)
        plain_density_count(req, want.samples / CLUMP_SAMPLES, got.samples / CLUMP_SAMPLES, &want);
    want.samples = got.samples;
    ok = ok && got.samples - req->samples < DENSITY_CHUNK && equal(&want, &got, what);
    req->start = NULL;
    return ok;
}

#define CREWS 5 /* numbers of threads: 1, 2, ... */

static bool check_identity(struct backend *const crews[CREWS]) {
    SCOPED(density_req, req, 1, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof scenarios / sizeof *scenarios; i++)
        for (int type = 0; ok && type < TYPE_NATIVE_COUNT; type++) {
            char what[80];
            const size_t crew = (i + (size_t)type * 2) % CREWS;
            req.type = (enum number_type)type;
            snprintf(what, sizeof what, "scenario %zu, %s, %zu threads", i,
                     number_type_name(req.type), crew + 1);
            ok = check_scenario(crews[crew], &scenarios[i], &req, what);
        }
    return ok;
}

/* --- continuing, changing, stopping --- */

/* Initialises the usual picture of the tests below. */
static void init_usual(struct density_req *req, uint64_t samples) {
    static const struct density usual = {.channels = 3, .least = 3, .limit = {200, 70, 25}};
    density_req_init(req, 200, 131);
    req->type = TYPE_FLOAT;
    req->samples = samples;
    set_density(req, &usual);
}

static bool check_going_on(struct backend *backend) {
    SCOPED_BY(init_usual, density_req, req, 100000);
    SCOPED_MADE(density_counts, whole, &req);
    SCOPED_MADE(density_counts, part, &req);
    bool ok = count(backend, &req, NULL, &whole);
    for (uint64_t samples = 64; ok && samples <= 100000; samples += 33333) {
        req.samples = samples;
        ok = count(backend, &req, NULL, &part);
        req.start = &part;
    }
    req.samples = 100000;
    ok = ok && count(backend, &req, NULL, &part) && equal(&whole, &part, "in parts");
    req.samples = 50;
    ok = ok && count(backend, &req, NULL, &part) && equal(&whole, &part, "nothing more");
    req.start = NULL;
    req.samples = 1000;
    struct backend_report report;
    return ok && backend_density_submit(backend, &req, NULL) && finish_run(backend, &report) &&
           backend_density_set_samples(backend, 100000) && finish_run(backend, &report) &&
           backend_density_read(backend, &part) && equal(&whole, &part, "extended");
}

/* Stops an endless run at some moment, and checks that the counts are those of the first
 * samples. */
static bool check_stopping(struct backend *backend) {
    struct backend_report report;
    SCOPED_BY(init_usual, density_req, req, UINT64_MAX);
    bool ok = true;
    for (int i = 0; ok && i < 6; i++) {
        SCOPED_MADE(density_counts, got, &req);
        SCOPED_MADE(density_counts, want, &req);
        ok = backend_density_submit(backend, &req, NULL);
        backend_poll(backend, (double)(random_bits() % 4));
        ok = ok && backend_density_set_samples(backend, 0) && finish_run(backend, &report) &&
             backend_density_read(backend, &got);
        struct density_req again = req;
        again.samples = got.samples;
        ok = ok && got.samples % DENSITY_CHUNK == 0 && got.samples < UINT64_MAX / 2 &&
             count(backend, &again, NULL, &want) && equal(&want, &got, "stopped early");
    }
    return ok;
}

/* Uses so many workers that each may hold few counters: points go to the totals at once. */
static bool check_crowd(const char *name) {
    struct backend_options options = plain;
    options.threads = 128;
    struct backend *backend = open_ready(name, options);
    SCOPED_BY(init_usual, density_req, req, 200000);
    req.width_px = 1500;
    req.height_px = 1000;
    SCOPED_MADE(density_counts, want, &req);
    SCOPED_MADE(density_counts, got, &req);
    bool ok = backend && count(backend, &req, NULL, &got);
    plain_density_count(&req, 0, got.samples / CLUMP_SAMPLES, &want);
    want.samples = got.samples;
    ok = ok && equal(&want, &got, "a crowd");
    backend_close(backend);
    return ok;
}

/* --- showing --- */

static const struct scenario shows[] = {
    {201, 77, "-0.5", "0", "1", 0, NEBULA(100, 50, 20), 0, 200000},
    {77, 201, "-0.5", "0", "1", 0, {.channels = 1, .least = 1, .limit = {40}}, 0, 200000},
    {77, 200, "-0.6", "0", "0.7", 90, {.channels = 1, .limit = {20}}, 0, 200000},
    {78, 201, "-0.6", "0", "0.7", -90, {.channels = 1, .limit = {20}}, 0, 200000},
    {120, 80, "-0.6", "0.1", "1", 20, OURS(500), 0, 200000},
    {1, 1, "0", "0", "1", 0, OURS(100), 0, 20000},
    {300, 1, "0", "0", "0.01", 0, OURS(100), 0, 20000},
    /* wider than a preview's piece, in every shape of counts */
    {2100, 4, "-0.5", "0", "0.003", 0, {.channels = 1, .least = 1, .limit = {40}}, 0, 400000},
    {2101, 3, "-0.5", "0.001", "0.003", 0, {.channels = 1, .least = 1, .limit = {40}}, 0, 400000},
    {2100, 3, "-0.6", "0", "0.003", 90, {.channels = 1, .least = 1, .limit = {40}}, 0, 400000},
    {4201, 3, "-0.6", "0", "0.003", -90, {.channels = 1, .least = 1, .limit = {40}}, 0, 400000},
};

static bool check_show(struct backend *backend, const struct scenario *s, struct density_req *req,
                       const char *what) {
    req->width_px = s->width_px;
    req->height_px = s->height_px;
    req->samples = s->samples;
    req->generation++;
    tone_init(&req->tone);
    set_view(req, s->re, s->im, s->zoom, s->angle);
    set_density(req, &s->density);
    SCOPED_MADE(density_counts, counts, req);
    SCOPED(picture, picture, req->width_px, req->height_px);
    const struct target target = {.rgba = picture.target.rgba};
    bool ok = count(backend, req, &target, &counts) && same_pixels(req, &counts, &picture, what);
    for (int curve = 0; ok && curve < TONE_CURVE_COUNT; curve++) {
        req->tone.curve = (enum tone_curve)curve;
        req->tone.exposure = curve - 2.5;
        memset(picture.target.rgba, 0, picture.pixels * sizeof(uint32_t));
        ok = recolour(backend, req);
        req->tone.exposure++; /* immediately after */
        ok = ok && recolour(backend, req) && finish_run(backend, &picture.report) &&
             picture.report.samples == counts.samples &&
             same_pixels(req, &counts, &picture, "another tone");
    }
    return ok && !backend_recolour(backend, req->generation, 99, &(struct look){0});
}

static bool check_shows(struct backend *backend) {
    SCOPED(density_req, req, 1, 1);
    req.type = TYPE_FLOAT;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof shows / sizeof *shows; i++) {
        char what[40];
        snprintf(what, sizeof what, "show %zu", i);
        ok = check_show(backend, &shows[i], &req, what);
    }
    return ok;
}

/* Checks that an endless run shows more and more, and that its report grows with the picture. */
static bool check_growing(struct backend *backend) {
    SCOPED_BY(init_usual, density_req, req, UINT64_MAX);
    SCOPED_MADE(density_counts, counts, &req);
    SCOPED(picture, picture, req.width_px, req.height_px);
    SCOPED(picture, early, req.width_px, req.height_px);
    const struct target target = {.rgba = picture.target.rgba};
    CHECK(backend_density_submit(backend, &req, &target));
    uint64_t samples = 0, early_samples = 0;
    for (int seen = 0; seen < 5;) {
        const struct backend_report report = backend_poll(backend, 50);
        CHECK(report.state == BACKEND_BUSY && report.samples >= samples);
        CHECK(report.counted >= report.samples && (report.hit > 0) == (report.points > 0));
        CHECK(report.dirty.x1 == 0 || report.samples > samples || seen >= 3);
        seen += report.dirty.x1 > 0;
        samples = report.samples;
        if (report.dirty.x1 > 0 && seen == 2) {
            early_samples = samples;
            memcpy(early.target.rgba, target.rgba, early.pixels * sizeof *target.rgba);
        }
        req.tone.curve = TONE_LOG;
        CHECK(report.generation == req.generation && (seen != 3 || recolour(backend, &req)));
    }
    CHECK(backend_density_set_samples(backend, 0) && finish_run(backend, &picture.report));
    CHECK(picture.report.samples >= samples && backend_density_read(backend, &counts));
    CHECK(same_pixels(&req, &counts, &picture, "after growing"));
    CHECK(check_early(backend, &req, early_samples, &counts, early.target.rgba));
    return true;
}

/* Ends and continues a run alternately, without a preview in between: whenever it is DONE, its
 * target shows all samples. */
static bool check_turns(struct backend *backend) {
    SCOPED_BY(init_usual, density_req, req, 6400);
    SCOPED_MADE(density_counts, counts, &req);
    SCOPED(picture, picture, req.width_px, req.height_px);
    const struct target target = {.rgba = picture.target.rgba};
    bool ok = backend_density_submit(backend, &req, &target);
    for (uint64_t samples = 12800; ok && samples < 200000; samples += 6400)
        ok = finish_run(backend, &picture.report) && backend_density_read(backend, &counts) &&
             picture.report.samples == counts.samples &&
             same_pixels(&req, &counts, &picture, "going on in turns") &&
             backend_density_set_samples(backend, samples);
    backend_cancel(backend);
    return ok;
}

/* --- interruption --- */

/* Cancels at random times, also in endless orbits, and continues with the other kind of picture. */
static bool check_cancel(struct backend *backend) {
    static const struct density endless = {
        .orbits = DENSITY_BOUNDED, .channels = 1, .limit = {FRAME_LIMIT_MAX}};
    double worst = 0;
    SCOPED_BY(init_usual, density_req, req, UINT64_MAX);
    SCOPED(density_req, long_req, 200, 131);
    long_req.type = TYPE_FLOAT;
    set_density(&long_req, &endless);
    SCOPED(frame_req, frame, 100, 70);
    SCOPED(picture, picture, req.width_px, req.height_px);
    SCOPED(picture, other, 100, 70);
    const struct target target = {.rgba = picture.target.rgba};
    bool ok = true;
    for (int i = 0; ok && i < 20; i++) {
        ok = backend_density_submit(backend, i % 3 == 2 ? &long_req : &req, &target);
        for (uint64_t polls = random_bits() % 4; ok && polls > 0; polls--)
            backend_poll(backend, (double)(random_bits() % 16));
        const double start = worked_ms();
        if (i % 2)
            backend_cancel(backend);
        else
            ok = ok && backend_submit(backend, &frame, &other.target);
        worst = fmax(worst, worked_ms() - start);
        mark(&picture);
        ok = ok &&
             (i % 2 ? backend_poll(backend, 3).state == BACKEND_IDLE
                    : finish_run(backend, &other.report)) &&
             untouched(&picture, "cancelled");
    }
    printf("%s: cancel took at most %.2f ms of work\n", subject, worst);
    if (worst > 500) {
        printf("%s: that is no cancel\n", subject);
        ok = false;
    }
    return ok;
}

static bool check_destroy_busy(const char *name) {
    SCOPED_BY(init_usual, density_req, req, UINT64_MAX);
    SCOPED(picture, picture, req.width_px, req.height_px);
    const struct target target = {.rgba = picture.target.rgba};
    bool ok = true;
    for (int i = 0; ok && i < 5; i++) {
        struct backend *backend = open_ready(name, plain);
        ok = backend && backend_density_submit(backend, &req, i % 2 ? &target : NULL);
        if (ok && i > 1)
            backend_poll(backend, 10 * i);
        backend_close(backend);
        mark(&picture);
        ok = ok && untouched(&picture, "destroyed");
    }
    return ok;
}

/* --- expectation --- */

/* Compares a symmetric view, which is folded, with nearly the same view, which is not: their
 * pictures must differ by noise alone. The two have different random numbers. Blocks have 8x8
 * pixels. Many blocks see the same orbit, and mirror images are equal, so chi^2 varies far more
 * than for independent ones. */
static bool check_fold(struct backend *backend) {
    enum { SIDE = 64, BLOCK = 8, BLOCKS = SIDE / BLOCK * (SIDE / BLOCK), RUNS = 24 };
    static double sum[2][BLOCKS], sum2[2][BLOCKS];
    SCOPED(density_req, req, SIDE, SIDE);
    req.type = TYPE_DOUBLE;
    req.samples = 30000;
    bool ok = true;
    memset(sum, 0, sizeof sum);
    memset(sum2, 0, sizeof sum2);
    for (int run = 0; ok && run < 2 * RUNS; run++) {
        const struct density density = {
            .channels = 1, .least = 5, .limit = {100}, .random = (uint64_t)run + 1000 * seed};
        set_view(&req, "-0.5", run % 2 ? "1e-12" : "0", "0.8", 0);
        set_density(&req, &density);
        SCOPED_MADE(density_counts, counts, &req);
        const struct density_place place = density_place(&req);
        ok = place.both == (run % 2 == 1) && count(backend, &req, NULL, &counts);
        for (int block = 0; block < BLOCKS; block++) {
            double points = 0;
            for (int i = 0; i < BLOCK * BLOCK; i++)
                points += (double)density_shown(&req, &place, &counts, 0,
                                                block % (SIDE / BLOCK) * BLOCK + i % BLOCK,
                                                block / (SIDE / BLOCK) * BLOCK + i / BLOCK);
            sum[run % 2][block] += points;
            sum2[run % 2][block] += points * points;
        }
    }
    double chi2 = 0;
    int free = 0;
    for (int block = 0; block < BLOCKS; block++) {
        double variance = 0;
        for (int kind = 0; kind < 2; kind++)
            variance += (sum2[kind][block] - sum[kind][block] * sum[kind][block] / RUNS) /
                        (RUNS - 1) / RUNS;
        const double difference = (sum[0][block] - sum[1][block]) / RUNS;
        if (variance > 0) {
            chi2 += difference * difference / variance;
            free++;
        }
    }
    if (ok && (free < BLOCKS / 4 || chi2 > 4 * free)) {
        printf("%s: folded and unfolded differ, chi^2 = %.1f for %d blocks\n", subject, chi2, free);
        ok = false;
    }
    return ok;
}

static bool check_crews(const char *name, struct backend *const crews[CREWS]) {
    return check_identity(crews) && check_going_on(crews[1]) && check_stopping(crews[2]) &&
           (!AT_LENGTH || check_shows(crews[0])) && check_shows(crews[3]) &&
           check_growing(crews[1]) && check_turns(crews[1]) && check_cancel(crews[1]) &&
           (!AT_LENGTH || check_fold(crews[1])) && check_crowd(name) && check_destroy_busy(name);
}

static bool check_backend(const char *name) {
    struct backend *crews[CREWS] = {NULL};
    bool opened = true;
    random_seed(seed);
    for (int i = 0; i < CREWS; i++) {
        struct backend_options options = plain;
        options.threads = i + 1;
        if (strcmp(name, "scalar") == 0 && i % 2)
            options.cpumask = 0; /* without fma */
        crews[i] = open_ready(name, options);
        opened = opened && crews[i];
    }
    const bool counts = opened && backend_has_density(crews[0]);
    const bool ok = opened && (!counts || check_crews(name, crews));
    if (!ok)
        printf("%s failed with seed %" PRIu64 "\n", name, seed);
    else
        printf("%s: %s\n", name, counts ? "counts as the contract says" : "does not count");
    for (int i = 0; i < CREWS; i++)
        backend_close(crews[i]);
    return ok;
}

int main(int argc, char **argv) {
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "count orbits as the contract says");
}
