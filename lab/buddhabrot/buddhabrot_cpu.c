/* Seed 001's picture and ours on the CPU: the plain loop, and every instruction set through the
 * contract. */
#include "lab/buddhabrot/buddhabrot.h"
#include "lab/buddhabrot/buddhabrot_plain.h"
#include "lab/report/isas.h"
#include "lab/report/resident.h"
#include "render/base/clock.h"
#include <math.h>
#include <string.h>
#include <time.h>

#define MANY_THREADS 64
#define RUNNERS_MAX  (1 + LAB_ISAS_MAX)
#define BEST_OF      3
#define OCTAVE       (1ull << 22) /* samples of one that are counted */
#define OCTAVE_QUICK (1ull << 13)

struct runner {
    struct buddhabrot *b;
    const struct density_req *req;
    struct backend *backend; /* NULL: the plain loop */
    struct density_counts counts;
    const struct density_counts *right;
    struct series processor_ms; /* of all threads together */
    char name[64], isa[16];
    bool checked, wrong;
};

static void clear(struct density_counts *counts) {
    memset(counts->count, 0,
           sizeof *counts->count * (size_t)counts->planes * (size_t)counts->width *
               (size_t)counts->height);
    counts->points = counts->samples = 0;
}

static bool run_plain(struct runner *runner) {
    const struct plain_job job = {.req = runner->req,
                                  .samples = runner->req->samples,
                                  .threads = runner->b->threads,
                                  .cpu_flags = runner->b->cpu_flags};
    return plain_run(&job, &runner->counts);
}

static bool run(void *user, double *ms) {
    struct runner *runner = user;
    struct backend_report report;
    const clock_t processor = clock();
    if (!runner->backend) {
        clear(&runner->counts);
        const double start = clock_ms();
        if (!run_plain(runner))
            return false;
        *ms = clock_ms() - start;
    } else {
        if (!ours_run(runner->b, runner->backend, runner->req, &report))
            return false;
        *ms = report.elapsed_ms;
    }
    if (runner->checked) {
        series_add(&runner->processor_ms, (double)(clock() - processor) * 1e3 / CLOCKS_PER_SEC);
        return true;
    }
    if (runner->backend && !backend_density_read(runner->backend, &runner->counts))
        return false;
    runner->wrong = !counts_equal(&runner->counts, runner->right);
    return runner->checked = true;
}

static struct runner *add(struct runner *runners, int *count, struct buddhabrot *b,
                          enum picture which, const char *name) {
    struct runner *runner = &runners[(*count)++];
    *runner = (struct runner){.b = b, .req = &b->picture[which].req, .right = &runners[0].counts};
    snprintf(runner->name, sizeof runner->name, "%s", name);
    return runner;
}

/* Every instruction set that counts; says which do not. */
static void add_ours(struct runner *runners, int *count, struct buddhabrot *b, enum picture which) {
    struct lab_isa isas[LAB_ISAS_MAX];
    char name[64];
    const char *why;
    for (int i = lab_isas(b->lab, isas) - 1; i >= 0; i--) {
        struct backend *backend = ours_open(b, isas[i].name, b->threads, &why);
        if (!backend) {
            report_text(b->lab->report, "Ours on %s is missing: %s.", isas[i].name, why);
            continue;
        }
        snprintf(name, sizeof name, "ours, %s", isas[i].name);
        struct runner *runner = add(runners, count, b, which, name);
        runner->backend = backend;
        snprintf(runner->isa, sizeof runner->isa, "%s", isas[i].name);
    }
}

static bool add_all(struct runner *runners, int *count, struct buddhabrot *b, enum picture which) {
    bool ok = true;
    add(runners, count, b, which, "a plain loop");
    add_ours(runners, count, b, which);
    for (int i = 0; i < *count; i++)
        ok = density_counts_init(&runners[i].counts, runners[i].req) && ok;
    return ok;
}

