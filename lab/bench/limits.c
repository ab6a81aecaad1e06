/* The steps a second that measured peaks allow: what backends are held against. */
#include "lab/bench/limits.h"
#include "lab/bench/peak.h"
#include <math.h>

#define CPU_FMAS_A_STEP  3
#define GPU_SLOTS_A_STEP 4

static const struct {
    const char *name;
    peak_fn *burst[TYPE_NATIVE_COUNT];
    int lanes[TYPE_NATIVE_COUNT];
} units[] = {
    [LIMIT_SCALAR] = {"scalar", {peak_fma_float, peak_fma_double}, {1, 1}},
    [LIMIT_AVX2] = {"avx2", {peak_avx2_float, peak_avx2_double}, {8, 4}},
    [LIMIT_AVX512] = {"avx512", {peak_avx512_float, peak_avx512_double}, {16, 8}},
    [LIMIT_GPU] = {"gpu", {NULL, NULL}, {1, 1}},
};

const char *limit_unit_name(enum limit_unit unit) {
    return units[unit].name;
}

int limit_lanes(enum limit_unit unit, enum number_type type) {
    return units[unit].lanes[type];
}

double limit_steps_per_s(enum limit_unit unit, enum number_type type, int threads, double ms,
                         struct gpu *gpu) {
    double per_s;
    if (unit != LIMIT_GPU)
        return peak_rate(units[unit].burst[type], threads, ms) / CPU_FMAS_A_STEP;
    if (!gpu || !gpu_peak(gpu, type, &per_s))
        return NAN;
    return per_s / GPU_SLOTS_A_STEP;
}

double limit_clock_hz(int threads, double ms) {
    return peak_rate(peak_add_chain, threads, ms) / threads;
}
