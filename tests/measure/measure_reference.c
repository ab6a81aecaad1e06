/* Not a test: measures microseconds per step of reference orbits, by each engine and by plain loops
 * of one precision with MPFR and with mpn, in turns, in CPU time of one thread; then of the fastest
 * engine with a crew of threads, which that thread waits for. By hand on a quiet machine:
 *     FATHOM_SOURCE=. build/tests/measure_reference [SECONDS [NAME ...]]
 * NAME: in tests/data/locations; all of them by default. Plain loops use the largest precision of
 * the reference, for as many steps as fit into the seconds. */
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "render/deep/crew.h"
#include "render/deep/orbit.h"
#include "render/deep/reference.h"
#include "render/files/scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HEIGHT_PX 540
#define RADIUS_PX 640 /* and a little more */
#define TURNS     3
#define BLOCK     64 /* steps between two reads of the clock */

static double thread_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Times plain MPFR steps with two products: (re + im)(re - im) and re im. */
static double mpfr_us(const struct reference_want *want, long bits, uint32_t steps,
                      double seconds) {
    mpfr_t re, im, sum, difference;
    uint32_t done = 0;
    mpfr_inits2(bits, re, im, sum, difference, (mpfr_ptr)NULL);
    mpfr_set_zero(re, 1);
    mpfr_set_zero(im, 1);
    const double start = thread_s();
    while (done < steps && thread_s() - start < seconds)
        for (int i = 0; i < BLOCK && done < steps; i++, done++) {
            mpfr_add(sum, re, im, MPFR_RNDN);
            mpfr_sub(difference, re, im, MPFR_RNDN);
            mpfr_mul(im, re, im, MPFR_RNDN);
            mpfr_mul_2ui(im, im, 1, MPFR_RNDN);
            mpfr_add(im, im, want->im, MPFR_RNDN);
            mpfr_mul(re, sum, difference, MPFR_RNDN);
            mpfr_add(re, re, want->re, MPFR_RNDN);
        }
    const double took = thread_s() - start;
    mpfr_clears(re, im, sum, difference, (mpfr_ptr)NULL);
    return took / done * 1e6;
}

/* Times the engine's steps at one precision: three squarings. */
static double mpn_us(const struct reference_want *want, long bits, uint32_t steps, double seconds) {
    const unsigned limbs = (unsigned)((bits + 63) / 64);
    struct orbit_value value[2]; /* c, 0 */
    uint32_t done = 0;
    mpfr_t scaled;
    mpz_t whole;
    mpfr_init2(scaled, bits);
    mpz_init(whole);
    for (int i = 0; i < 2; i++) {
        orbit_value_init(&value[i], limbs);
        for (int part = 0; part < 2 && i == 0; part++) {
            mpfr_srcptr from = part ? want->im : want->re;
            mpfr_mul_2si(scaled, from, 64 * (long)limbs - ORBIT_INTEGER_BITS, MPFR_RNDZ);
            mpfr_get_z(whole, scaled, MPFR_RNDZ);
            memcpy(part ? value[i].im : value[i].re, mpz_limbs_read(whole),
                   mpz_size(whole) * sizeof(mp_limb_t));
        }
    }
    value[0].re_negative = mpfr_signbit(want->re);
    value[0].im_negative = mpfr_signbit(want->im);
    void *orbit = orbit_mpn.create(&value[0], &value[1], 1);
    const double start = thread_s();
    while (done < steps && thread_s() - start < seconds)
        for (int i = 0; i < BLOCK && done < steps; i++, done++)
            orbit_mpn.step(orbit, limbs);
    const double took = thread_s() - start;
    orbit_mpn.destroy(orbit);
    free(value[0].re);
    free(value[1].re);
    mpfr_clear(scaled);
    mpz_clear(whole);
    return took / done * 1e6;
}

/* Times a whole reference; returns its steps and bits in *steps and *bits. */
static double made_us(struct reference_want want, const struct orbit_engine *engine,
                      unsigned threads, uint32_t *steps, long *bits) {
    want.engine = engine;
    want.threads = threads;
    const double start = thread_s();
    const struct reference *reference = reference_make(&want, NULL, NULL, NULL);
    const double took = thread_s() - start;
    if (!reference)
        exit(1);
    *steps = reference->length;
    *bits = lround(-reference->step_log2) + 80;
    reference_unref(reference);
    return took / *steps * 1e6;
}

static void measure(const char *name, double seconds) {
    char path[4096];
    struct scene scene;
    scene_init(&scene);
    snprintf(path, sizeof path, "%s/tests/data/locations/%s.fathom", getenv("FATHOM_SOURCE"), name);
    if (!scene_load(&scene, path))
        exit(1);
    const double step = view_step_log2(&scene.view, HEIGHT_PX);
    const struct reference_want want = {.re = scene.view.re,
                                        .im = scene.view.im,
                                        .radius_log2 = step + log2(RADIUS_PX),
                                        .step_log2 = step,
                                        .limit = scene.limit};
    double us[5] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    const struct orbit_engine *fastest = orbit_fastest(cpu_flags(UINT32_MAX));
    uint32_t steps = 0;
    long bits = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        us[4] = fmin(us[4], made_us(want, fastest, crew_threads(0), &steps, &bits));
        us[3] = fmin(us[3], made_us(want, fastest, 1, &steps, &bits));
        us[2] = fmin(us[2], made_us(want, NULL, 1, &steps, &bits));
        us[0] = fmin(us[0], mpfr_us(&want, bits, steps, seconds));
        us[1] = fmin(us[1], mpn_us(&want, bits, steps, seconds));
    }
    const double plain = fmin(us[0], us[1]);
    printf("%-16s %8u %6ld %8.3f %8.3f %8.3f (%4.2f) %8.3f (%4.2f) %9.2f ms, %.2f\n", name, steps,
           bits, us[0], us[1], us[2], plain / us[2], us[3], plain / us[3], us[3] * steps * 1e-3,
           us[3] / us[4]);
    fflush(stdout);
    scene_finish(&scene);
}

int main(int argc, char **argv) {
    static const char *const all[] = {"1e14",  "1e50",   "5e113", "evolution_trees",
                                      "4e533", "1e1086", "e8000"};
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 0.1;
    if (!getenv("FATHOM_SOURCE")) {
        puts("FATHOM_SOURCE is the folder of the sources");
        return 2;
    }
    puts("microseconds a step (times as fast as the faster plain loop)");
    printf("%-16s %8s %6s %8s %8s %8s %15s %s\n", "", "steps", "bits", "MPFR", "mpn", "tapered",
           orbit_fastest(cpu_flags(UINT32_MAX))->name, "  whole; times as fast with a crew");
    for (int i = 2; i < argc; i++)
        measure(argv[i], seconds);
    for (size_t i = 0; i < sizeof all / sizeof *all && argc <= 2; i++)
        measure(all[i], seconds);
    return 0;
}
