/* fathom lab: the list of experiments, their shared devices, and running them. */
#include "lab/lab.h"
#include "cpu/cpuid.h"
#include "lab/bench/bench.h"
#include "lab/gpu/gpu.h"
#include "lab/opencl/opencl.h"
#include "lab/request.h"
#include "render/backends.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include <string.h>

#define REPEATS_DEFAULT 10
#define BUDGET_MS       4000

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

int lab_threads(const struct lab *lab) {
    return bench_threads(&lab->options);
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

int lab_isas(const struct lab *lab, struct lab_isa isas[LAB_ISAS_MAX]) {
    static const struct lab_isa all[LAB_ISAS_MAX] = {
        {"avx512", CPU_AVX512, LIMIT_AVX512},
        {"avx2", CPU_AVX2, LIMIT_AVX2},
        {"scalar", 0, LIMIT_SCALAR},
    };
    const uint32_t flags = cpu_flags(lab->options.cpumask);
    int count = 0;
    for (int i = 0; i < LAB_ISAS_MAX; i++)
        if (!(all[i].needs & ~flags))
            isas[count++] = all[i];
    return count;
}

/* --- the command --- */

static void list(void) {
    for (const struct experiment *e = lab_experiments; e->name; e++)
        printf("%-12s %s\n", e->name, e->what);
    puts("\n'fathom lab NAME' runs one, 'fathom lab all' runs all; -o DIR keeps tables and plots.");
}

static struct lab lab_of(const struct lab_request *request) {
    return (struct lab){.impls = backends_all,
                        .options = lab_request_backend_options(request),
                        .quick = request->quick != 0,
                        .rules = {.repeats = request->repeats > 0 ? (int)request->repeats
                                             : request->quick     ? 1
                                                                  : REPEATS_DEFAULT,
                                  .budget_ms = BUDGET_MS,
                                  .stop = interrupt_requested,
                                  .progress = bench_progress}};
}

static bool known(const char *name) {
    for (const struct experiment *e = lab_experiments; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return true;
    return strcmp(name, "all") == 0;
}

static bool run(struct lab *lab, const char *name) {
    bool ok = true;
    for (const struct experiment *e = lab_experiments; e->name; e++)
        if ((strcmp(name, "all") == 0 || strcmp(name, e->name) == 0) && !lab_stopped(lab)) {
            report_text(lab->report, "## %s: %s", e->name, e->what);
            ok = e->run(lab) && ok;
        }
    return ok && !lab_stopped(lab);
}

int lab_command(const struct lab_request *request) {
    const char *name = request->argument_count > 0 ? request->arguments[0] : NULL;
    char processor[49];
    if (!name) {
        list();
        return 0;
    }
    if (!known(name)) {
        log_error("there is no experiment '%s'; 'fathom lab' lists them", name);
        return 2;
    }
    if (request->output && strcmp(request->output, "-") == 0) {
        log_error("lab writes files into a folder, -o DIR; its text is on standard output anyway");
        return 2;
    }
    interrupt_catch();
    struct lab lab = lab_of(request);
    lab.report = report_create(stdout, request->output);
    if (!lab.report)
        return 1;
    cpu_name(processor);
    report_text(lab.report, "fathom " FATHOM_VERSION " on %s, %d threads.", processor,
                lab_threads(&lab));
    const bool ok = run(&lab, name);
    progress_hide();
    lab_gpu_destroy(lab.gpu);
    lab_opencl_destroy(lab.opencl);
    const bool kept = report_close(lab.report, !interrupt_requested());
    if (interrupt_requested())
        log_error("interrupted; what was measured until then is kept");
    return kept && ok && !interrupt_requested() ? 0 : 1;
}
