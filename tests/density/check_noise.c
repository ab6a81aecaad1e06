/* Checks the noise of the sample positions, which must look random after any number of samples. In
 * no window of the plane may the number of samples vary more than with independent samples. Samples
 * must form no lattice, neither in a cell nor across cells. The random numbers must be the
 * published ones. */
#include "render/density/density_cells.h"
#include "render/density/density_sample.h"
#include "tests/shared/check.h"
#include <complex.h>
#include <math.h>

#define BLOCK    8 /* cells on a side */
#define CELLS    (BLOCK * BLOCK)
#define ROUNDS   620
#define MOST     ((size_t)ROUNDS * CELLS * CLUMP_SAMPLES)
#define FINEST   16 /* windows along a cell's side */
#define WAVES    8  /* lattices: none, 1, 2 .. 64 lines in a cell */
#define CORNER_X 300
#define CORNER_Y 100

/* Limits; each value is 1 for independent samples. */
#define NOISE_MOST 1.0 /* variance of counts over their mean */
#define WAVE_MOST  1.6 /* power of a lattice in a cell, mean over CELLS cells */
/* Power of a lattice in all cells together; more has a probability of e^-20. */
#define CHORD_MOST 20.0

/* Samples of a block of cells, in units of cells. */
struct cloud {
    double *x, *y;
    size_t size;
};

static double unit(int32_t number) {
    return (double)number * 0x1p-22;
}

/* Adds a round's visits of cells first .. end - 1. */
static void visit(struct cloud *cloud, uint64_t number, uint64_t random, uint32_t first,
                  uint32_t end) {
    const struct sample_round round = sample_round(number, random);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t at = i * 37 % CELLS, pair = i * 1009 + 5;
        const uint32_t cell = (CORNER_Y + at / BLOCK) * CELLS_X + CORNER_X + at % BLOCK;
        const struct sample_clump clump = sample_clump(&round, cell);
        for (uint32_t lane = 0; lane < CLUMP_SAMPLES; lane++) {
            const struct philox words = sample_words(number, pair, lane, random);
            cloud->x[cloud->size] =
                unit(sample_x(clump.x, round.octave, lane, words.word[0])) + CELLS_X / 2 - CORNER_X;
            cloud->y[cloud->size++] =
                unit(sample_y(clump.y, round.octave, lane, words.word[1])) - CORNER_Y;
        }
    }
}

/* --- windows --- */

/* Returns the sum of squared differences from the mean, over the mean, for a grid of windows:
 * `side` of them along a cell's side, shifted by (dx, dy) windows. */
static double differences(const struct cloud *cloud, double side, double dx, double dy,
                          int *across) {
    static uint32_t count[BLOCK * FINEST][BLOCK * FINEST];
    const double mean = (double)cloud->size / CELLS / (side * side);
    double squares = 0;
    *across = (int)floor(BLOCK * side - fmax(dx, dy) + 1e-9);
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < cloud->size; i++) {
        const double x = floor(cloud->x[i] * side - dx), y = floor(cloud->y[i] * side - dy);
        if (x >= 0 && x < *across && y >= 0 && y < *across)
            count[(int)y][(int)x]++;
    }
    for (int y = 0; y < *across; y++)
        for (int x = 0; x < *across; x++)
            squares += (count[y][x] - mean) * (count[y][x] - mean) / mean;
    return squares;
}

/* Returns the largest value over all window sizes, minus twice its error. */
static double worst_noise(const struct cloud *cloud) {
    static const double offset[][2] = {{0, 0}, {0.31, 0.62}, {0.55, 0.13}, {0.83, 0.77}};
    double worst = 0;
    for (double side = 0.5; side <= FINEST; side *= M_SQRT2)
        for (size_t i = 0; i < sizeof offset / sizeof *offset; i++) {
            int across;
            const double squares = differences(cloud, side, offset[i][0], offset[i][1], &across);
            const double windows = across * across;
            worst = fmax(worst, squares / windows - 2 * sqrt(2 / windows));
        }
    return worst;
}

