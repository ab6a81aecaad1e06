/* Saved runs of orbit density: round trips, and readers of damaged, truncated or hostile files. */
#include "render/files/density_file.h"
#include "tests/shared/mutate.h"
#include <unistd.h>

struct run {
    struct scene scene;
    struct density_counts counts;
};

/* Makes a run with random counts; `channels` as on the command line. */
static void make_run(struct run *run, int width, int height, const char *channels) {
    const char *why;
    struct setting_problem problem;
    unsigned long long seed = 77;
    scene_init(&run->scene);
    CHECK(setting_parse(SETTING_CHANNELS, &run->scene, channels, &problem));
    CHECK(view_set_centre(&run->scene.view, "-0.6", "0", 0, &why));
    run->scene.orbit_density = true;
    run->scene.precision = PRECISION_FLOAT;
    run->scene.width_px = width;
    run->scene.height_px = height;
    run->scene.orbits.random = UINT64_MAX;
    run->scene.tone.exposure = -1.0 / 3;
    SCOPED(density_req, req, width, height);
    scene_density_request(&run->scene, width, height, &req);
    CHECK(density_counts_init(&run->counts, &req));
    const size_t size =
        (size_t)run->counts.planes * (size_t)run->counts.width * (size_t)run->counts.height;
    run->counts.samples = 64 * 1001;
    for (size_t i = 0; run->counts.count && i < size; i++) {
        run->counts.count[i] = random_next(&seed) >> random_next(&seed) % 32 >> 32;
        run->counts.points += run->counts.count[i];
    }
}

static void finish_run(struct run *run) {
    density_counts_finish(&run->counts);
    scene_finish(&run->scene);
}

static bool write_run(const char *path, const struct run *run) {
    return density_file_write(path, &run->scene, &run->counts, &(struct density_saving){0});
}

static bool read_run(const char *path) {
    struct run run;
    scene_init(&run.scene);
    const bool ok = density_file_read(path, &run.scene, &run.counts);
    CHECK(ok == (run.counts.count != NULL) && ok == run.scene.orbit_density);
    finish_run(&run);
    return ok;
}

static void check_run(int width, int height, const char *channels) {
    struct run run, again;
    make_run(&run, width, height, channels);
    CHECK(write_run("run.npy", &run));
    scene_init(&again.scene);
    CHECK(density_file_read("run.npy", &again.scene, &again.counts));
    const struct density_counts *a = &run.counts, *b = &again.counts;
    CHECK(a->width == b->width && a->height == b->height && a->planes == b->planes &&
          a->samples == b->samples && a->points == b->points);
    CHECK(b->count && memcmp(a->count, b->count,
                             (size_t)a->planes * (size_t)a->width * (size_t)a->height * 8) == 0);
    CHECK(view_equal(&run.scene.view, &again.scene.view) && again.scene.samples == a->samples);
    CHECK(run.scene.orbits.random == again.scene.orbits.random &&
          tone_equal(&run.scene.tone, &again.scene.tone) && again.scene.limit == run.scene.limit &&
          again.scene.precision == PRECISION_FLOAT);
    scene_finish(&again.scene);
    scene_init(&again.scene);
    CHECK(scene_load(&again.scene, "run.npy") && again.scene.orbit_density &&
          view_equal(&run.scene.view, &again.scene.view) && again.scene.samples == a->samples &&
          again.scene.width_px == width);
    CHECK(read_run("run.npy") && names_with(".fathom-") == 0);
    CHECK_REFUSED(write_run("/dev/full", &run), "No space left");
    finish_run(&run);
    finish_run(&again);
}

/* Tests the saved run of 5x4 pixels at `path`: truncated at every byte, with a flipped bit in every
 * byte, and extended. */
static void check_damaged_run(const char *path) {
    size_t length;
    char *data = file_read(path, 10000, &length);
    CHECK(data && read_run(path));
    for (size_t i = 0; data && i < length; i++) {
        if (i < length - 1) { /* a missing last newline is accepted */
            file_put("bad.npy", data, i);
            log_start();
            CHECK(!read_run("bad.npy") && log_ends_in_one_error());
        }
        data[i] ^= (char)(1 << i % 8);
        file_put("bad.npy", data, length);
        log_start();
        if (read_run("bad.npy") || !log_ends_in_one_error()) {
            printf("a flipped bit of byte %zu of %zu was not noticed\n", i, length);
            failures += i < length - 1;
        }
        data[i] ^= (char)(1 << i % 8);
    }
    free(data);
}

