/* How fast the kernels are, as ratios in one run on one thread: the shipped kernels against a plain
 * AVX2 loop that iterates one vector and tests every step. Not a test; `fathom bench` will grow from it.
 * usage: bench_tiles [REPEATS] */
#include "cpu/cpuid.h"
#include "cpu/tile.h"
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct place {
    const char *name;
    double re, im, width;
    int width_px, height_px;
    uint32_t limit;
};

static const struct place places[] = {
    {"whole set", -0.5, 0, 3, 1500, 1000, 1000},
    {"escape-dense", -0.7453, 0.1127, 0.003, 900, 600, 1000},
    {"interior", -0.1, 0, 0.009, 900, 600, 1000},
    {"seahorse", -0.743643887037151, 0.131825904205330, 1e-6, 450, 300, 5000},
};

struct grid {
    size_t size;
    double *cr, *ci;
    float *cr32, *ci32;
    uint32_t *count;
    float *fraction;
};

/* One vector at a time, a test every step, the exit mask sticky. */
__attribute__((target("avx2,fma"))) static void one_vector(const struct grid *g, uint32_t limit) {
    const __m256d four = _mm256_set1_pd(4);
    for (size_t i = 0; i < g->size; i += 4) {
        const __m256d cr = _mm256_loadu_pd(g->cr + i), ci = _mm256_loadu_pd(g->ci + i);
        __m256d zr = _mm256_setzero_pd(), zi = zr;
        __m256d inside = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
        __m256i count = _mm256_set1_epi64x(1);
        for (uint32_t n = 0; n < limit && _mm256_movemask_pd(inside); n++) {
            const __m256d t = _mm256_fmadd_pd(zr, zr, cr);
            const __m256d r = _mm256_fnmadd_pd(zi, zi, t);
            zi = _mm256_fmadd_pd(_mm256_add_pd(zr, zr), zi, ci);
            zr = r;
            const __m256d norm = _mm256_fmadd_pd(zr, zr, _mm256_mul_pd(zi, zi));
            inside = _mm256_and_pd(inside, _mm256_cmp_pd(norm, four, _CMP_LT_OQ));
            count = _mm256_sub_epi64(count, _mm256_castpd_si256(inside));
        }
        long long counts[4];
        memcpy(counts, &count, sizeof counts);
        for (int k = 0; k < 4; k++)
            g->count[i + (size_t)k] = counts[k] > limit ? limit : (uint32_t)counts[k];
    }
}

static void run_tile(const struct grid *g, tile_fn *run, enum number_type type, uint32_t limit) {
    static atomic_bool never;
    const struct tile_points points = {
        .cr = type == TYPE_FLOAT ? (void *)g->cr32 : (void *)g->cr,
        .ci = type == TYPE_FLOAT ? (void *)g->ci32 : (void *)g->ci,
        .size = g->size,
        .limit = limit,
        .count = g->count,
        .fraction = g->fraction,
        .stop = &never,
    };
    run(&points);
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct contender {
    const char *name;
    uint32_t needs;
    enum number_type type;
    tile_fn *run; /* NULL: one_vector */
};

static const struct contender contenders[] = {
    {"one vector double", CPU_AVX2, TYPE_DOUBLE, NULL},
    {"fma double", CPU_FMA, TYPE_DOUBLE, tile_fma_double},
    {"avx2 double", CPU_AVX2, TYPE_DOUBLE, tile_avx2_double},
    {"avx2 float", CPU_AVX2, TYPE_FLOAT, tile_avx2_float},
    {"avx512 double", CPU_AVX512, TYPE_DOUBLE, tile_avx512_double},
    {"avx512 float", CPU_AVX512, TYPE_FLOAT, tile_avx512_float},
};
#define CONTENDERS  (sizeof contenders / sizeof *contenders)
#define REPEATS_MAX 50

static bool grid_init(struct grid *g, const struct place *p) {
    g->size = (size_t)p->width_px * (size_t)p->height_px;
    const size_t padded = (g->size + TILE_PADDING) * 8;
    g->cr = malloc(padded);
    g->ci = malloc(padded);
    g->cr32 = malloc(padded);
    g->ci32 = malloc(padded);
    g->count = malloc(padded);
    g->fraction = malloc(padded);
    if (!g->cr || !g->ci || !g->cr32 || !g->ci32 || !g->count || !g->fraction)
        return false;
    for (size_t i = 0; i < g->size; i++) {
        const double x = (double)(i % (size_t)p->width_px) + 0.5 - p->width_px / 2.0;
        const double y = p->height_px / 2.0 - (double)(i / (size_t)p->width_px) - 0.5;
        g->cr[i] = p->re + x * p->width / p->width_px;
        g->ci[i] = p->im + y * p->width / p->width_px;
        g->cr32[i] = (float)g->cr[i];
        g->ci32[i] = (float)g->ci[i];
    }
    return true;
}

static void grid_finish(struct grid *g) {
    free(g->cr);
    free(g->ci);
    free(g->cr32);
    free(g->ci32);
    free(g->count);
    free(g->fraction);
}

static double total_steps(const struct grid *g) {
    double steps = 0;
    for (size_t i = 0; i < g->size; i++)
        steps += g->count[i] & SAMPLE_COUNT_MASK;
    return steps;
}

static void measure(const struct place *p, const struct grid *g, int repeats) {
    double ms[CONTENDERS][REPEATS_MAX], steps[CONTENDERS] = {0};
    const uint32_t flags = cpu_flags(~0u);
    for (int r = 0; r < repeats; r++)
        for (size_t k = 0; k < CONTENDERS; k++) {
            const struct contender *c = &contenders[k];
            if ((flags & c->needs) != c->needs)
                continue;
            const double start = now_ms();
            if (c->run)
                run_tile(g, c->run, c->type, p->limit);
            else
                one_vector(g, p->limit);
            ms[k][r] = now_ms() - start;
            steps[k] = total_steps(g);
        }
    for (size_t k = 0; k < CONTENDERS; k++)
        if (steps[k] > 0)
            qsort(ms[k], (size_t)repeats, sizeof ms[k][0], ascending);
    for (size_t k = 0; k < CONTENDERS; k++)
        if (steps[k] > 0)
            printf("%-13s %-18s %8.1f ms %7.2f Gsteps/s %6.2fx\n", p->name, contenders[k].name,
                   ms[k][repeats / 2], steps[k] / ms[k][repeats / 2] / 1e6,
                   ms[0][repeats / 2] / ms[k][repeats / 2]);
}

int main(int argc, char **argv) {
    int repeats = argc > 1 ? atoi(argv[1]) : 5;
    repeats = repeats < 1 ? 1 : repeats > REPEATS_MAX ? REPEATS_MAX : repeats;
    if (!(cpu_flags(~0u) & CPU_AVX2)) {
        printf("bench_tiles: the processor has no AVX2, skipped\n");
        return 77;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct grid grid;
        if (grid_init(&grid, &places[i]))
            measure(&places[i], &grid, repeats);
        grid_finish(&grid);
    }
    return 0;
}
