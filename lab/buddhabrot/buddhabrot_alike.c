/* What each program counts, and whether those that count the same draw the same. */
#include "lab/buddhabrot/buddhabrot.h"
#include "lab/buddhabrot/buddhabrot_plain.h"
#include "lab/report/isas.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

#define RULE_SAMPLES (1ull << 25)
#define RULE_QUICK   (1ull << 17)
#define OURS_QUICK   (1ull << 20)
#define OURS_ROUNDS  5
#define ALIKE_MOST   1.5 /* of the squares of differences; with few blocks chance alone makes 1.3 */

/* Two canvases by a listing's rules. */
static bool by_rule(struct buddhabrot *b, enum seed_rule rule) {
    const size_t pixels = (size_t)b->width_px * (size_t)b->height_px;
    const uint64_t samples = b->lab->quick ? RULE_QUICK : RULE_SAMPLES;
    bool ok = true;
    for (uint64_t i = 0; i < 2 && ok && !lab_stopped(b->lab); i++) {
        uint32_t *canvas = calloc(pixels, sizeof *canvas);
        if (!canvas) {
            log_error("no memory for %zu counts", pixels);
            return false;
        }
        const uint64_t points =
            seed_rule_plot(rule, b->width_px, b->height_px, samples, i, b->threads, canvas);
        b->rule_points[rule] = (double)points / (double)samples;
        ok = blocks_of_canvas(&b->rule[rule][i], canvas, b->width_px, b->height_px);
        free(canvas);
    }
    return ok && !lab_stopped(b->lab);
}

/* The best backend that counts; NULL: only the plain loop does. */
static struct backend *open_best(const struct buddhabrot *b) {
    struct lab_isa isas[LAB_ISAS_MAX];
    const char *why;
    lab_isas(b->lab, isas);
    return ours_open(b, isas[0].name, b->threads, &why);
}

/* Two sets of counts of ours; of whole rounds, which are even, unless it is to be quick. */
static bool by_ours(struct buddhabrot *b, enum picture which, struct blocks blocks[2],
                    double *points) {
    struct backend *backend = open_best(b);
    bool ok = true;
    for (uint64_t i = 0; i < 2 && ok && !lab_stopped(b->lab); i++) {
        struct density_counts counts = {0};
        struct density_req req;
        ok = req_init_key(&req, &b->picture[which].req, i);
        req.samples = b->lab->quick ? OURS_QUICK : ok ? whole_rounds(&req, OURS_ROUNDS) : 0;
        const struct plain_job job = {
            .req = &req, .samples = req.samples, .threads = b->threads, .cpu_flags = b->cpu_flags};
        ok = ok && density_counts_init(&counts, &req) &&
             (backend ? ours_count(b, backend, &req, &counts) : plain_run(&job, &counts)) &&
             blocks_of_counts(&blocks[i], &req, &counts);
        *points = (double)counts.points / (double)req.samples;
        density_counts_finish(&counts);
        density_req_finish(&req);
    }
    backend_close(backend);
    return ok && !lab_stopped(b->lab);
}

static void rules_table(struct buddhabrot *b) {
    struct table *table = table_create("buddhabrot-rules", "What is counted",
                                       (struct table_column[]){
                                           {"program", TABLE_TEXT},
                                           {"c from", TABLE_TEXT},
                                           {"first point", TABLE_TEXT},
                                           {"last point, of orbits that", TABLE_TEXT},
                                           {"left out beforehand", TABLE_TEXT},
                                           {"points a sample", 3},
                                           {"picture differs from grid sampling's, %", 2},
                                           {"where chance makes, %", 2},
                                           {0},
                                       });
    const struct {
        const char *texts[5];
        double points;
        const struct blocks *blocks; /* NULL: what the others are compared with */
    } rows[] = {
        {{"the seed's selective sampling", "-3.5 .. 2.5, -3.2 .. 2.0", "z = c",
          "the first of |z|² > 25, at most 20 steps from c", "five discs"},
         b->rule_points[SEED_SELECTIVE],
         b->rule[SEED_SELECTIVE]},
        {{"the seed's grid sampling", "-2.1 .. 1.1, -1.8 .. 1.8", "z = c² + c",
          "the first of |z|² > 25, at most 20 steps from c", "five discs"},
         b->rule_points[SEED_GRID],
         NULL},
        {{"the seed's upper half, plotted twice", "-2.1 .. 1.1, 0 .. 1.8", "z = c² + c",
          "the first of |z|² >= 25, or the 20th step's if |z|² > 4", "five discs"},
         b->rule_points[SEED_HALVES],
         b->rule[SEED_HALVES]},
        {{"ours by the seed's rules", "-2.1 .. 1.1, 0 .. 1.8", "z = c² + c",
          "the first of |z|² >= 25, at most 20 steps from c", "five discs"},
         b->same_points,
         b->same},
        {{"ours", "-2 .. 2, 0 .. 2", "z = c", "the first of |z|² >= 4, 19 to 999 steps from c",
          "cells that count nothing, the cardioid, a disc"},
         b->ours_points,
         b->ours}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int k = 0; k < 5; k++)
            table_text(table, "%s", rows[i].texts[k]);
        table_number(table, rows[i].points);
        if (rows[i].blocks) {
            const struct blocks_difference d = blocks_compare(rows[i].blocks, b->rule[SEED_GRID]);
            table_number(table, d.percent);
            table_number(table, d.noise);
        }
        table_end_row(table);
    }
    report_table(b->lab->report, table);
}

bool buddhabrot_alike(struct buddhabrot *b, const char *first, const struct blocks first_blocks[2],
                      const char *second, const struct blocks second_blocks[2]) {
    const struct blocks_difference d = blocks_compare(first_blocks, second_blocks);
    return report_check(b->lab->report, d.ratio < ALIKE_MOST,
                        "%s and %s draw the same picture but for chance: blocks of %dx%d pixels "
                        "differ by %.3f%%, where %.3f%% is to be expected",
                        first, second, BLOCKS_SIDE_PX, BLOCKS_SIDE_PX, d.percent, d.noise);
}

bool buddhabrot_rules(struct buddhabrot *b) {
    for (enum seed_rule rule = 0; rule < SEED_RULES; rule++)
        if (!by_rule(b, rule))
            return false;
    if (!by_ours(b, PICTURE_SEED, b->same, &b->same_points) ||
        !by_ours(b, PICTURE_OURS, b->ours, &b->ours_points))
        return false;
    rules_table(b);
    return buddhabrot_alike(b, "a loop by the rules of the seed's grid sampling",
                            b->rule[SEED_GRID], "ours by the seed's rules", b->same);
}
