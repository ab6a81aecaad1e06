/* fathom bench: how fast this program is on this machine, against baselines and limits measured in
 * the same run. */
#include "app/command/bench_report.h"
#include "app/command/commands.h"
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
    for (const struct backend_impl *const *impl = backends_all; *impl; impl++)
        if ((*impl)->automatic && strlen((*impl)->name) == length &&
            strncmp((*impl)->name, name, length) == 0)
            return true;
    return false;
}

static bool check_options(const struct options *options) {
    if (options->argument_count > 0 && strcmp(options->arguments[0], "kernels") != 0) {
        log_error("there is no benchmark '%s'; try 'fathom bench kernels'", options->arguments[0]);
        return false;
    }
    if (options->json && options->csv && strcmp(options->csv, "-") == 0) {
        log_error("only one of --json and --csv can go to standard output");
        return false;
    }
    return check_names(options->views, "view", known_view) &&
           check_names(options->backend, "backend", known_backend);
}

static unsigned types_of(int precision) {
    if (precision == PRECISION_FLOAT)
        return 1u << TYPE_FLOAT;
    return precision == PRECISION_DOUBLE ? 1u << TYPE_DOUBLE : (1u << TYPE_COUNT) - 1;
}

static struct bench_setup setup_of(const struct options *options) {
    struct bench_setup setup = {
        .impls = backends_all,
        .backends = options->backend,
        .views = options->views,
        .options = command_backend_options(options),
        .types = types_of(options->precision),
        .arithmetic =
            options->arithmetic < 0 ? ARITHMETIC_FUSED : (enum arithmetic)options->arithmetic,
        .method = options->method < 0 ? METHOD_TILES : (enum method)options->method,
        .shortcuts = (unsigned)options->shortcuts,
        .width_px = options->width_px,
        .height_px = options->height_px,
        .limit = options->iterations,
        .repeats = options->repeats > 0 ? options->repeats : REPEATS_DEFAULT,
        .limit_ms = LIMIT_MS,
        .stop = interrupt_came,
        .progress = progress_repetition,
    };
    if (options->quick) {
        setup.limit_ms = QUICK_LIMIT_MS;
        setup.repeats = options->repeats > 0 ? options->repeats : 1;
        if (options->width_px == 0) {
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

static bool write_results(const struct options *options, const struct bench_result *result) {
    const bool csv_only = options->csv && strcmp(options->csv, "-") == 0;
    if (csv_only)
        bench_report_csv(stdout, result);
    else if (options->json)
        bench_report_json(stdout, result);
    else
        bench_report_table(stdout, result);
    return !options->csv || csv_only || write_csv(options->csv, result);
}

int command_bench(const struct options *options) {
    if (!check_options(options))
        return 2;
    if (options->csv && strcmp(options->csv, "-") != 0 && !atomic_file_possible(options->csv))
        return 1;
    interrupt_catch();
    const struct bench_setup setup = setup_of(options);
    struct bench_result result;
    const bool measured = bench_measure(&setup, &result);
    progress_hide();
    const bool ok = measured && write_results(options, &result) && result.complete;
    if (interrupt_came())
        log_error("interrupted%s", measured ? "; what was measured until then is kept"
                                            : " before anything was measured");
    bench_result_finish(&result);
    return ok ? 0 : 1;
}