/* --- lattices --- */

/* Sums of exp(2 pi i (kx x + ky y)) over the samples of a cell; k is 0 or a power of two. */
struct waves {
    double complex of[CELLS][WAVES][WAVES];
};

static void powers(double x, double complex of[WAVES]) {
    of[0] = 1;
    of[1] = cexp(2 * M_PI * x * I);
    for (int i = 2; i < WAVES; i++)
        of[i] = of[i - 1] * of[i - 1];
}

static void sum_waves(const struct cloud *cloud, struct waves *waves) {
    memset(waves, 0, sizeof *waves);
    for (size_t i = 0; i < cloud->size; i++) {
        double complex x[WAVES], y[WAVES];
        const int cell = (int)cloud->y[i] * BLOCK + (int)cloud->x[i];
        powers(cloud->x[i], x);
        powers(cloud->y[i], y);
        for (int ky = 0; ky < WAVES; ky++)
            for (int kx = 0; kx < WAVES; kx++)
                waves->of[cell][ky][kx] += x[kx] * y[ky];
    }
}

static double power(double complex sum) {
    return creal(sum) * creal(sum) + cimag(sum) * cimag(sum);
}

static void worst_lattice(const struct cloud *cloud, double *wave, double *chord) {
    static struct waves waves;
    sum_waves(cloud, &waves);
    *wave = *chord = 0;
    for (int k = 1; k < WAVES * WAVES; k++) {
        double complex all = 0;
        double each = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            const double complex sum = waves.of[cell][k / WAVES][k % WAVES];
            all += sum;
            each += power(sum);
        }
        *wave = fmax(*wave, each / (double)cloud->size);
        *chord = fmax(*chord, power(all) / (double)cloud->size);
    }
}

static void check_now(const struct cloud *cloud, double rounds) {
    const double noise = worst_noise(cloud);
    double wave, chord;
    worst_lattice(cloud, &wave, &chord);
    if (noise > NOISE_MOST || wave > WAVE_MOST || chord > CHORD_MOST)
        printf(
            "after %.1f rounds: noise %.2f, a lattice of %.2f in cells, of %.1f in all of them\n",
            rounds, noise, wave, chord);
    CHECK(noise <= NOISE_MOST && wave <= WAVE_MOST && chord <= CHORD_MOST);
}

/* Compares the generator with known answers. */
static void check_philox(void) {
    static const uint32_t known[3][2][6] = {
        {{0, 0, 0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0, 0}},
        {{~0u, ~0u, ~0u, ~0u, ~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd, 0, 0}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1, 0, 0}},
    };
    for (int i = 0; i < 3; i++) {
        const uint32_t *in = known[i][0];
        const struct philox x = philox((struct philox){{in[0], in[1], in[2], in[3]}}, in[4], in[5]);
        CHECK(memcmp(x.word, known[i][1], sizeof x.word) == 0);
    }
}

/* Tests starts, middles and ends of octaves, and half-finished rounds. The first rounds are left
 * out: a single clump in a cell can only look like a clump. */
int main(void) {
#ifdef TEST_SANITIZED
    static const uint64_t rounds[] = {6, 10, 24, 27, 36, 60};
#else
    static const uint64_t rounds[] = {6, 10, 24, 27, 36, 60, 120, 128, 200, 400, 504, 520, 600};
#endif
    struct cloud cloud = {malloc(MOST * sizeof(double)), malloc(MOST * sizeof(double)), 0};
    uint64_t number = 0;
    check_philox();
    if (!cloud.x || !cloud.y)
        return 1;
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        while (number < rounds[i])
            visit(&cloud, number++, 7, 0, CELLS);
        check_now(&cloud, (double)number);
        const size_t size = cloud.size;
        visit(&cloud, number, 7, 0, CELLS / 2);
        check_now(&cloud, (double)number + 0.5);
        cloud.size = size;
    }
    free(cloud.x);
    free(cloud.y);
    return failures > 0;
}
