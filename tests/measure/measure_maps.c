/* Not a test: measures the share of the machine's limit that each formula's steps reach inside a
 * set, where no orbit ends, with every step executed. Prints medians of rounds in which formulas
 * and limits take turns. By hand:
 *     build/tests/measure_maps [BACKEND [REPEATS]]
 * The limit is the rate of multiply-adds over the multiply-adds and products of a step, as in
 * lab/bench/limits.h, without tests of the orbit; in brackets, with them. A division counts as a
 * product. */
#include "lab/bench/limits.h"
#include "tests/shared/pictures.h"

#define SIDE         128
#define REPEATS_MOST 99
#define BURST_MS     20

static const struct formula_case {
    enum formula formula;
    int products, tests; /* products and tests of a step */
    const char *re, *im; /* parameter of the Julia set; NULL: not a Julia set */
    const char *x, *y;
} cases[] = {
    {FORMULA_mandelbrot, 3, 0, NULL, NULL, "0.01", "0.02"},
    {FORMULA_lambda, 7, 2, NULL, NULL, "2", "0.02"},
    {FORMULA_phoenix, 5, 2, NULL, NULL, "-0.58", "-0.08"},
    {FORMULA_spider, 5, 2, NULL, NULL, "-0.836", "-0.011"},
    {FORMULA_barnsley, 4, 2, NULL, NULL, "0.5", "0.4"},
    {FORMULA_newton, 16, 4, "-0.4083", "-0.0111", "1", "0"},
    {FORMULA_nova, 16, 4, NULL, NULL, "-0.4083", "-0.0111"},
    {FORMULA_magnet1, 15, 4, NULL, NULL, "0.5708", "0.3958"},
    {FORMULA_magnet2, 27, 4, NULL, NULL, "0.5939", "0.3531"},
    {FORMULA_collatz, 58, 2, "-0.05", "0.01", "-0.07", "0.01"},
};
#define CASES (sizeof cases / sizeof *cases)

static const struct unit {
    const char *name;
    peak_fn *products[2];
} units[] = {
    {"scalar", {peak_fma_float, peak_fma_double}},
    {"avx2", {peak_avx2_float, peak_avx2_double}},
    {"avx512", {peak_avx512_float, peak_avx512_double}},
};

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int size) {
    qsort(values, (size_t)size, sizeof *values, ascending);
    return values[size / 2];
}

/* Returns the steps per second of CPU time, or NaN if orbits end. */
static double steps_per_s(struct backend *backend, const struct formula_case *of,
                          enum number_type type, struct picture *picture) {
    struct frame_req req;
    frame_req_init(&req, SIDE, SIDE);
    req.fractal.formula = of->formula;
    req.fractal.julia = of->re != NULL;
    mpfr_set_str(req.fractal.re, of->re ? of->re : "0", 10, MPFR_RNDN);
    mpfr_set_str(req.fractal.im, of->im ? of->im : "0", 10, MPFR_RNDN);
    req.type = type;
    req.shortcuts = SHORTCUTS_NONE;
    req.method = METHOD_TILES;
    req.reuse = false;
    /* About the same number of products in each picture. */
    set_place(&req, &(struct place){of->x, of->y, "1000", 0, 90000u / (uint32_t)of->products});
    const double start = worked_ms();
    if (!draw(backend, &req, picture))
        abort();
    const double took = worked_ms() - start;
    size_t ended = 0;
    for (size_t i = 0; i < picture->pixels; i++)
        ended += !(picture->target.planes.count[i] & SAMPLE_INTERIOR);
    frame_req_finish(&req);
    return ended > 0 ? 0.0 / 0.0 : (double)picture->report.iterations / took * 1e3;
}

static void measure(struct backend *backend, const struct unit *unit, enum number_type type,
                    int repeats) {
    static double steps[CASES][REPEATS_MOST], share[CASES][REPEATS_MOST],
        tested[CASES][REPEATS_MOST];
    struct picture picture;
    picture_init(&picture, SIDE, SIDE);
    for (int i = 0; i < repeats; i++) {
        for (size_t s = 0; s < CASES; s++) {
            const struct formula_case *of = &cases[s];
            const double before = peak_rate(unit->products[type], 1, BURST_MS);
            steps[s][i] = steps_per_s(backend, of, type, &picture);
            const double after = peak_rate(unit->products[type], 1, BURST_MS);
            share[s][i] = steps[s][i] * of->products / ((before + after) / 2);
            tested[s][i] = share[s][i] / of->products * (of->products + of->tests);
        }
    }
    printf("%s, %s\n", unit->name, number_type_name(type));
    for (size_t s = 0; s < CASES; s++)
        printf("  %-10s %6.3f G steps/s, %.2f of the limit (%.2f)\n",
               formula_names[cases[s].formula], median(steps[s], repeats) / 1e9,
               median(share[s], repeats), median(tested[s], repeats));
    picture_finish(&picture);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "avx2";
    const int repeats = argc > 2 ? atoi(argv[2]) : 7;
    const struct unit *unit = NULL;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            unit = &units[i];
    if (!unit || repeats < 1 || repeats > REPEATS_MOST)
        return 2;
    struct backend_options options = plain;
    options.threads = 1;
    subject = name;
    struct backend *backend = open_ready(name, options);
    if (!backend)
        return 1;
    measure(backend, unit, TYPE_FLOAT, repeats);
    measure(backend, unit, TYPE_DOUBLE, repeats);
    backend_close(backend);
    return 0;
}
