/* Tests the GPU backends' pure parts, which need no GPU. A lattice visits each of its pixels once,
 * with rows near the focus first. Launches stay short on devices of any speed, but large enough.
 * Each clump of samples is drawn once.
 *
 * usage: check_launch_budget [SEED] */
#include "gpu/density/rounds.h"
#include "gpu/escape/lattice.h"
#include "gpu/launch_budget.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

/* --- lattices --- */

static bool visit(const struct lattice *lattice, uint32_t width, uint32_t height, uint8_t *seen) {
    const uint32_t points = lattice_row_points(lattice);
    for (uint32_t point = 0; point < points * lattice->tiles_y; point++) {
        const uint32_t i = point % points;
        uint32_t x, y;
        lattice_pixel(lattice, point / points, i / LATTICE_TILE_POINTS, i % LATTICE_TILE_POINTS, &x,
                      &y);
        if (x >= width || y >= height)
            continue;
        CHECK(!seen[(size_t)y * width + x]);
        seen[(size_t)y * width + x] = 1;
    }
    return true;
}

/* Checks that a pass has visited exactly the pixels of its moved lattice, each once. */
static bool check_visited(uint32_t stride, const uint32_t move[2], uint32_t width, uint32_t height,
                          const uint8_t *seen) {
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            CHECK(seen[(size_t)y * width + x] ==
                  ((x - move[0]) % stride == 0 && (y - move[1]) % stride == 0));
    return true;
}

static bool check_order(const struct lattice *lattice) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < lattice->tiles_y; i++) {
        const uint32_t row = lattice_row(lattice, i);
        const uint32_t distance =
            row > lattice->focus_y ? row - lattice->focus_y : lattice->focus_y - row;
        CHECK(row < lattice->tiles_y);
        CHECK(distance >= last);
        last = distance;
    }
    return true;
}

static bool check_passes(uint32_t width, uint32_t height, uint32_t first, uint8_t *seen) {
    const uint32_t log2 = random_bits() & 1 ? 3 : 5;
    const uint32_t move[2] = {(uint32_t)random_bits(), (uint32_t)random_bits()};
    for (uint32_t stride = first; stride > 0; stride /= 2) {
        for (int part = 0; part < (stride == first ? 1 : LATTICE_PARTS); part++) {
            struct lattice lattice = lattice_of(stride, stride == first, part, log2);
            const uint32_t focus = (uint32_t)(random_bits() % height);
            const uint32_t tile = lattice.stride_y * lattice_tile_height(&lattice);
            lattice_fit(&lattice, width, height, focus);
            lattice_move(&lattice, move[0], move[1]);
            CHECK(lattice_row(&lattice, 0) == focus / tile);
            if (!visit(&lattice, width, height, seen) || !check_order(&lattice))
                return false;
        }
        if (!check_visited(stride, move, width, height, seen))
            return false;
    }
    return true;
}

static bool check_lattices(void) {
    for (int i = 0; i < 2000; i++) {
        const uint32_t width = 1 + (uint32_t)(random_bits() % 150);
        const uint32_t height = 1 + (uint32_t)(random_bits() % 150);
        const uint32_t stride = 1u << random_bits() % 5;
        uint8_t *seen = calloc(width, height);
        if (!seen)
            abort();
        const bool ok = check_passes(width, height, stride, seen);
        free(seen);
        if (!ok) {
            printf("%" PRIu32 "x%" PRIu32 ", stride %" PRIu32 "\n", width, height, stride);
            return false;
        }
    }
    return true;
}

/* --- launches --- */

struct simulated {
    double steps_per_ms;
    double overhead_ms;
    double escaping; /* maximum share of the steps that escapes save */
};

/* Simulates a launch over `pixels` pixels at most. Its time lies between that of the executed steps
 * and that of all steps. */
static double launch(const struct simulated *device, struct launch_budget *budget, uint32_t wanted,
                     uint32_t pixels, uint32_t threads) {
    const uint32_t steps = launch_budget_steps(budget, wanted, pixels < threads ? pixels : threads);
    const uint32_t most = launch_budget_pixels(budget, steps);
    const double work = (double)steps * (pixels < most ? pixels : most);
    const double executed = work * (1 - device->escaping * random_unit());
    const double busy = executed + (work - executed) * random_unit();
    const double ms = device->overhead_ms + busy / device->steps_per_ms;
    launch_budget_learn(budget, work, executed, ms);
    return ms;
}

