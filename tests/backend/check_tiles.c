/* Checks kernels (formula x instruction set x number type) against a plain scalar loop: counts and
 * fractions bit for bit. The loop follows the definition, with one test after each step.
 * usage: check_tiles [SEED [NAME]]   (NAME: only variants of this instruction set; exit status
 *       77: the machine cannot run the variants) */
#include "cpu/cpuid.h"
#include "cpu/escape/tile.h"
#include "render/files/scene.h"
#include "render/sample.h"
#include "tests/shared/formulas.h"
#include "tests/shared/judge_cycle.h"
#include "tests/shared/random.h"
#include "tests/shared/scoped.h"
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Sets a random point: often one that has broken fractal programs, else an ordinary one. */
static void random_point(double *re, double *im) {
    static const double special[][2] = {
        {0, 0},
        {-1, 0},
        {0, 1},
        {-2, 0},
        {2, 0},
        {0, 2},
        {0.25, 0},
        {-0.75, 0},
        {1e30, 0},
        {0, -1e30},
        {1e300, 1},
        {INFINITY, 0},
        {NAN, 0},
        {0, NAN},
        {4e-324, 0},
        {1e-40, 1e-40},
        {-2, 1e-300},
        {-1.25, 0},
        {-1.401155189093314712, 0},
        {-0.0, -0.0},
        {-1.99, 0.02},
        {1.98, 0.1},
        {0x1.fffc52p-1, -0x1.bb68bep+0}, /* on the radius, where the tricorn returns in float */
    };
    const double turn = random_between(-M_PI, M_PI);
    switch (random_bits() % 9) {
    case 0: {
        const size_t i = random_bits() % (sizeof special / sizeof *special);
        *re = special[i][0];
        *im = special[i][1];
        return;
    }
    case 1: /* around |z| = 2 */
        *re = 2 * cos(turn);
        *im = 2 * sin(turn);
        return;
    case 2: /* the tip, where orbits stay near |z| = 2 */
        *re = -2 + random_between(-1, 1) * pow(2, -(double)(random_bits() % 60));
        *im = random_between(-1, 1) * pow(2, -(double)(random_bits() % 1070));
        return;
    case 3: /* the cardioid's edge */
        *re = cos(turn) / 2 - cos(2 * turn) / 4 + random_between(-1, 1) * 1e-4;
        *im = sin(turn) / 2 - sin(2 * turn) / 4 + random_between(-1, 1) * 1e-4;
        return;
    case 4:
        *re = -0.743643887037151 + random_between(-1, 1) * 1e-6;
        *im = 0.131825904205330 + random_between(-1, 1) * 1e-6;
        return;
    /* between two discs, where orbits move slowly and straight up: real parts recur, imaginary
     * parts do not */
    case 8:
        *re = -0.75 + random_between(-1, 1) * pow(2, -20 - (double)(random_bits() % 30));
        *im = random_between(0.5, 1) * pow(2, -6 - (double)(random_bits() % 7));
        return;
    case 5: /* |c|^2 on both sides of the value at which careful testing begins */
        *re = sqrt(3.96) * (1 + random_between(-1, 1) * 1e-3) * cos(turn);
        *im = sqrt(3.96) * sin(turn);
        return;
    default:
        *re = random_between(-2.2, 1.2);
        *im = random_between(-1.6, 1.6);
    }
}

struct variant {
    const char *name;
    uint32_t needs;
    int lanes;
    enum number_type type;
    const struct fractal *fractal; /* fractal of the trial; recipe and kernel belong to it */
    struct recipe recipe;
    tile_fn *run;
};

static const struct variant variants[] = {
    {"base float", 0, 1, TYPE_FLOAT, NULL, {0}, NULL},
    {"base double", 0, 1, TYPE_DOUBLE, NULL, {0}, NULL},
    {"fma float", CPU_FMA, 1, TYPE_FLOAT, NULL, {0}, NULL},
    {"fma double", CPU_FMA, 1, TYPE_DOUBLE, NULL, {0}, NULL},
    {"avx2 float", CPU_AVX2, 8, TYPE_FLOAT, NULL, {0}, NULL},
    {"avx2 double", CPU_AVX2, 4, TYPE_DOUBLE, NULL, {0}, NULL},
    {"avx512 float", CPU_AVX512, 16, TYPE_FLOAT, NULL, {0}, NULL},
    {"avx512 double", CPU_AVX512, 8, TYPE_DOUBLE, NULL, {0}, NULL},
    {"base wide", 0, 1, TYPE_WIDE, NULL, {0}, NULL},
    {"fma wide", CPU_FMA, 1, TYPE_WIDE, NULL, {0}, NULL},
    {"avx2 wide", CPU_AVX2, 4, TYPE_WIDE, NULL, {0}, NULL},
    {"avx512 wide", CPU_AVX512, 8, TYPE_WIDE, NULL, {0}, NULL},
};

