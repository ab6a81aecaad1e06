/* Ours, instruction set by instruction set: what wider vectors, fused operations and shortcuts
 * bring. */
#include "lab/paper/paper_isas.h"
#include "cpu/cpuid.h"
#include "lab/paper/paper.h"
#include "render/base/clock.h"
#include <math.h>

static const struct {
    const char *name;
    uint32_t flags;
} sets[PAPER_ISAS] = {{"scalar", 0},
                      {"scalar + FMA", CPU_FMA},
                      {"avx2", CPU_FMA | CPU_AVX2},
                      {"avx512", CPU_FMA | CPU_AVX2 | CPU_AVX512}};

#define VARIANTS (PAPER_ISAS * TYPE_NATIVE_COUNT * ARITHMETIC_COUNT * 2 * 2)

struct runner {
    struct paper_scene *scene;
    int set;
    enum number_type type;
    enum arithmetic arithmetic;
    int shortcuts, all_threads;
    bool judged;
};

static enum paper_counts counts_of(enum arithmetic arithmetic) {
    return arithmetic == ARITHMETIC_FUSED ? COUNTS_FUSED : COUNTS_UNFUSED;
}

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    struct paper_scene *scene = runner->scene;
    struct paper *paper = scene->paper;
    const enum paper_counts counts = counts_of(runner->arithmetic);
    const struct grid *grid = paper_grid(scene, runner->type, counts);
    const struct paper_ours ours = {
        .type = runner->type,
        .counts = counts,
        .shortcuts = runner->shortcuts ? SHORTCUTS_ALL : SHORTCUTS_NONE,
        .cpu_flags = sets[runner->set].flags,
        .threads = runner->all_threads ? paper->threads[paper->thread_count - 1] : 1};
    const double start = clock_ms();
    if (!paper_count(scene, &ours))
        return false;
    *ms = clock_ms() - start;
    if (!runner->judged)
        paper->isas.strays +=
            (double)grid_differing(grid, scene->scratch, scene->counts[runner->type][counts]);
    runner->judged = true;
    return true;
}

/* Fused without hardware for it takes minutes. */
static bool runs_here(const struct runner *runner) {
    const uint32_t flags = sets[runner->set].flags;
    return (runner->scene->paper->flags & flags) == flags &&
           (runner->arithmetic == ARITHMETIC_UNFUSED || flags & CPU_FMA) &&
           runner->scene->counts[runner->type][counts_of(runner->arithmetic)];
}

static struct runner variant(struct paper_scene *scene, int i) {
    return (struct runner){.scene = scene,
                           .set = i >> 4,
                           .type = (enum number_type)(i >> 3 & 1),
                           .arithmetic = (enum arithmetic)(i >> 2 & 1),
                           .shortcuts = i >> 1 & 1,
                           .all_threads = i & 1};
}

static double *place_of(struct paper_isas *isas, const struct runner *r) {
    return &isas->ms[r->set][r->type][r->arithmetic][r->shortcuts][r->all_threads];
}

void paper_isas_init(struct paper_isas *isas) {
    double *ms = &isas->ms[0][0][0][0][0];
    *isas = (struct paper_isas){0};
    for (int i = 0; i < VARIANTS; i++)
        ms[i] = NAN;
}

bool paper_measure_isas(struct paper_scene *scene) {
    struct paper *paper = scene->paper;
    struct runner runners[VARIANTS];
    struct racer racers[VARIANTS];
    struct race_rules rules = paper->rules;
    int count = 0;
    rules.budget_ms /= 2;
    for (int i = 0; i < VARIANTS; i++) {
        runners[count] = variant(scene, i);
        if (!runs_here(&runners[count]))
            continue;
        racers[count] = (struct racer){
            .name = sets[runners[count].set].name, .run = run, .user = &runners[count]};
        count++;
    }
    const bool ok = race(racers, count, false, &rules);
    for (int i = 0; i < count; i++)
        *place_of(&paper->isas, &runners[i]) = race_median(&racers[i]);
    race_finish(racers, count);
    paper->isas.resolution = paper->resolutions[scene->place];
    return ok;
}

void paper_report_isas(struct paper *paper) {
    static const struct table_column columns[] = {{"instruction set", TABLE_TEXT},
                                                  {"type", TABLE_TEXT},
                                                  {"arithmetic", TABLE_TEXT},
                                                  {"shortcuts", TABLE_TEXT},
                                                  {"1 thread, ms", 2},
                                                  {"all threads, ms", 2},
                                                  {NULL, 0}};
    char title[100];
    if (!paper->isas.resolution)
        return;
    snprintf(title, sizeof title, "Ours on each instruction set, RES %d, %d threads at most",
             paper->isas.resolution, paper->threads[paper->thread_count - 1]);
    struct table *table = table_create("paper-isas", title, columns);
    for (int i = 0; i < VARIANTS; i += 2) {
        const struct runner r = variant(NULL, i);
        const double *ms = place_of(&paper->isas, &r);
        if (isnan(ms[0]))
            continue;
        table_text(table, "%s", sets[r.set].name);
        table_text(table, "%s", number_type_name(r.type));
        table_text(table, "%s", arithmetic_names[r.arithmetic]);
        table_text(table, r.shortcuts ? "all" : "none");
        table_number(table, ms[0]);
        table_number(table, ms[1]);
    }
    report_table(paper->lab->report, table);
    report_text(paper->lab->report,
                "Fused without hardware for it would take minutes and is left out.");
    report_check(paper->lab->report, paper->isas.strays == 0,
                 "no count of ours changes with the instruction set, the shortcuts or the threads");
}