static bool check_device(const struct simulated *device) {
    struct launch_budget budget;
    launch_budget_init(&budget);
    launch(device, &budget, 64, 8000000, 100000);
    for (int i = 0; i < 100; i++) {
        const uint32_t wanted = 64 + (uint32_t)(random_bits() % 100000);
        CHECK(launch(device, &budget, wanted, 8000000, 100000) < 2);
    }
    CHECK(device->escaping > 0 || budget.work > 0.3 * device->steps_per_ms);
    return true;
}

static bool check_devices(void) {
    for (int i = 0; i < 2000; i++) {
        const struct simulated device = {
            .steps_per_ms = exp2(21 + 15 * random_unit()), /* 2e6 .. 7e10 */
            .overhead_ms = 0.02 * random_unit(),
            .escaping = i % 2 ? random_unit() : 0,
        };
        if (!check_device(&device)) {
            printf("%g steps/ms, %g ms overhead, %g escaping\n", device.steps_per_ms,
                   device.overhead_ms, device.escaping);
            return false;
        }
    }
    return true;
}

/* The next launch adapts to a device that suddenly becomes slower. */
static bool check_slowing(void) {
    struct simulated device = {.steps_per_ms = 1e9};
    struct launch_budget budget;
    launch_budget_init(&budget);
    for (int i = 0; i < 50; i++)
        launch(&device, &budget, 1000, 8000000, 100000);
    device.steps_per_ms /= 10;
    CHECK(launch(&device, &budget, 1000, 8000000, 100000) > 2);
    CHECK(launch(&device, &budget, 1000, 8000000, 100000) < 2);
    return true;
}

/* A launch is at most four times as large as the one before, however fast that was. It never
 * becomes too small. */
static bool check_growth(void) {
    for (int i = 0; i < 20000; i++) {
        struct launch_budget budget;
        launch_budget_init(&budget);
        for (int turn = 0; turn < 30; turn++) {
            const double before = budget.work, work = before * random_unit();
            launch_budget_learn(&budget, work, work * random_unit(), exp2(20 * random_unit() - 16));
            if (budget.work > 4 * before || budget.work < 0x1p16 || budget.work > 0x1p36)
                printf("work %g after %g\n", budget.work, before);
            CHECK(budget.work <= 4 * before && budget.work >= 0x1p16 && budget.work <= 0x1p36);
        }
    }
    return true;
}

/* A long launch determines the budget, even if much more was allowed. */
static bool check_long(void) {
    struct launch_budget budget = {.work = 1e9};
    launch_budget_learn(&budget, 1e6, 1e6, 14);
    CHECK(budget.work > 0.9e5 && budget.work < 1.1e5);
    return true;
}

/* The wanted number of steps is made if it fits, so that a limit is met exactly. */
static bool check_steps(void) {
    const struct launch_budget budget = {.work = 1e6};
    CHECK(launch_budget_steps(&budget, 0, 1000) == 0);
    CHECK(launch_budget_steps(&budget, 1, 1000) == 1);
    CHECK(launch_budget_steps(&budget, 1000, 1000) == 1000);
    CHECK(launch_budget_steps(&budget, 1001, 1000) < 1001 &&
          launch_budget_steps(&budget, 1001, 1000) % 16 == 0);
    CHECK(launch_budget_steps(&budget, 5, 100000000) == 5);
    CHECK(launch_budget_steps(&budget, 100, 100000000) == 16);
    /* a single thread stays slow on a fast device */
    const struct launch_budget fast = {.work = 0x1p36};
    CHECK(launch_budget_steps(&fast, 1000000, 1) == 16384 &&
          launch_budget_steps(&fast, 16384, 1) == 16384);
    CHECK(launch_budget_steps(&fast, 16000, 1) == 16000 &&
          launch_budget_steps(&fast, UINT32_MAX, 0) == 16384);
    CHECK(launch_budget_pixels(&budget, 0) % 256 == 0 &&
          launch_budget_pixels(&budget, UINT32_MAX) == 256);
    CHECK(launch_budget_pixels(&budget, 0) == 62464 &&
          launch_budget_pixels(&budget, 16) == 62464); /* 16 steps at least */
    CHECK(launch_budget_pixels(&budget, 32) == 31232);
    return true;
}