#define SIZE_MAX_POINTS 512
#define GUARD           64
#define GUARD_COUNT     0xdeadbeefu
#define NUMBERS         (TILE_LOW + SIZE_MAX_POINTS) /* with low parts, for wide numbers */

struct trial {
    float cr32[SIZE_MAX_POINTS], ci32[SIZE_MAX_POINTS];
    double cr64[NUMBERS], ci64[NUMBERS];
    uint32_t count[SIZE_MAX_POINTS + GUARD];
    float fraction[SIZE_MAX_POINTS + GUARD];
    uint16_t undecided[SIZE_MAX_POINTS];
    double states[SIZE_MAX_POINTS * FRAME_STATE_MAX / sizeof(double)];
    bool started; /* the states contain the orbits' starts */
    atomic_bool stop;
    struct tile_scratch scratch;
};

static void set_point(struct trial *t, size_t i, double re, double im) {
    t->cr32[i] = (float)(t->cr64[i] = re);
    t->ci32[i] = (float)(t->ci64[i] = im);
    t->cr64[TILE_LOW + i] = t->ci64[TILE_LOW + i] = 0;
}

/* Returns a random low part of a number whose high part is x. */
static double random_low(double x) {
    return isfinite(x) ? x * random_between(-0.99, 0.99) * 0x1p-54 : 0;
}

/* Returns the expected sample of point i. Its orbit starts from 0, or from the trial's states. */
static struct sample judge(const struct variant *v, const struct trial *t, size_t i,
                           uint32_t limit) {
    const bool hardware = cpu_flags(~0u) & CPU_FMA;
    const float start32[2] = {t->started ? ((const float *)t->states)[2 * i] : 0,
                              t->started ? ((const float *)t->states)[2 * i + 1] : 0};
    const double start64[2] = {t->started ? t->states[2 * i] : 0,
                               t->started ? t->states[2 * i + 1] : 0};
    const double *re = v->recipe.parameter_re, *im = v->recipe.parameter_im;
    const bool julia = v->fractal->julia;
    if (v->type == TYPE_WIDE) {
        const double cr[] = {t->cr64[i], t->cr64[TILE_LOW + i]};
        const double ci[] = {t->ci64[i], t->ci64[TILE_LOW + i]};
        double z[4] = {0};
        if (t->started)
            memcpy(z, t->states + 4 * i, sizeof z);
        else if (julia)
            memcpy(z, (double[]){cr[0], cr[1], ci[0], ci[1]}, sizeof z);
        return (hardware ? judge_wide_fma : judge_wide)(v->fractal, julia ? re : cr,
                                                        julia ? im : ci, z, z + 2, limit);
    }
    const bool point = julia && !t->started;
    if (v->type == TYPE_FLOAT)
        return (hardware ? judge_float_fma : judge_float)(
            v->fractal, julia ? (float)re[0] : t->cr32[i], julia ? (float)im[0] : t->ci32[i],
            point ? t->cr32[i] : start32[0], point ? t->ci32[i] : start32[1], limit);
    return (hardware ? judge_double_fma : judge_double)(
        v->fractal, julia ? re[0] : t->cr64[i], julia ? im[0] : t->ci64[i],
        point ? t->cr64[i] : start64[0], point ? t->ci64[i] : start64[1], limit);
}

/* Compares the fraction with libm: the polynomial's error is a few units of a float's last
 * place. */
static bool plausible(const struct sample *s, const struct fractal *fractal) {
    const uint32_t steps = s->count + (uint32_t)s->extra;
    const int degree = judge_step_of(fractal, steps + fractal->then_count).power;
    if (s->norm2 < SMOOTH_NORM2 || !((float)s->norm2 <= FLT_MAX))
        return s->fraction == 0;
    const double powers = log2(log2((double)(float)s->norm2) / 16) / log2(degree);
    return fabs(s->fraction - (s->extra - powers)) < 4e-6;
}

static const char *name_of(const struct variant *v) {
    static char name[FRACTAL_NAME_SIZE];
    fractal_name(v->fractal, name, sizeof name);
    return name;
}