/* Writes a header of any shape, `values` zeros that take no disk space, and a text. */
static void put_run(const char *shape, long long values, const char *text) {
    char dict[120];
    snprintf(dict, sizeof dict, "{'descr': '<u8', 'fortran_order': False, 'shape': (%s), }", shape);
    put_npy(dict, 0);
    const off_t end = (off_t)(10 + strlen(dict) + 8ull * (unsigned long long)values);
    FILE *file = truncate("bad.npy", end) == 0 ? fopen("bad.npy", "ab") : NULL;
    CHECK(file && fputs(text, file) >= 0);
    if (file)
        fclose(file);
}

#define RUN_TEXT(size, samples, end)                                                               \
    "[picture]\nkind = density\nnumber = float\n" size "[orbits]\nsamples = " samples              \
    "\nsampling = 2\n" end
#define RUN_END "\n[run]\nversion = 2\npoints = 0\ncheck = 0123456789abcdef\n"

#define RUN_FULL "\n[run]\nversion = 2\npoints = 4611686018427387905\ncheck = 0123456789abcdef\n"

static void check_bad_runs(void) {
    static const struct {
        const char *shape;
        long long values;
        const char *text, *why;
    } bad[] = {
        {"1, 2, 2", 4, RUN_TEXT("width = 2\nheight = 3\n", "64", RUN_END), "damaged"},
        {"1, 2, 2", 4, RUN_TEXT("width = 2\nheight = 4\n", "63", RUN_END), "samples are"},
        {"1, 2, 2", 4, RUN_TEXT("width = 2\n", "64", RUN_END), "does not say"},
        {"1, 2, 2", 4, RUN_TEXT("width = 2\nheight = 4\n", "64", RUN_FULL), "could overflow"},
        {"1, 2, 2", 4, RUN_TEXT("width = 2\nheight = 5\n", "64", RUN_END), "its shape"},
        {"3, 2, 2", 12, RUN_TEXT("width = 2\nheight = 4\n", "64", RUN_END), "its shape"},
        {"1, 2, 2", 4, RUN_TEXT("width = 2\nheight = 4\n", "64", ""), "not a run's"},
        {"1, 2, 2", 4, RUN_TEXT("width = 2\nheight = 4\n", "64", "\n[run]\n"), "not a run's"},
        {"1, 2, 2", 4, RUN_TEXT("width = 2\nheight = 4\n", "x", RUN_END), "samples takes"},
        {"1, 2, 2", 4, "[view]\nre = 0\n" RUN_END, "does not say"},
        {"1, 2, 2", 4, "\n[run]\npoints = 7 7\n", "points of the run"},
        {"1, 2, 2", 4, "\n[run]\ncheck = 7\n", "check of the run"},
        {"1, 2, 2", 4,
         "[view]\nre = 0\n\n[run]\nversion = 1\npoints = 0\ncheck = 0123456789abcdef\n",
         "another version"},
        {"1, 2, 2", 4,
         "[picture]\nkind = density\nwidth = 2\nheight = 4\n[orbits]\nsamples = "
         "64\n\n[run]\nversion = 1\n"
         "points = 0\ncheck = 0123456789abcdef\n",
         "another version"},
        {"1, 2, 2", 4, "", "no text after"},
        {"1, 2, 2", 3, "1234567", "cut short"},
        {"4, 2, 2", 16, RUN_END, "not a saved run"},
        {"2, 2", 4, RUN_END, "not a saved run"},
        {"3, 65536, 65536", 2, RUN_END, "cut short"},
        {"3, 99999, 1", 2, RUN_END, "two or three sizes"},
        {"1, 65536, 65536", 1ll << 32, RUN_TEXT("width = 2\nheight = 4\n", "64", RUN_END),
         "its shape"},
        {"1, 32768, 65536", 1ll << 31, RUN_TEXT("width = 65536\nheight = 65536\n", "64", RUN_END),
         "at most 2^30"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_run(bad[i].shape, bad[i].values, bad[i].text);
        CHECK_REFUSED(read_run("bad.npy"), bad[i].why);
    }
    unlink("bad.npy");
    CHECK_REFUSED(read_run("none.npy"), "No such file");
    CHECK_REFUSED(read_run("/dev/zero"), "not a regular file");
}

int main(void) {
    check_run(1, 1, "20");
    check_run(64, 33, "1000");
    check_run(33, 64, "5000,500,50");
    check_run(1100, 1000, "50 50 5000"); /* in more than one piece */
    struct run run;
    make_run(&run, 5, 4, "9,99,999");
    CHECK(write_run("small.npy", &run));
    finish_run(&run);
    check_damaged_run("small.npy");
    check_bad_runs();
    check_mutations("small.npy", read_run, "a saved run");
    printf("%d failures\n", failures);
    return failures != 0;
}
