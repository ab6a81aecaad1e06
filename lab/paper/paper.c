/* Experiment `paper` (seed 003): its image at each resolution, by all programs. */
#include "lab/paper/paper.h"
#include "cpu/cpuid.h"
#include "lab/lab.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

#define LIMIT       1000 /* the paper does not give it; this value fits its times */
#define QUICK_LIMIT 100
#define QUICK_SIZE  20
#define BUDGET_MS   400 /* [ms] for a program with one number of threads at one resolution */

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

/* Chooses the paper's numbers of threads that the machine has, and the machine's own. */
static void choose_threads(struct paper *paper, bool quick) {
    static const int threads[] = {1, 2, 4, 8, 16, 24};
    const int all = quick ? 2 : lab_threads(paper->lab);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
        if (threads[i] < all)
            paper->threads[paper->thread_count++] = threads[i];
    paper->threads[paper->thread_count++] = all;
}

static void forget(double *numbers, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof *numbers; i++)
        numbers[i] = NAN;
}

static void paper_init(struct paper *paper, struct lab *lab) {
    static const int resolutions[PAPER_RESOLUTIONS] = {500, 1000, 1500, 2000};
    *paper = (struct paper){.lab = lab,
                            .rules = lab->rules,
                            .limit = lab->quick ? QUICK_LIMIT : LIMIT,
                            .flags = cpu_flags(lab->options.cpumask),
                            .resolution_count = lab->quick ? 1 : PAPER_RESOLUTIONS};
    paper->rules.budget_ms = fmin(paper->rules.budget_ms, BUDGET_MS);
    for (int i = 0; i < paper->resolution_count; i++)
        paper->resolutions[i] = lab->quick ? QUICK_SIZE : resolutions[i];
    choose_threads(paper, lab->quick);
    forget(&paper->times[0][0][0].total_ms, sizeof paper->times);
    forget(&paper->differing[0][0], sizeof paper->differing);
}

static void introduce(const struct paper *paper) {
    struct report *report = paper->lab->report;
    report_text(
        report,
        "Fontana, Siri and Zucca, \"Mandelbrot optimisation\" (2024): -2..1 by -1..1, an image "
        "of 3 RES by 2 RES points, the count of each written as a number, 0 for those that "
        "stay. The text does not say how many iterations; with 1000 its numbers of differing "
        "points come out exactly (table 5). Here: %u. Columns \"paper\" are what it prints, "
        "measured on an i9-12900K with 24 threads and an NVIDIA T400. Times are medians of up to "
        "%d runs that take turns, within %.1f s for a program with a number of threads.",
        paper->limit, paper->rules.repeats, paper->rules.budget_ms / 1e3);
    report_text(
        report,
        "Its programs: \"norm\" is listing 3, a pixel at a time, \"abs\" listing 1, whose "
        "test is abs(z) >= 2, both with a product for pow(z, 2) and compiled with -O3 for every "
        "processor; \"vect\" is listings 4 to 6, an AVX2 vector at a time. \"mended\" "
        "is the same with the test |z|^2 >= 4 and an exit when all lanes have been outside: "
        "listing 4 leaves when all lanes are outside in the same step, and lanes that left long "
        "ago are NaN, which is not. \"shortcuts\": ours, with tests for points that cannot leave, "
        "which change no count.%s",
        paper->flags & CPU_AVX2 ? ""
                                : " This processor has no AVX2, or --cpumask hides it: the "
                                  "vectorised programs are missing.");
}

static bool measure(struct paper *paper, int place) {
    struct paper_scene scene;
    const bool ok = scene_init(&scene, paper, place) && paper_race(&scene, false) &&
                    (!paper->gpu || paper_race(&scene, true)) && paper_compare(&scene);
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
    paper->gpu = lab_device(lab);
    for (int place = 0; ok && place < paper->resolution_count; place++)
        ok = measure(paper, place);
    paper_report(paper);
    free(paper);
    return ok;
}
