/* Fields of rows in three formats. */
#include "lab/bench/bench_report.h"
#include "cpu/cpuid.h"
#include "render/base/json.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

/* What programs get of a row, in this order. */
static const struct field {
    const char *name;
    enum { FIELD_TEXT, FIELD_NUMBER } kind; /* const char *, double */
    size_t offset;                          /* in struct bench_row */
} fields[] = {
#define TEXT(name)                                                                                 \
    { #name, FIELD_TEXT, offsetof(struct bench_row, name) }
#define NUMBER(name, field)                                                                        \
    { name, FIELD_NUMBER, offsetof(struct bench_row, field) }
#define RATIO(name, index)                                                                         \
    { name, FIELD_NUMBER, offsetof(struct bench_row, ratios) + (index) * sizeof(double) }
    TEXT(view),
    TEXT(name),
    TEXT(kind),
    TEXT(type),
    TEXT(arithmetic),
    TEXT(method),
    TEXT(shortcuts),
    NUMBER("width", width_px),
    NUMBER("height", height_px),
    NUMBER("limit", limit),
    NUMBER("threads", threads),
    NUMBER("repeats", repeats),
    NUMBER("ms", ms),
    NUMBER("spread", spread),
    NUMBER("elapsed_ms", elapsed_ms),
    NUMBER("cpu_ms", cpu_ms),
    NUMBER("iterations", iterations),
    NUMBER("iterations_skipped", skipped),
    NUMBER("iterations_per_s", per_s),
    NUMBER("cycles_per_vector_step", cycles),
    NUMBER("limit_per_s", limit_per_s),
    NUMBER("limit_fraction", fraction),
    RATIO("over_plain", RATIO_PLAIN),
    RATIO("over_loop", RATIO_LOOP),
    RATIO("over_avx2", RATIO_AVX2),
    RATIO("over_cuda", RATIO_CUDA),
    RATIO("over_no_shortcuts", RATIO_BARE),
    RATIO("over_one_thread", RATIO_ONE),
    NUMBER("pixels_differing", differing),
#undef TEXT
#undef NUMBER
#undef RATIO
};
#define FIELDS (sizeof fields / sizeof *fields)

static const char *field_exact(const struct bench_row *row, const struct field *field) {
    return *(const char *const *)((const char *)row + field->offset);
}

static double field_number(const struct bench_row *row, const struct field *field) {
    return *(const double *)((const char *)row + field->offset);
}

/* --- for people --- */

/* A number in a column, or a dash. */
static void cell(FILE *file, int width, int digits, double number, const char *unit) {
    if (isnan(number))
        fprintf(file, " %*s%*s", width, "-", (int)strlen(unit), "");
    else
        fprintf(file, " %*.*f%s", width, digits, number, unit);
}

static void table_machine(FILE *file, const struct bench_result *result) {
    char name[49];
    cpu_name(name);
    fprintf(file, "%s, %d thread%s at %.2f GHz", name, result->threads,
            result->threads == 1 ? "" : "s", result->clock_hz / 1e9);
    if (result->gpu[0])
        fprintf(file, "; %s", result->gpu);
    fputs("\nlimits in G steps/s:", file);
    for (size_t i = 0; i < result->limit_count; i++)
        fprintf(file, "%s %s %s %.2f", i > 0 ? "," : "", limit_unit_name(result->limits[i].unit),
                number_type_name(result->limits[i].type), result->limits[i].per_s / 1e9);
    fputc('\n', file);
}

static void table_head(FILE *file, const struct bench_row *row) {
    const struct bench_view *view = bench_view_find(row->view, strlen(row->view));
    fprintf(file,
            "\n%s: %s\n"
            "at %s %s%si, %g wide, %.0fx%.0f, %.0f iterations, %.0f repetitions\n"
            "%-9s %-6s %-8s %3s %8s %6s %8s %8s %8s %6s %5s %5s %5s %5s %5s %5s %6s %5s\n",
            row->view, view->what, view->re, view->im[0] == '-' ? "" : "+", view->im, view->width,
            row->width_px, row->height_px, row->limit, row->repeats, "", "type", "shortcut", "thr",
            "ms", "spread", "whole", "cpu", "Gstep/s", "skips", "/plain", "/loop", "/avx2", "/cuda",
            "/none", "/1thr", "cycles", "limit");
}

static void table_row(FILE *file, const struct bench_row *row) {
    fprintf(file, "%-9s %-6s %-8s", row->name, row->type, row->shortcuts);
    cell(file, 3, 0, row->threads > 0 ? row->threads : NAN, "");
    cell(file, 8, row->ms < 100 ? 3 : 1, row->ms, "");
    cell(file, 5, 1, 100 * row->spread, "%");
    cell(file, 8, row->elapsed_ms < 100 ? 3 : 1, row->elapsed_ms, "");
    cell(file, 8, row->cpu_ms < 100 ? 3 : 1, row->cpu_ms, "");
    cell(file, 8, 3, row->per_s / 1e9, "");
    cell(file, 5, 1, 100 * row->skipped / (row->iterations + row->skipped), "%");
    for (int i = 0; i < RATIO_COUNT; i++)
        cell(file, 5, 2, row->ratios[i], "");
    cell(file, 6, 2, row->cycles, "");
    cell(file, 5, 3, row->fraction, "");
    fputc('\n', file);
}

static const char legend[] =
    "\nms: median, on a GPU the device's own time; spread: 90th percentile less the 10th, over the "
    "median;\nwhole: from the request to the picture in memory; cpu: of the processor in that, all "
    "threads together; skips:\nshare of the steps that interior tests and fills saved.\n"
    "/plain: times as fast as the plain loop in double; /loop: as the loop of one vector, or the "
    "simple\nCUDA kernel, in this type; /avx2, /cuda: as that backend; /none: as without interior "
    "tests; /1thr: as on one thread.\n"
    "cycles: of a thread per vector step; limit: steps/s over the limit measured in between: "
    "multiply-adds\n"
    "per second over the 3 (CPU) or 4 (GPU) that a step costs, or the 42 of wide numbers.\n";

void bench_report_table(FILE *file, const struct bench_result *result) {
    const char *view = "";
    table_machine(file, result);
    for (size_t i = 0; i < result->count; i++) {
        const struct bench_row *row = &result->rows[i];
        if (strcmp(row->view, view) != 0)
            table_head(file, row);
        table_row(file, row);
        view = row->view;
    }
    fputs(legend, file);
}

/* --- for programs --- */

static void json_machine(FILE *file, const struct bench_result *result) {
    char name[49];
    cpu_name(name);
    fputs("{\"version\": \"" FATHOM_VERSION "\", \"processor\": ", file);
    json_string(file, name);
    fprintf(file, ", \"threads\": %d, \"clock_hz\": ", result->threads);
    json_number(file, result->clock_hz);
    fputs(", \"gpu\": ", file);
    json_string(file, result->gpu);
    fprintf(file, ", \"complete\": %s, \"limits\": [", result->complete ? "true" : "false");
    for (size_t i = 0; i < result->limit_count; i++) {
        fprintf(file, "%s{\"unit\": \"%s\", \"type\": \"%s\", \"steps_per_s\": ", i > 0 ? ", " : "",
                limit_unit_name(result->limits[i].unit), number_type_name(result->limits[i].type));
        json_number(file, result->limits[i].per_s);
        fputc('}', file);
    }
}

static void json_row(FILE *file, const struct bench_row *row) {
    for (size_t i = 0; i < FIELDS; i++) {
        fprintf(file, "%s\"%s\": ", i > 0 ? ", " : "{", fields[i].name);
        if (fields[i].kind == FIELD_TEXT)
            json_string(file, field_exact(row, &fields[i]));
        else
            json_number(file, field_number(row, &fields[i]));
    }
    fputc('}', file);
}

void bench_report_json(FILE *file, const struct bench_result *result) {
    json_machine(file, result);
    fputs("], \"rows\": [", file);
    for (size_t i = 0; i < result->count; i++) {
        fputs(i > 0 ? ", " : "", file);
        json_row(file, &result->rows[i]);
    }
    fputs("]}\n", file);
}

/* No text of ours holds a comma, a quote or a line's end, so none is quoted. */
void bench_report_csv(FILE *file, const struct bench_result *result) {
    for (size_t i = 0; i < FIELDS; i++)
        fprintf(file, "%s%s", i > 0 ? "," : "", fields[i].name);
    fputs("\r\n", file);
    for (size_t k = 0; k < result->count; k++) {
        for (size_t i = 0; i < FIELDS; i++) {
            fputs(i > 0 ? "," : "", file);
            if (fields[i].kind == FIELD_TEXT)
                fputs(field_exact(&result->rows[k], &fields[i]), file);
            else if (isfinite(field_number(&result->rows[k], &fields[i])))
                fprintf(file, "%.17g", field_number(&result->rows[k], &fields[i]));
        }
        fputs("\r\n", file);
    }
}