/* --- rounds --- */

#define ROUND_CELLS  50
#define ROUND_CLUMPS (ROUND_CELLS * 70)

/* Counts the clumps that a launch draws from the pairs before `end`. */
static void draw_clumps(const struct rounds *rounds, const struct draw_part *part, uint32_t end,
                        uint8_t *drawn) {
    for (uint32_t v = part->begin; v < end; v++)
        for (uint32_t half = 0; half < 2; half++) {
            const uint32_t turn = v / part->live, k = 2 * rounds->numbers[v % part->live] + half;
            const uint32_t clump = turn * rounds->cells + k;
            if (k < rounds->cells && clump >= part->first_clump && clump < part->end_clump)
                drawn[(part->first_round + turn) * rounds->cells + k]++;
        }
}

/* Launches of any size, some of which end early, draw all clumps of live pairs exactly once, even
 * if the target changes often. */
static bool check_round(void) {
    uint8_t drawn[ROUND_CLUMPS] = {0}, live[ROUND_CELLS] = {0};
    uint32_t numbers[ROUND_CELLS];
    struct rounds rounds = {.cells = 1 + (uint32_t)(random_bits() % ROUND_CELLS),
                            .numbers = numbers,
                            .clumps = random_bits() % 100 * 2};
    const uint64_t first = rounds.clumps;
    const double share = random_unit();
    for (uint32_t number = 0; number < (rounds.cells + 1) / 2; number++)
        if (random_unit() < share) {
            numbers[rounds.live++] = number;
            live[number] = 1;
        }
    rounds_set_target(&rounds, 0);
    CHECK(rounds.target == first);
    for (int launch = 0; launch < 40; launch++) {
        struct draw_part part;
        const uint64_t before = rounds.clumps;
        if (launch % 4 == 0)
            rounds_set_target(&rounds,
                              random_bits() % (ROUND_CLUMPS - ROUND_CELLS) * CLUMP_SAMPLES);
        CHECK(rounds.target % 2 == 0 && rounds.target >= rounds.clumps);
        if (!rounds_next_part(&rounds, 1 + (uint32_t)(random_bits() % 300), &part)) {
            CHECK(rounds.clumps == rounds.target);
            continue;
        }
        CHECK(part.begin < part.end && part.end <= DRAW_ROUNDS * part.live);
        const uint32_t some = (uint32_t)(random_bits() % (part.end - part.begin + 1));
        const uint32_t end = launch % 3 ? part.end : part.begin + some;
        draw_clumps(&rounds, &part, end, drawn);
        rounds_advance(&rounds, &part, end);
        CHECK(rounds.clumps >= before && rounds.clumps <= rounds.target);
        CHECK(end == part.begin || rounds.clumps > before);
    }
    for (uint64_t clump = 0; clump < ROUND_CLUMPS; clump++)
        CHECK(drawn[clump] ==
              (clump >= first && clump < rounds.clumps && live[clump % rounds.cells / 2]));
    return true;
}

/* The target is the smallest number of pairs of clumps that contains the wanted samples. */
static bool check_aim(void) {
    for (int i = 0; i < 1000; i++) {
        const uint64_t samples = random_bits() >> 8;
        struct rounds rounds = {.cells = 1};
        rounds_set_target(&rounds, samples);
        CHECK(rounds.target % 2 == 0 && rounds.target * CLUMP_SAMPLES >= samples);
        CHECK(rounds.target < 2 || (rounds.target - 2) * CLUMP_SAMPLES < samples);
    }
    return true;
}

static bool check_rounds(void) {
    for (int i = 0; i < 20000; i++)
        if (!check_round())
            return false;
    return true;
}

int main(int argc, char **argv) {
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    random_seed(seed);
    if (!check_lattices() || !check_devices() || !check_slowing() || !check_growth() ||
        !check_long() || !check_steps() || !check_aim() || !check_rounds()) {
        printf("check_pace failed with seed %" PRIu64 "\n", seed);
        return 1;
    }
    puts("check_pace: lattices and rounds are complete, launches short");
    return 0;
}
