/* Speed limits: converts measured peaks to steps per second. */
#include "lab/bench/limits.h"
#include "lab/gpu/gpu.h"
#include <math.h>
#include <time.h>

#define CHAIN_ROUNDS 1000
#define CHAIN_ADDS   64

/* Multiply-adds or issue slots of a step, by number type; see the header. */
static const int cpu_fmas_a_step[TYPE_COUNT] = {3, 3, 42},
                 gpu_slots_a_step[TYPE_COUNT] = {4, 4, 42};

/* Returns the type that numbers of a type consist of. */
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

/* Returns the thread's CPU time, which excludes time without a core. */
static double thread_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double peak_rate(peak_fn *burst, int threads, double ms) {
    double rate = 0;
#pragma omp parallel num_threads(threads) reduction(+ : rate)
    {
        uint64_t operations = 0;
        const double start = thread_ms();
        double now;
        do {
            operations += burst();
            now = thread_ms();
        } while (now - start < ms);
        rate += (double)operations / (now - start) * 1e3;
    }
    return rate;
}

const char *limit_unit_name(enum limit_unit unit) {
    return units[unit].name;
}

int limit_lanes(enum limit_unit unit, enum number_type type) {
    return units[unit].lanes[native(type)];
}

double limit_steps_per_s(enum limit_unit unit, enum number_type type, int threads, double ms,
                         struct lab_gpu *gpu) {
    double per_s;
    if (unit != LIMIT_GPU)
        return peak_rate(units[unit].burst[native(type)], threads, ms) / cpu_fmas_a_step[type];
    if (!gpu || !lab_gpu_peak(gpu, native(type), &per_s))
        return NAN;
    return per_s / gpu_slots_a_step[type];
}

/* Runs dependent additions, one per cycle. Both operands are registers, because some processors
 * fold constants for free before execution. */
static uint64_t add_chain(void) {
    uint64_t sum = 0;
    const uint64_t one = 1;
    for (int i = 0; i < CHAIN_ROUNDS; i++)
        __asm__ volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one));
    return CHAIN_ROUNDS * CHAIN_ADDS;
}

double limit_clock_hz(int threads, double ms) {
    return peak_rate(add_chain, threads, ms) / threads;
}