static bool check_point(const struct variant *v, const struct trial *t, size_t i, uint32_t limit) {
    const struct sample want = judge(v, t, i, limit);
    if (!plausible(&want, v->fractal)) {
        printf("fraction %.9g for |z|^2 = %g after %d steps\n", want.fraction, want.norm2,
               want.extra);
        return false;
    }
    if (t->count[i] == want.count && float_bits(t->fraction[i]) == float_bits(want.fraction))
        return true;
    const bool narrow = v->type == TYPE_FLOAT;
    printf("%s %s, limit %u, c = %a %+a i: count %08x fraction %a, should be %08x %a\n", name_of(v),
           v->name, limit, narrow ? t->cr32[i] : t->cr64[i], narrow ? t->ci32[i] : t->ci64[i],
           t->count[i], t->fraction[i], want.count, want.fraction);
    return false;
}

static bool check_guard(const struct variant *v, const struct trial *t, size_t size) {
    for (size_t i = size; i < size + GUARD; i++)
        if (t->count[i] != GUARD_COUNT || float_bits(t->fraction[i]) != GUARD_COUNT) {
            printf("%s wrote past the end of %zu points\n", v->name, size);
            return false;
        }
    return true;
}

static void make_points(struct trial *t, size_t size) {
    const bool alike = random_bits() % 4 == 0; /* neighbours, as in a picture */
    const double step = pow(2, -(double)(random_bits() % 40));
    for (size_t i = 0; i < size; i++) {
        double re, im;
        if (!alike || i == 0)
            random_point(&re, &im);
        if (alike && i > 0) {
            re = t->cr64[i - 1] + step;
            im = t->ci64[i - 1];
        }
        set_point(t, i, re, im);
        t->cr64[TILE_LOW + i] = random_low(re);
        t->ci64[TILE_LOW + i] = random_low(im);
    }
    for (size_t i = 0; i < SIZE_MAX_POINTS + GUARD; i++) {
        t->count[i] = GUARD_COUNT;
        t->fraction[i] = bits_float(GUARD_COUNT);
    }
}

static struct tile_points points_of(const struct variant *v, struct trial *t, size_t size,
                                    unsigned shortcuts, uint32_t limit) {
    const bool narrow = v->type == TYPE_FLOAT;
    return (struct tile_points){
        .cr = narrow ? (void *)t->cr32 : (void *)t->cr64,
        .ci = narrow ? (void *)t->ci32 : (void *)t->ci64,
        .size = size,
        .recipe = &v->recipe,
        .shortcuts = shortcuts,
        .limit = limit,
        .stop = &t->stop,
        .scratch = &t->scratch,
    };
}

static struct tile_samples samples_of(struct trial *t) {
    return (struct tile_samples){.planes = {.count = t->count, .fraction = t->fraction},
                                 .undecided = t->undecided,
                                 .states = t->states};
}

/* Continues undecided points to a higher limit, and raises the counts of all interior points. */
static bool resume(const struct variant *v, struct trial *t, size_t size, unsigned shortcuts,
                   uint32_t from, uint32_t to, size_t undecided) {
    static float cr32[SIZE_MAX_POINTS], ci32[SIZE_MAX_POINTS], fraction[SIZE_MAX_POINTS];
    static double cr64[NUMBERS], ci64[NUMBERS];
    static uint32_t count[SIZE_MAX_POINTS];
    for (size_t i = 0; i < undecided; i++) {
        const size_t at = t->undecided[i];
        cr32[i] = t->cr32[at];
        ci32[i] = t->ci32[at];
        cr64[i] = t->cr64[at];
        ci64[i] = t->ci64[at];
        cr64[TILE_LOW + i] = t->cr64[TILE_LOW + at];
        ci64[TILE_LOW + i] = t->ci64[TILE_LOW + at];
    }
    struct tile_points points = points_of(v, t, undecided, shortcuts, to);
    points.cr = v->type == TYPE_FLOAT ? (void *)cr32 : (void *)cr64;
    points.ci = v->type == TYPE_FLOAT ? (void *)ci32 : (void *)ci64;
    points.done = from;
    points.states = t->states;
    struct tile_samples samples = {.planes = {.count = count, .fraction = fraction}};
    if (!v->run(&points, &samples))
        return false;
    for (size_t i = 0; i < size; i++)
        if (t->count[i] & SAMPLE_INTERIOR)
            t->count[i] = to | SAMPLE_INTERIOR;
    for (size_t i = 0; i < undecided; i++) {
        t->count[t->undecided[i]] = count[i];
        t->fraction[t->undecided[i]] = fraction[i];
    }
    return true;
}

