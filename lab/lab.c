/* The list of experiments and what they share. */
#include "lab/lab.h"
#include "lab/bench/setup.h"
#include "lab/experiments.h"
#include "lab/gpu/gpu.h"
#include "lab/opencl/opencl.h"
#include <string.h>

const struct experiment lab_experiments[] = {
    {"classic", "seed 000: a CPU renderer and its CUDA port, with identical pictures",
     classic_experiment},
    {"buddhabrot", "seed 001: a Buddhabrot on a GPU, and how fast points are counted",
     buddhabrot_experiment},
    {"modes", "seed 002: drawing modes and iteration functions in all combinations",
     modes_experiment},
    {"paper", "seed 003: a paper on threads, vectors, floats and GPU blocks", paper_experiment},
    {"hybridizer", "seed 004: C# compiled for GPUs, with a small picture and a vector sum",
     hybridizer_experiment},
    {"roofline", "operations per byte under the machine's two ceilings", roofline_experiment},
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
        const char *why = "this program was built without CUDA";
        for (const struct backend_impl *const *impl = lab->impls; *impl; impl++)
            if (strcmp((*impl)->name, "cuda") == 0 && (*impl)->usable(&lab->options, &why)) {
                lab->gpu = lab_gpu_create(lab->options.device);
                why = "it could not be started";
            }
        lab->gpu_missing = !lab->gpu;
        if (lab->gpu)
            report_text(lab->report, "The GPU is a %s.", lab_gpu_name(lab->gpu));
        else
            report_text(lab->report, "The GPU's rows are missing: %s.", why);
    }
    return lab->gpu;
}

struct lab_opencl *lab_opencl_device(struct lab *lab) {
    if (!lab->opencl && !lab->opencl_missing) {
        const char *why;
        lab->opencl = lab_opencl_create(lab->options.device, &why);
        lab->opencl_missing = !lab->opencl;
        if (lab->opencl)
            report_text(lab->report, "OpenCL's device is a %s.", lab_opencl_name(lab->opencl));
        else
            report_text(lab->report, "OpenCL's rows are missing: %s.", why);
    }
    return lab->opencl;
}

void lab_finish(struct lab *lab) {
    lab_gpu_destroy(lab->gpu);
    lab->gpu = NULL;
    lab_opencl_destroy(lab->opencl);
    lab->opencl = NULL;
}