static void finish_all(struct runner *runners, int count) {
    for (int i = 0; i < count; i++) {
        backend_close(runners[i].backend);
        series_finish(&runners[i].processor_ms);
        density_counts_finish(&runners[i].counts);
    }
}

/* In millions; what else runs on the machine matters little to it. */
static double points_per_processor(const struct runner *runner) {
    return (double)runner->counts.points / series_median(&runner->processor_ms) / 1e3;
}

static void rates_table(struct buddhabrot *b, enum picture which, const struct racer *racers,
                        int count) {
    char id[64], title[120];
    snprintf(id, sizeof id, "buddhabrot-cpu-%s", b->picture[which].id);
    snprintf(title, sizeof title, "On the CPU, threads: %d; %s", b->threads,
             b->picture[which].name);
    struct table *table = table_create(id, title,
                                       (struct table_column[]){
                                           {"program", TABLE_TEXT},
                                           {"ms", 1},
                                           {"million samples/s", 1},
                                           {"million points/s", 1},
                                           {"times as fast as the plain loop", 2},
                                           {"million points a second of processor time", 1},
                                           {"times the plain loop's", 2},
                                           {0},
                                       });
    for (int i = 0; i < count; i++) {
        const struct runner *runner = racers[i].user;
        const double ms = race_median(&racers[i]);
        table_text(table, "%s", runner->name);
        table_number(table, ms);
        table_number(table, (double)runner->req->samples / ms / 1e3);
        table_number(table, (double)runner->counts.points / ms / 1e3);
        table_number(table, race_ratio(&racers[i], &racers[0]));
        table_number(table, points_per_processor(runner));
        table_number(table, points_per_processor(runner) / points_per_processor(racers[0].user));
        table_end_row(table);
    }
    report_table(b->lab->report, table);
}

static bool check(struct buddhabrot *b, enum picture which, const struct runner *runners,
                  int count) {
    bool right = true;
    for (int i = 1; i < count; i++)
        right = right && runners[i].checked && !runners[i].wrong;
    return count < 2 || report_check(b->lab->report, right,
                                     "%s: every program on the CPU has the plain loop's "
                                     "histogram, bit for bit (%.4g samples, %.4g points)",
                                     b->picture[which].name, (double)runners[0].counts.samples,
                                     (double)runners[0].counts.points);
}

static bool on_picture(struct buddhabrot *b, enum picture which) {
    struct runner runners[RUNNERS_MAX];
    struct racer racers[RUNNERS_MAX];
    int count = 0;
    bool ok = add_all(runners, &count, b, which);
    for (int i = 0; i < count; i++)
        racers[i] = (struct racer){.name = runners[i].name, .run = run, .user = &runners[i]};
    ok = ok && race(racers, count, true, &b->lab->rules);
    if (ok) {
        rates_table(b, which, racers, count);
        ok = check(b, which, runners, count);
    }
    for (int i = 0; ok && i<count; i += count> 1 ? count - 1 : 1) { /* the slowest, the fastest */
        char name[160];
        snprintf(name, sizeof name, "%s; %s%s", runners[i].name, b->picture[which].name,
                 which == PICTURE_NEBULA ? ", its red" : "");
        statistics_counts(b, name, runners[i].req, &runners[i].counts, race_median(&racers[i]));
    }
    race_finish(racers, count);
    finish_all(runners, count);
    return ok;
}

/* --- memory --- */

/* Bytes that counting the picture took by so many threads. */
static double taken(struct buddhabrot *b, const char *isa, int threads) {
    const struct density_req *req = &b->picture[PICTURE_SEED].req;
    struct backend_report report;
    const char *why;
    struct density_counts counts;
    bool ok;
    const double begin = resident_begin();
    if (isa) {
        struct backend *backend = ours_open(b, isa, threads, &why);
        ok = backend && ours_run(b, backend, req, &report);
        const double peak = resident_peak(begin);
        backend_close(backend);
        return ok ? peak : NAN;
    }
    const struct plain_job job = {
        .req = req, .samples = req->samples, .threads = threads, .cpu_flags = b->cpu_flags};
    ok = density_counts_init(&counts, req) && plain_run(&job, &counts);
    const double peak = resident_peak(begin);
    density_counts_finish(&counts);
    return ok ? peak : NAN;
}