/* Checks that no step is skipped and every interior point is undecided without shortcuts. With
 * shortcuts, only proved points skip steps. */
static bool check_account(const struct variant *v, const struct trial *t, size_t size,
                          unsigned shortcuts, uint32_t limit, const struct tile_samples *samples) {
    size_t interior = 0;
    for (size_t i = 0; i < size; i++)
        interior += t->count[i] >> 31;
    const uint64_t proved = interior - samples->undecided_size;
    bool ok = samples->undecided_size <= interior && samples->skipped <= proved * limit &&
              (shortcuts || proved == 0);
    for (size_t i = 0; ok && i < samples->undecided_size; i++)
        ok = t->undecided[i] < size && t->count[t->undecided[i]] == (limit | SAMPLE_INTERIOR);
    if (!ok)
        printf("%s: %zu interior points, %zu undecided, %" PRIu64 " steps skipped at limit %u\n",
               v->name, interior, samples->undecided_size, samples->skipped, limit);
    return ok;
}

static bool check_list(const struct variant *v, struct trial *t, size_t size, uint32_t limit) {
    const unsigned shortcuts = random_bits() % (SHORTCUTS_ALL + 1);
    const uint32_t first = random_bits() % 2 ? limit : (uint32_t)(random_bits() % (limit + 1));
    make_points(t, size);
    const struct tile_points points = points_of(v, t, size, shortcuts, first);
    struct tile_samples samples = samples_of(t);
    if (!v->run(&points, &samples)) {
        printf("%s stopped unasked\n", v->name);
        return false;
    }
    if (!check_account(v, t, size, shortcuts, first, &samples) ||
        (first < limit && !resume(v, t, size, shortcuts, first, limit, samples.undecided_size)))
        return false;
    for (size_t i = 0; i < size; i++)
        if (!check_point(v, t, i, limit)) {
            printf("  with shortcuts %u, in two parts at %u\n", shortcuts, first);
            return false;
        }
    return check_guard(v, t, size);
}

static bool check_variant(const struct variant *v, struct trial *t) {
    static const uint32_t limits[] = {0,  1,  2,  3,  7,  8,  9,   15,  16,  17,  31,
                                      32, 33, 63, 64, 65, 95, 101, 127, 128, 129, 1001};
    const size_t limit_count = sizeof limits / sizeof *limits;
    for (size_t size = 1; size <= 8 * (size_t)v->lanes + 1; size++)
        if (!check_list(v, t, size, limits[random_bits() % limit_count]))
            return false;
    for (size_t i = 0; i < limit_count; i++)
        if (!check_list(v, t, 1 + random_bits() % SIZE_MAX_POINTS, limits[i]))
            return false;
    for (int repeat = 0; repeat < 3; repeat++)
        if (!check_list(v, t, SIZE_MAX_POINTS, (uint32_t)(random_bits() % 6000)))
            return false;
    return true;
}

/* Checks orbits that start anywhere: with a large c they need not escape in the first step. In
 * floats the first one is at its start again after 16 steps of the hybrid of three steps. Another
 * step is next then, so that the orbit is no cycle: it escapes after 35 steps. */
static bool check_starts(const struct variant *v, struct trial *t) {
    bool ok = true;
    t->started = true;
    for (int repeat = 0; ok && repeat < 10; repeat++) {
        const size_t size = 1 + random_bits() % SIZE_MAX_POINTS;
        const uint32_t limit = (uint32_t)(random_bits() % 300);
        make_points(t, size);
        float re32[SIZE_MAX_POINTS], im32[SIZE_MAX_POINTS];
        static double re64[NUMBERS], im64[NUMBERS];
        for (size_t i = 0; i < size; i++) {
            re32[i] = (float)(re64[i] = random_between(-2.1, 2.1));
            im32[i] = (float)(im64[i] = random_between(-2.1, 2.1));
            re64[TILE_LOW + i] = random_low(re64[i]);
            im64[TILE_LOW + i] = random_low(im64[i]);
        }
        set_point(t, 0, -0x1.8c82f6p-1, 0);
        re32[0] = (float)(re64[0] = -0x1.1059aep-3);
        im32[0] = (float)(im64[0] = re64[TILE_LOW] = im64[TILE_LOW] = 0);
        if (v->type == TYPE_FLOAT)
            tile_states_pack(v->type, re32, im32, size, t->states);
        else
            tile_states_pack(v->type, re64, im64, size, t->states);
        struct tile_points points = points_of(v, t, size, SHORTCUTS_CYCLE, limit);
        struct tile_samples samples = {.planes = {.count = t->count, .fraction = t->fraction}};
        points.states = t->states;
        points.done = v->recipe.length; /* the first step of the recipe comes next */
        points.limit += points.done;
        ok = v->run(&points, &samples);
        for (size_t i = 0; ok && i < size; i++) {
            t->count[i] -= points.done;
            ok = check_point(v, t, i, limit);
        }
    }
    t->started = false;
    return ok;
}

