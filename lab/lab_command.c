/* fathom lab: the experiments of the seeds, beside ours. */
#include "cpu/cpuid.h"
#include "lab/bench/setup.h"
#include "lab/commands.h"
#include "lab/lab.h"
#include "render/backends.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include <string.h>

#define REPEATS_DEFAULT 10
#define BUDGET_MS       4000

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
                                  .stop = interrupt_came,
                                  .progress = setup_progress}};
}

static bool run(struct lab *lab, const char *name) {
    bool ok = true;
    for (const struct experiment *e = lab_experiments; e->name; e++)
        if (strcmp(name, "all") == 0 || strcmp(name, e->name) == 0)
            ok = !lab_stopped(lab) && lab_run(lab, e) && ok;
    return ok;
}

int lab_command(const struct lab_request *request) {
    const char *name = request->argument_count > 0 ? request->arguments[0] : NULL;
    char processor[49];
    if (!name) {
        list();
        return 0;
    }
    if (strcmp(name, "all") != 0 && !lab_find(name)) {
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
    lab_finish(&lab);
    const bool kept = report_close(lab.report, !interrupt_came());
    if (interrupt_came())
        log_error("interrupted; what was measured until then is kept");
    return kept && ok && !interrupt_came() ? 0 : 1;
}