static void memory_table(struct buddhabrot *b) {
    struct lab_isa isas[LAB_ISAS_MAX];
    const char *why;
    struct table *table = table_create(
        "buddhabrot-memory", "Memory for the seed's picture on the CPU, counts included",
        (struct table_column[]){
            {"program", TABLE_TEXT}, {"threads", 0}, {"MB", 1}, {"MB by 64 threads", 1}, {0}});
    lab_isas(b->lab, isas);
    struct backend *backend = ours_open(b, isas[0].name, b->threads, &why);
    const bool ours = backend != NULL;
    backend_close(backend);
    for (int i = 0; i < (ours ? 2 : 1); i++) {
        const char *isa = i == 1 ? isas[0].name : NULL;
        table_text(table, "%s%s", isa ? "ours, " : "a plain loop, a histogram a thread",
                   isa ? isa : "");
        table_number(table, b->threads);
        table_number(table, taken(b, isa, b->threads) / 1e6);
        table_number(table, taken(b, isa, MANY_THREADS) / 1e6);
        table_end_row(table);
    }
    report_table(b->lab->report, table);
}

/* --- octaves --- */

static bool octave_plain(struct buddhabrot *b, const struct octave_job *job, double *points_per_s) {
    struct density_counts counts;
    const struct plain_job plain = {.req = &job->req,
                                    .first = job->first,
                                    .samples = job->req.samples,
                                    .threads = b->threads,
                                    .cpu_flags = b->cpu_flags};
    bool ok = density_counts_init(&counts, &job->req);
    const double start = clock_ms();
    ok = ok && plain_run(&plain, &counts);
    *points_per_s = fmax(*points_per_s, (double)counts.points / (clock_ms() - start) * 1e3);
    density_counts_finish(&counts);
    return ok;
}

static bool octave(struct buddhabrot *b, uint32_t number, struct backend *backend, double best[2]) {
    struct octave_job job;
    bool ok = octave_init(&job, &b->picture[PICTURE_SEED].req, number,
                          b->lab->quick ? OCTAVE_QUICK : OCTAVE);
    best[0] = best[1] = 0;
    for (int i = 0; ok && i < (b->lab->quick ? 1 : BEST_OF) && !lab_stopped(b->lab); i++)
        ok = octave_plain(b, &job, &best[0]) &&
             (!backend || octave_ours(b, backend, &job, false, &best[1]));
    octave_finish(&job);
    return ok;
}

static bool octaves(struct buddhabrot *b) {
    struct lab_isa isas[LAB_ISAS_MAX];
    char name[64];
    const char *why;
    bool ok = true;
    lab_isas(b->lab, isas);
    struct backend *backend = ours_open(b, isas[0].name, b->threads, &why);
    for (uint32_t i = 0; ok && i <= SAMPLE_OCTAVES && !lab_stopped(b->lab); i++) {
        double best[2];
        ok = octave(b, i, backend, best);
        buddhabrot_add_octave(b, i, "a plain loop", best[0] / 1e6);
        snprintf(name, sizeof name, "ours, %s, threads: %d", isas[0].name, b->threads);
        if (backend)
            buddhabrot_add_octave(b, i, name, best[1] / 1e6);
    }
    backend_close(backend);
    return ok;
}

bool buddhabrot_on_cpu(struct buddhabrot *b) {
    bool ok = true;
    for (enum picture which = 0; which < PICTURE_COUNT && !lab_stopped(b->lab); which++)
        ok = on_picture(b, which) && ok;
    if (ok && !lab_stopped(b->lab))
        memory_table(b);
    return ok && !lab_stopped(b->lab) && octaves(b);
}