/* Requests a thread to stop, and stores its CPU time at that moment. */
struct stopper {
    atomic_bool *stop;
    clockid_t clock; /* CPU time of the thread alone */
    struct timespec told;
};

static void *stop_soon(void *user) {
    struct stopper *stopper = user;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    clock_gettime(stopper->clock, &stopper->told);
    atomic_store(stopper->stop, true);
    return NULL;
}

/* Checks that a kernel stops soon after the request, in the middle of a round of 2^28 steps. The
 * list of interior points at the largest limit would take minutes. */
static bool check_stop(const struct variant *v, struct trial *t) {
    pthread_t thread;
    struct stopper stopper = {.stop = &t->stop};
    struct timespec end;
    memset(t->cr32, 0, sizeof t->cr32);
    memset(t->ci32, 0, sizeof t->ci32);
    memset(t->cr64, 0, sizeof t->cr64);
    memset(t->ci64, 0, sizeof t->ci64);
    struct tile_points points = points_of(v, t, SIZE_MAX_POINTS, SHORTCUTS_NONE, FRAME_LIMIT_MAX);
    points.done = 1u << 28;
    memset(t->states, 0, sizeof t->states);
    points.states = t->states;
    struct tile_samples samples = samples_of(t);
    if (pthread_getcpuclockid(pthread_self(), &stopper.clock) != 0 ||
        pthread_create(&thread, NULL, stop_soon, &stopper) != 0)
        return false;
    const bool finished = v->run(&points, &samples);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    pthread_join(thread, NULL);
    atomic_store(&t->stop, false);
    const double ms = (double)(end.tv_sec - stopper.told.tv_sec) * 1e3 +
                      (double)(end.tv_nsec - stopper.told.tv_nsec) / 1e6;
    if (finished || ms > 200)
        printf("%s worked on for %.0f ms when it was told to stop\n", v->name, ms);
    return !finished && ms <= 200;
}

/* Checks the largest limit, which is only possible with shortcuts: points of the cardioid, and
 * orbits that are cycles from the start or become cycles. */
static bool check_huge_limit(const struct variant *v, struct trial *t) {
    static const double points[][2] = {{0, 0},     {-1, 0}, {-2, 0},
                                       {-1.31, 0}, {0, 1},  {-0.125, 0.7445}};
    const size_t size =
        fractal_is_mandelbrot(v->fractal) ? 6 : 4; /* the real axis, where all formulas are alike */
    for (size_t i = 0; i < size; i++) {
        set_point(t, i, points[i][0], points[i][1]);
    }
    const struct tile_points list = points_of(v, t, size, SHORTCUTS_ALL, FRAME_LIMIT_MAX);
    struct tile_samples samples = samples_of(t);
    if (!v->run(&list, &samples) || samples.undecided_size != 0) {
        printf("%s: cycles were not found at the largest limit\n", v->name);
        return false;
    }
    for (size_t i = 0; i < size; i++)
        if (t->count[i] != (i == 2 ? 1 : FRAME_LIMIT_MAX | SAMPLE_INTERIOR)) {
            printf("%s: point %zu has count %08x at the largest limit\n", v->name, i, t->count[i]);
            return false;
        }
    return true;
}

/* Checks the skipped steps of cycles. A cycle that is found at limit n, and at no lower limit, has
 * taken n steps; all later steps are skipped. */
static bool check_spared(const struct variant *v, struct trial *t) {
    static const double points[][2] = {{0, 0}, {-1, 0}, {0, 1}};
    const size_t size = fractal_is_mandelbrot(v->fractal) ? 3 : 2;
    for (size_t i = 0; i < size; i++) {
        uint32_t known = 0;
        set_point(t, 0, points[i][0], points[i][1]);
        for (uint32_t limit = 0; limit < 1500; limit++) {
            const struct tile_points list = points_of(v, t, 1, SHORTCUTS_CYCLE, limit);
            struct tile_samples samples = samples_of(t);
            if (!v->run(&list, &samples))
                return false;
            known = known == 0 && limit > 0 && samples.undecided_size == 0 ? limit : known;
            if (samples.skipped != (known ? limit - known : 0)) {
                printf("%s: %" PRIu64 " steps skipped of point %zu at limit %" PRIu32
                       ", a cycle from %" PRIu32 " on\n",
                       v->name, samples.skipped, i, limit, known);
                return false;
            }
        }
        if (known == 0 || known > 500) {
            printf("%s: the cycle of point %zu is found after %" PRIu32 " steps\n", v->name, i,
                   known);
            return false;
        }
    }
    return true;
}

