/* Benchmark views: the table. */
#include "render/files/bench_views.h"

#define ALL (BENCH_CPU | BENCH_GPU | BENCH_SCALAR)

const struct bench_view bench_views[] = {
    {"whole-set", "-0.5", "0", 3, 3000, 2000, 1000, ALL | BENCH_SHORTCUTS | BENCH_SCALING,
     "the home view: a quarter interior"},
    {"whole-set-20k", "-0.5", "0", 3, 900, 600, 20000, BENCH_CPU | BENCH_GPU | BENCH_SHORTCUTS,
     "the same at a high limit: what interior tests are for"},
    {"whole-set-4k", "-0.5", "0", 3, 3840, 2160, 1000, BENCH_GPU | BENCH_SHORTCUTS,
     "the same for a GPU"},
    {"interior", "-0.1", "0", 9e-3, 900, 600, 1000, ALL | BENCH_WIDE,
     "all interior, step 1e-5: every lane runs to the limit"},
    {"interior-4k", "-0.1", "0", 0.0384, 3840, 2160, 10000, BENCH_GPU | BENCH_WIDE,
     "the same for a GPU"},
    {"escape-dense", "-0.7453", "0.1127", 0.003, 900, 600, 1000, ALL,
     "few interior points, iteration counts that differ from pixel to pixel"},
    {"seahorse", "-0.743643887037151", "0.131825904205330", 1e-6, 450, 300, 5000, ALL,
     "a minibrot among long orbits"},
    {"seahorse-4k", "-0.743643887037151", "0.131825904205330", 1e-6, 3840, 2160, 5000, BENCH_GPU,
     "the same for a GPU"},
    {"filament", "0", "1", 0.02, 1800, 1200, 1000, ALL,
     "the tip at i: thin filaments, no interior"},
    {"antenna", "-1.9995", "0", 0.003, 1800, 1200, 1000, ALL,
     "around -2, where rounding may bring an escaped orbit back"},
    {"hybridizer", "0", "0", 4, 2048, 2048, 32, ALL,
     "-2 to 2 squared at 32 iterations: mostly overhead"},
    {"deep", "-0.0494700290631040937516922267273536301187457124882248793181049402326421947726869",
     "-0.6747875758446753640113920531305976563347707068224034806979997947909941983454845", 7.2e-50,
     1920, 1080, 263010, BENCH_CPU | BENCH_GPU | BENCH_DEEP, "at 1e50, around a reference orbit"},
    {0},
};
