/* A roofline's tables, from which plots.gp draws it. */
#include "lab/roofline/roofline.h"
#include <math.h>

static double operations_per_s(const struct racer *racer, const struct roofline_work *work) {
    return work->operations / race_median(racer) * 1e3;
}

static double bytes_per_s(const struct racer *racer, const struct roofline_work *work) {
    return work->bytes / race_median(racer) * 1e3;
}

/* Where the memory's roof meets a compute roof, in operations per byte. */
static double ridge(const struct racer *racers, const struct roofline_work *work, enum roof roof) {
    return operations_per_s(&racers[roof], &work[roof]) /
           bytes_per_s(&racers[ROOF_MEMORY], &work[ROOF_MEMORY]);
}

static bool memory_bound(const struct racer *racers, const struct roofline_work *work, int i) {
    return work[i].operations / work[i].bytes < ridge(racers, work, work[i].roof);
}

/* Of the roof that is over it, from the rounds that both ran in. */
static double share(const struct racer *racers, const struct roofline_work *work, int i) {
    if (memory_bound(racers, work, i))
        return race_ratio(&racers[i], &racers[ROOF_MEMORY]) * work[i].bytes /
               work[ROOF_MEMORY].bytes;
    return race_ratio(&racers[i], &racers[work[i].roof]) * work[i].operations /
           work[work[i].roof].operations;
}

static void roofs_table(struct lab *lab, const char *id, const char *device,
                        const struct racer *racers, const struct roofline_work *work) {
    char name[32], title[120];
    snprintf(name, sizeof name, "roofline-%s-roofs", id);
    snprintf(title, sizeof title, "The ceilings: %s", device);
    struct table *table =
        table_create(name, title,
                     (struct table_column[]){{"ceiling", TABLE_TEXT},
                                             {"billion operations/s", 1},
                                             {"GB/s", 1},
                                             {"meets memory's at operations/byte", 2},
                                             {0}});
    for (int i = 0; i < ROOF_COUNT; i++) {
        table_text(table, "%s", racers[i].name);
        table_number(table, operations_per_s(&racers[i], &work[i]) / 1e9);
        table_number(table, bytes_per_s(&racers[i], &work[i]) / 1e9);
        table_number(table, i == ROOF_MEMORY ? NAN : ridge(racers, work, (enum roof)i));
    }
    report_table(lab->report, table);
}

static void programs_table(struct lab *lab, const char *id, const char *device,
                           const struct racer *racers, const struct roofline_work *work,
                           int count) {
    char name[32], title[120];
    snprintf(name, sizeof name, "roofline-%s", id);
    snprintf(title, sizeof title, "Programs under them: %s", device);
    struct table *table = table_create(name, title,
                                       (struct table_column[]){
                                           {"program", TABLE_TEXT},
                                           {"million operations", 1},
                                           {"MB", 3},
                                           {"operations/byte", 2},
                                           {"time, ms", 3},
                                           {"billion operations/s", 2},
                                           {"bound by", TABLE_TEXT},
                                           {"of that ceiling, %", 1},
                                           {"of what its step allows, %", 1},
                                           {0},
                                       });
    for (int i = ROOF_COUNT; i < count; i++) {
        const bool memory = memory_bound(racers, work, i);
        table_text(table, "%s", racers[i].name);
        table_number(table, work[i].operations / 1e6);
        table_number(table, work[i].bytes / 1e6);
        table_number(table, work[i].operations / work[i].bytes);
        table_number(table, race_median(&racers[i]));
        table_number(table, operations_per_s(&racers[i], &work[i]) / 1e9);
        table_text(table, "%s", memory ? "memory" : "arithmetic");
        table_number(table, 100 * share(racers, work, i));
        table_number(table, memory ? NAN : 100 * share(racers, work, i) / work[i].mix);
    }
    report_table(lab->report, table);
}

void roofline_report(struct lab *lab, const char *id, const char *device,
                     const struct racer *racers, const struct roofline_work *work, int count) {
    roofs_table(lab, id, device, racers, work);
    programs_table(lab, id, device, racers, work, count);
}