/* Checks that a cycle is reported only after the orbit has repeated in both coordinates. */
static bool check_cycles(const struct variant *v, struct trial *t) {
    for (int i = 0; i < 10; i++) {
        const double turn = random_between(0.3, M_PI), size = random_between(0.8, 0.99);
        uint32_t limit = 128;
        set_point(t, 0, size * (cos(turn) / 2 - cos(2 * turn) / 4),
                  size * (sin(turn) / 2 - sin(2 * turn) / 4));
        for (; limit < 5000; limit += 32) {
            const struct tile_points list = points_of(v, t, 1, SHORTCUTS_CYCLE, limit);
            struct tile_samples samples = samples_of(t);
            if (!v->run(&list, &samples))
                return false;
            if (samples.undecided_size == 0)
                break;
        }
        if (!(t->count[0] & SAMPLE_INTERIOR))
            continue;
        const bool narrow = v->type == TYPE_FLOAT;
        const struct judged_orbit start = {v->fractal,
                                           v->type,
                                           {narrow ? t->cr32[0] : t->cr64[0]},
                                           {narrow ? t->ci32[0] : t->ci64[0]},
                                           {0},
                                           {0},
                                           0};
        const uint32_t n = judged_repeated(&start, limit);
        if (limit < 5000 && (n == 0 || n > limit)) {
            printf("%s: c = %a %+a i is called a cycle after %" PRIu32
                   " steps, is one after %" PRIu32 "\n",
                   v->name, t->cr64[0], t->ci64[0], limit, n);
            return false;
        }
    }
    return true;
}

/* Runs all checks of a variant with a fractal. With `more` (powers, hybrids, Julia sets), the
 * checks that do not depend on them are left out. */
static bool check(struct variant v, const struct fractal *fractal, bool more, uint64_t seed,
                  struct trial *trial) {
    v.fractal = fractal;
    fractal_recipe(fractal, v.type, &v.recipe);
    v.run = tile_choose(v.needs, &v.recipe, ROUTE_DIRECT, v.type);
    random_seed(seed);
    bool ok = check_variant(&v, trial) &&
              (fractal->julia || (check_cycles(&v, trial) && check_starts(&v, trial)));
    if (!more)
        ok = ok && check_stop(&v, trial) && check_spared(&v, trial) && check_huge_limit(&v, trial);
    if (!ok)
        printf("%s, %s failed with seed %" PRIu64 "\n", v.name, name_of(&v), seed);
    return ok;
}

#ifdef TEST_SANITIZED
#define FRACTAL_STEP 3 /* every third fractal */
#else
#define FRACTAL_STEP 1
#endif

static bool check_fractals(const struct variant *v, uint64_t seed, struct trial *trial,
                           int *passed) {
    bool ok = true;
    for (size_t number = 0; ok && number < FRACTAL_POWER_ROWS; number += FRACTAL_STEP) {
        SCOPED(fractal, fractal);
        set_fractal(&fractal, number);
        ok = check(*v, &fractal, number >= FORMULA_POWERS, seed, trial);
        *passed += 1;
    }
    return ok;
}

int main(int argc, char **argv) {
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20261121;
    struct trial *trial = calloc(1, sizeof *trial);
    int passed = 0, skipped = 0;
    for (size_t i = 0; trial && i < sizeof variants / sizeof *variants; i++) {
        const struct variant *v = &variants[i];
        if (argc > 2 && strncmp(v->name, argv[2], strlen(argv[2])) != 0)
            continue;
        if ((cpu_flags(~0u) & v->needs) != v->needs) {
            printf("%s: skipped, the processor cannot run it\n", v->name);
            skipped++;
            continue;
        }
        if (!check_fractals(v, seed, trial, &passed))
            return 1;
    }
    free(trial);
    printf("check_tiles: %d kernels agree with the definition, %d skipped\n", passed, skipped);
    return passed > 0 ? 0 : argc > 2 ? 77 : 1;
}
