/* Seed 003: Fontana, Siri and Zucca, "Mandelbrot optimisation" (2024), whose tables and figures are
 * made again with its programs and ours. */
#include "lab/paper/paper.h"
#include "cpu/cpuid.h"
#include "lab/experiments.h"
#include "lab/paper/paper_gpu.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

#define LIMIT       1000 /* the text has none; this is what its times fit */
#define QUICK_LIMIT 100
#define QUICK_SIZE  20
#define BUDGET_MS   400 /* of a program with one number of threads at one resolution */

double paper_points(const struct paper *paper, int place) {
    return 6.0 * paper->resolutions[place] * paper->resolutions[place];
}

int paper_printed(const struct paper *paper, int place) {
    for (int i = 0; i < PRINTED_RESOLUTIONS; i++)
        if (paper->resolutions[place] == printed_resolutions[i])
            return i;
    return -1;
}

const struct grid *paper_grid(const struct paper_scene *scene, enum number_type type,
                              enum paper_counts counts) {
    return &scene->grids[type][counts != COUNTS_UNFUSED];
}

static bool scene_init(struct paper_scene *scene, struct paper *paper, int place) {
    const int resolution = paper->resolutions[place];
    *scene = (struct paper_scene){.paper = paper, .place = place, .step = 1.0 / resolution};
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++)
        for (int fused = 0; fused < 2; fused++)
            if (!grid_init(&scene->grids[type][fused], (enum number_type)type, 3 * resolution,
                           2 * resolution, PAPER_FIRST_RE, PAPER_FIRST_IM, scene->step, fused))
                return false;
    scene->scratch = grid_counts(&scene->grids[TYPE_DOUBLE][0]);
    return scene->scratch;
}

static void scene_finish(struct paper_scene *scene) {
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
        for (int fused = 0; fused < 2; fused++)
            grid_finish(&scene->grids[type][fused]);
        for (int counts = 0; counts < COUNTS_COUNT; counts++)
            free(scene->counts[type][counts]);
    }
    free(scene->scratch);
}

/* The paper's numbers of threads as far as the machine has them, and all that it has. */
static void choose_threads(struct paper *paper, bool quick) {
    const int all = quick ? 2 : lab_threads(paper->lab);
    for (int i = 0; i < PRINTED_THREADS; i++)
        if (printed_threads[i] < all)
            paper->threads[paper->thread_count++] = printed_threads[i];
    paper->threads[paper->thread_count++] = all;
}

static void forget(double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = NAN;
}

static void paper_init(struct paper *paper, struct lab *lab) {
    *paper = (struct paper){.lab = lab,
                            .rules = lab->rules,
                            .limit = lab->quick ? QUICK_LIMIT : LIMIT,
                            .flags = cpu_flags(lab->options.cpumask),
                            .resolution_count = lab->quick ? 1 : PRINTED_RESOLUTIONS,
                            .steady = true};
    paper->rules.budget_ms = fmin(paper->rules.budget_ms, BUDGET_MS);
    for (int i = 0; i < paper->resolution_count; i++)
        paper->resolutions[i] = lab->quick ? QUICK_SIZE : printed_resolutions[i];
    choose_threads(paper, lab->quick);
    paper_isas_init(&paper->isas);
    forget(&paper->ms[0][0][0], sizeof paper->ms / sizeof(double));
    forget(paper->steps, PRINTED_RESOLUTIONS);
    forget(&paper->differing[0][0], sizeof paper->differing / sizeof(double));
    forget(&paper->strays[0][0], sizeof paper->strays / sizeof(double));
}

static void introduce(const struct paper *paper) {
    struct report *report = paper->lab->report;
    report_text(
        report,
        "Fontana, Siri and Zucca, \"Mandelbrot optimisation\" (2024): -2..1 by -1..1, an image "
        "of 3 RES by 2 RES points, the count of each written as a number, 0 for those that "
        "stay. The text does not say how many iterations; with 1000, the usual value of the "
        "assignment, its numbers of differing points come out exactly (table 5). Here: %u.",
        paper->limit);
    report_text(
        report,
        "Columns \"paper\" are what the paper prints, measured on other machines: an i9-12900K "
        "with 24 threads and an NVIDIA T400. Times are medians of up to %d runs that take "
        "turns; a program that has taken %.1f s at a resolution with one number of threads is "
        "not run again.",
        paper->rules.repeats, paper->rules.budget_ms / 1e3);
    report_text(
        report,
        "Its programs: \"norm\" is listing 3, a pixel at a time, \"abs\" listing 1, whose "
        "test is abs(z) >= 2; \"vect\" is listings 4 to 6, an AVX2 vector at a time. \"mended\" "
        "is the same with the test |z|^2 >= 4 and an exit when all lanes have been outside: "
        "listing 4 leaves when all lanes are outside in the same step, and lanes that left long "
        "ago are NaN, which is not. \"fused\" and \"shortcuts\": ours, with one rounding for a "
        "product and its sum, and with tests for points that cannot leave, which change no "
        "count.");
    report_text(report,
                "Listings 1 and 3 write z = pow(z, 2), which is a product here, as its times show "
                "that it was there. The programs that take a pixel at a time are compiled with -O3 "
                "for every processor, not with the paper's -fast -xHost.");
    if (!(paper->flags & CPU_AVX2))
        report_text(report, "This processor has no AVX2, or --cpumask hides it: the vectorised "
                            "programs are missing.");
}

static bool measure(struct paper *paper, int place) {
    struct paper_scene scene;
    bool ok = scene_init(&scene, paper, place) && paper_measure_programs(&scene);
    if (ok)
        paper_measure_differences(&scene);
    if (ok && place == 0)
        ok = paper_save_pictures(&scene);
    if (ok && (paper->resolutions[place] == 1000 || paper->lab->quick))
        ok = paper_measure_isas(&scene);
    ok = ok && paper_measure_gpu(&scene);
    scene_finish(&scene);
    return ok;
}

bool paper_experiment(struct lab *lab) {
    struct paper *paper = malloc(sizeof *paper);
    bool ok = true;
    if (!paper) {
        log_error("no memory for the paper's measurements");
        return false;
    }
    paper_init(paper, lab);
    introduce(paper);
    paper->gpu = paper_gpu_create(paper);
    for (int place = 0; ok && place < paper->resolution_count; place++)
        ok = measure(paper, place);
    paper_report_cpu(paper);
    paper_report_isas(paper);
    paper_report_differences(paper);
    paper_report_gpu(paper);
    paper_gpu_destroy(paper->gpu);
    free(paper);
    return ok && !report_failed(lab->report);
}
