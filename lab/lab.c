/* The list of experiments and what they share. */
#include "lab/lab.h"
#include "bench/setup.h"
#include "lab/experiments.h"
#include <string.h>

const struct experiment lab_experiments[] = {
    {"classic", "seed 000, a renderer and its CUDA port: identical pictures", classic_experiment},
    {0},
};

const struct experiment *lab_find(const char *name) {
    for (const struct experiment *e = lab_experiments; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

bool lab_run(struct lab *lab, const struct experiment *experiment) {
    char heading[200];
    snprintf(heading, sizeof heading, "%s: %s", experiment->name, experiment->what);
    report_heading(lab->report, heading);
    return experiment->run(lab);
}

int lab_threads(const struct lab *lab) {
    const struct bench_setup setup = {.options = lab->options};
    return setup_threads(&setup);
}

bool lab_stopped(const struct lab *lab) {
    return lab->rules.stop();
}

struct lab_gpu *lab_device(struct lab *lab) {
    if (!lab->gpu && !lab->gpu_missing) {
        lab->gpu_missing = true;
        report_text(lab->report, "There is no GPU that can be used: its rows are missing.");
    }
    return lab->gpu;
}

void lab_finish(struct lab *lab) {
    lab->gpu = NULL;
}
