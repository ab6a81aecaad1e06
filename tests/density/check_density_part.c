/* Density part: sorts the long orbits of a part of a round. Each orbit that counts must be plotted
 * once, in the plane of its length, after shorter ones. Kernels of the test define the lengths, up
 * to 2^31 - 1 steps. */
#include "cpu/density/density_part.h"
#include "tests/shared/check.h"
#include "tests/shared/random.h"
#include <inttypes.h>

#define ORBITS 700

static uint32_t length_of[ORBITS]; /* 0: it never escapes */
static int plotted[ORBITS];        /* number of plots; an orbit's c is its number */
static const uint32_t limits[DENSITY_PLANES_MAX] = {70, 5000000, 2147483647};
static uint32_t plane_size;

static uint32_t young(const struct density_task *task, const struct sample_round *round,
                      const uint32_t *order, uint32_t k, uint32_t end, struct density_list *list,
                      struct density_points *points, uint64_t *steps) {
    (void)task, (void)round, (void)order, (void)k, (void)points, (void)steps;
    for (int i = 0; i < ORBITS; i++) {
        ((double *)list->cr)[i] = i;
        ((double *)list->ci)[i] = -i;
    }
    list->size = ORBITS;
    return end;
}

static bool tile(const struct tile_points *points, struct tile_samples *samples) {
    for (size_t i = 0; i < points->size; i++)
        samples->planes.count[i] = length_of[i] ? length_of[i] : points->limit | SAMPLE_INTERIOR;
    return true;
}

static bool plot(const struct density_task *task, const struct density_tracks *orbits,
                 uint32_t base, struct density_points *points) {
    (void)task, (void)points;
    const uint32_t plane = base / plane_size;
    for (size_t i = 0; i < orbits->size; i++) {
        const int number = (int)((const double *)orbits->cr)[i];
        const uint32_t end = orbits->end[i];
        if (number < 0 || number >= ORBITS || ((const double *)orbits->ci)[i] != -number ||
            end != length_of[number] || end > limits[plane] ||
            (plane > 0 && end <= limits[plane - 1]) || (i > 0 && end < orbits->end[i - 1])) {
            printf("plane %" PRIu32 ": orbit %d, of %" PRIu32 " steps, after one of %" PRIu32 "\n",
                   plane, number, end, i > 0 ? orbits->end[i - 1] : 0);
            failures++;
            return false;
        }
        plotted[number]++;
    }
    return true;
}

/* Chooses lengths of all magnitudes, and some that differ in one digit only. */
static void choose_lengths(void) {
    for (int i = 0; i < ORBITS; i++) {
        const uint64_t bits = random_bits();
        const uint32_t any = (uint32_t)(random_bits() & 0x7fffffffu) >> bits % 25;
        const uint32_t high = (uint32_t)(random_bits() % 512) << 22 | 12345;
        length_of[i] = bits % 7 == 0 ? 0 : bits & 1024 ? high : any > 65 ? any : 66;
    }
}

int main(void) {
    static struct density_scratch scratch;
    static const struct density_kernels kernels = {.young = young, .plot = plot};
    static uint32_t order[2];
    struct density_points points = {.size = 0};
    struct density_task task;
    atomic_bool stop = false;
    random_seed(3);
    SCOPED(density_req, req, 10, 10);
    req.density.channels = DENSITY_PLANES_MAX;
    req.density.least = 70;
    memcpy(req.density.limit, limits, sizeof limits);
    density_task_init(&task, &req, &stop);
    plane_size = task.plane;
    for (int turn = 0; turn < 20; turn++) {
        const struct density_part part = {
            .kernels = &kernels, .tile = tile, .order = order, .end = 2, .points = &points};
        choose_lengths();
        memset(plotted, 0, sizeof plotted);
        CHECK(density_part_count(&task, &part, &scratch));
        for (int i = 0; i < ORBITS; i++)
            CHECK(plotted[i] == (length_of[i] >= 70));
    }
    return failures > 0;
}
