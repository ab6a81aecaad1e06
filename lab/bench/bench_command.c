/* fathom bench: how fast this program is on this machine, against baselines and limits measured in
 * the same run. */
#include "lab/bench/bench_report.h"
#include "lab/commands.h"
#include "render/backends.h"
#include "render/base/atomic_file.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include <string.h>

#define REPEATS_DEFAULT 5
#define LIMIT_MS        20
#define QUICK_WIDTH_PX  96
#define QUICK_HEIGHT_PX 64
#define QUICK_LIMIT_MS  1

/* Every name in the list must be one of ours. */
static bool check_names(const char *list, const char *what, bool (*known)(const char *, size_t)) {
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        const size_t length = strcspn(p, ",");
        if (known(p, length))
            continue;
        log_error("there is no %s '%.*s'; try 'fathom --help'", what, (int)length, p);
        return false;
    }
    return true;
}

static bool known_view(const char *name, size_t length) {
    return bench_view_find(name, length) != NULL;
}

static bool known_backend(const char *name, size_t length) {
    for (const struct backend_impl *const *impl = backends_single; *impl; impl++)
        if (strlen((*impl)->name) == length && strncmp((*impl)->name, name, length) == 0)
            return true;
    return false;
}

static const char *backends_of(const struct lab_request *request) {
    const bool all = request->backend && strcmp(request->backend, "all") == 0;
    return all ? NULL : request->backend;
}

static bool check_request(const struct lab_request *request) {
    if (request->argument_count > 0 && strcmp(request->arguments[0], "kernels") != 0) {
        log_error("there is no benchmark '%s'; try 'fathom bench kernels'", request->arguments[0]);
        return false;
    }
    if (request->json && request->csv && strcmp(request->csv, "-") == 0) {
        log_error("only one of --json and --csv can go to standard output");
        return false;
    }
    return check_names(request->views, "view", known_view) &&
           check_names(backends_of(request), "backend", known_backend);
}

static unsigned types_of(int64_t precision) {
    if (precision == PRECISION_FLOAT)
        return 1u << TYPE_FLOAT;
    if (precision == PRECISION_WIDE)
        return 1u << TYPE_WIDE;
    return precision == PRECISION_DOUBLE ? 1u << TYPE_DOUBLE : (1u << TYPE_COUNT) - 1;
}

static struct bench_setup setup_of(const struct lab_request *request) {
    struct bench_setup setup = {
        .impls = backends_single,
        .backends = backends_of(request),
        .views = request->views,
        .options = lab_request_backend_options(request),
        .types = types_of(request->precision),
        .arithmetic =
            request->arithmetic < 0 ? ARITHMETIC_FUSED : (enum arithmetic)request->arithmetic,
        .method = request->method < 0 ? METHOD_TILES : (enum method)request->method,
        .shortcuts = (unsigned)request->shortcuts,
        .width_px = (int)request->width_px,
        .height_px = (int)request->height_px,
        .limit = request->iterations,
        .repeats = request->repeats > 0 ? (int)request->repeats : REPEATS_DEFAULT,
        .limit_ms = LIMIT_MS,
        .stop = interrupt_came,
        .progress = setup_progress,
    };
    if (request->quick) {
        setup.limit_ms = QUICK_LIMIT_MS;
        setup.repeats = request->repeats > 0 ? (int)request->repeats : 1;
        if (request->width_px == 0) {
            setup.width_px = QUICK_WIDTH_PX;
            setup.height_px = QUICK_HEIGHT_PX;
        }
    }
    return setup;
}

static bool write_csv(const char *path, const struct bench_result *result) {
    struct atomic_file *file = atomic_file_open(path, false);
    if (!file)
        return false;
    bench_report_csv(atomic_file_stream(file), result);
    return atomic_file_commit(file, NULL);
}

static bool write_results(const struct lab_request *request, const struct bench_result *result) {
    const bool csv_only = request->csv && strcmp(request->csv, "-") == 0;
    if (csv_only)
        bench_report_csv(stdout, result);
    else if (request->json)
        bench_report_json(stdout, result);
    else
        bench_report_table(stdout, result);
    return !request->csv || csv_only || write_csv(request->csv, result);
}

int bench_command(const struct lab_request *request) {
    if (!check_request(request))
        return 2;
    if (request->csv && strcmp(request->csv, "-") != 0 && !atomic_file_possible(request->csv))
        return 1;
    interrupt_catch();
    const struct bench_setup setup = setup_of(request);
    struct bench_result result;
    const bool measured = bench_measure(&setup, &result);
    progress_hide();
    const bool ok = measured && write_results(request, &result) && result.complete;
    if (interrupt_came())
        log_error("interrupted%s", measured ? "; what was measured until then is kept"
                                            : " before anything was measured");
    bench_result_finish(&result);
    return ok ? 0 : 1;
}
