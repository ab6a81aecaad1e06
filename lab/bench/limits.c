/* The steps a second that measured peaks allow: what backends are held against. */
#include "lab/bench/limits.h"
#include "lab/bench/peak.h"
#include <math.h>

/* Of each type; see the header. */
static const int cpu_fmas_a_step[TYPE_COUNT] = {3, 3, 42},
                 gpu_slots_a_step[TYPE_COUNT] = {4, 4, 42};

/* What numbers of a type are made of. */
static enum number_type native(enum number_type type) {
    return type == TYPE_WIDE ? TYPE_DOUBLE : type;
}

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
    return units[unit].lanes[native(type)];
}

double limit_steps_per_s(enum limit_unit unit, enum number_type type, int threads, double ms,
                         struct gpu *gpu) {
    double per_s;
    if (unit != LIMIT_GPU)
        return peak_rate(units[unit].burst[native(type)], threads, ms) / cpu_fmas_a_step[type];
    if (!gpu || !gpu_peak(gpu, native(type), &per_s))
        return NAN;
    return per_s / gpu_slots_a_step[type];
}

double limit_clock_hz(int threads, double ms) {
    return peak_rate(peak_add_chain, threads, ms) / threads;
}
