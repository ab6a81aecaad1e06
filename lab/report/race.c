/* Runs racers in rounds, so that what disturbs the machine disturbs them alike. */
#include "lab/report/race.h"
#include "render/base/clock.h"
#include <math.h>

static bool run_once(struct racer *racer, bool timed) {
    double ms = NAN;
    const double start = clock_ms();
    if (!racer->run(racer->user, &ms)) {
        racer->failed = true;
        return false;
    }
    if (timed)
        series_add(&racer->ms, isnan(ms) ? clock_ms() - start : ms);
    return true;
}

static double spent(const struct racer *racer) {
    double sum = 0;
    for (size_t i = 0; i < racer->ms.count; i++)
        sum += racer->ms.values[i];
    return sum;
}

bool race(struct racer *racers, int count, bool warm_up, const struct race_rules *rules) {
    bool ok = true;
    for (int repeat = warm_up ? -1 : 0; repeat < rules->repeats; repeat++)
        for (int i = 0; i < count; i++) {
            if (rules->stop())
                return false;
            if (racers[i].failed || (repeat > 0 && spent(&racers[i]) >= rules->budget_ms))
                continue;
            if (rules->progress)
                rules->progress(racers[i].name, repeat + 1, rules->repeats);
            ok = run_once(&racers[i], repeat >= 0) && ok;
        }
    return ok;
}

void race_finish(struct racer *racers, int count) {
    for (int i = 0; i < count; i++)
        series_finish(&racers[i].ms);
}

double race_mean(const struct racer *racer) {
    return series_mean(&racer->ms);
}

double race_median(const struct racer *racer) {
    return series_median(&racer->ms);
}

double race_ratio(const struct racer *racer, const struct racer *other) {
    struct series ratios = {0};
    for (size_t i = 0; i < racer->ms.count && i < other->ms.count; i++)
        series_add(&ratios, other->ms.values[i] / racer->ms.values[i]);
    const double median = series_median(&ratios);
    series_finish(&ratios);
    return median;
}
