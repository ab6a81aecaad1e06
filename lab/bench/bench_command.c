/* fathom bench: measures the speed of this program on this machine against baselines and limits of
 * the same run. */
#include "cpu/cpuid.h"
#include "lab/bench/bench.h"
#include "lab/request.h"
#include "render/backends.h"
#include "render/base/atomic_file.h"
#include "render/base/interrupt.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include <string.h>

#define REPEATS_DEFAULT 5
#define LIMIT_MS        20
#define QUICK_WIDTH_PX  96
#define QUICK_HEIGHT_PX 64
#define QUICK_LIMIT_MS  1

/* Checks that every name in a list is known. */
static bool check_names(const char *list, const char *what, bool (*known)(const char *, size_t)) {
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        const size_t length = strcspn(p, ",");
        if (known(p, length))
            continue;
        log_error("there is no %s '%.*s'; see 'fathom help bench'", what, (int)length, p);
        return false;
    }
    return true;
}

static bool known_view(const char *name, size_t length) {
    return bench_view_find(name, length) != NULL;
}

static bool known_backend(const char *name, size_t length) {
    for (const struct backend_impl *const *impl = backends_drawing; *impl; impl++)
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
        .impls = backends_drawing,
        .backends = backends_of(request),
        .views = request->views,
        .options = lab_request_backend_options(request),
        .types = types_of(request->precision),
        .shortcuts = (unsigned)request->shortcuts,
        .width_px = (int)request->width_px,
        .height_px = (int)request->height_px,
        .limit = request->iterations,
        .repeats = request->repeats > 0 ? (int)request->repeats : REPEATS_DEFAULT,
        .limit_ms = LIMIT_MS,
        .stop = interrupt_requested,
        .shown = request->json || (request->csv && strcmp(request->csv, "-") == 0) ? NULL : stdout,
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

static const char legend[] =
    "\nms: median, on a GPU the device's own time; spread: 90th percentile less the 10th, over the "
    "median;\nwhole: from the request to the picture in memory; cpu: of the processor in that, all "
    "threads together; skips:\nshare of the steps that interior tests saved.\n"
    "/plain: times as fast as the plain loop in double; /loop: as the loop of one vector, or the "
    "simple\nCUDA kernel, in this type; /avx2, /cuda: as that backend; /none: as without interior "
    "tests; /1thr: as on one thread.\n"
    "cycles: of a thread per vector step; limit: steps/s over the limit measured in between: "
    "multiply-adds\n"
    "per second over the 3 (CPU) or 4 (GPU) that a step costs, or the 42 of wide numbers.\n";

static void print_json(const struct bench_result *result, const char *processor) {
    fputs("{\"version\": \"" FATHOM_VERSION "\", ", stdout);
    json_member_text(stdout, "processor", processor, ", ");
    json_member_number(stdout, "threads", result->threads, ", ");
    json_member_number(stdout, "clock_hz", result->clock_hz, ", ");
    json_member_text(stdout, "gpu", result->gpu, ", ");
    printf("\"complete\": %s, \"limits\": ", result->complete ? "true" : "false");
    table_json(result->limits, stdout);
    fputs(", \"rows\": ", stdout);
    table_json(result->rows, stdout);
    puts("}");
}

static bool write_results(const struct lab_request *request, const struct bench_result *result) {
    char processor[49];
    cpu_name(processor);
    if (request->json)
        print_json(result, processor);
    if (request->csv && strcmp(request->csv, "-") == 0) {
        table_csv(result->rows, stdout);
        return true;
    }
    if (!request->json) {
        table_markdown(result->limits, stdout);
        printf("%s, %d thread%s at %.2f GHz%s%s\n%s", processor, result->threads,
               result->threads == 1 ? "" : "s", result->clock_hz / 1e9, result->gpu[0] ? "; " : "",
               result->gpu, legend);
    }
    struct atomic_file *file = request->csv ? atomic_file_open(request->csv, false) : NULL;
    if (file)
        table_csv(result->rows, atomic_file_stream(file));
    return file ? atomic_file_commit(file, NULL) : !request->csv;
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
    if (interrupt_requested())
        log_error("interrupted%s", measured ? "; what was measured until then is kept"
                                            : " before anything was measured");
    bench_result_finish(&result);
    return ok ? 0 : 1;
}
