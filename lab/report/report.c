/* One text, to the stream and to the folder's file at once. */
#include "lab/report/report.h"
#include "lab/report/gnuplot.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct report {
    FILE *stream;
    char folder[REPORT_PATH_MAX]; /* "": none */
    struct atomic_file *file;     /* NULL: no folder, or no longer one that can be written to */
    bool failed;
    bool no_gnuplot; /* it is not asked again */
};

bool report_path(const struct report *report, char path[static REPORT_PATH_MAX], const char *name,
                 const char *ending) {
    if (!report->folder[0])
        return false;
    const int length = snprintf(path, REPORT_PATH_MAX, "%s/%s%s", report->folder, name, ending);
    if (length > 0 && length < REPORT_PATH_MAX)
        return true;
    log_error("the path of the folder for results is too long");
    return false;
}

struct report *report_create(FILE *stream, const char *folder) {
    char path[REPORT_PATH_MAX];
    struct report *report = calloc(1, sizeof *report);
    if (!report) {
        log_error("no memory for a report");
        return NULL;
    }
    report->stream = stream;
    if (!folder)
        return report;
    snprintf(report->folder, sizeof report->folder, "%s", folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        log_error("cannot make the folder %s: %s", folder, strerror(errno));
        goto error;
    }
    if (!report_path(report, path, "lab", ".md"))
        goto error;
    report->file = atomic_file_open(path, false);
    if (!report->file)
        goto error;
    return report;
error:
    free(report);
    return NULL;
}

bool report_close(struct report *report) {
    bool ok = !report->failed;
    if (report->file && !atomic_file_commit(report->file, NULL))
        ok = false;
    free(report);
    return ok;
}

__attribute__((format(printf, 2, 3))) static void print(struct report *report, const char *format,
                                                        ...) {
    va_list arguments;
    FILE *const streams[] = {report->stream,
                             report->file ? atomic_file_stream(report->file) : NULL};
    for (int i = 0; i < 2; i++) {
        va_start(arguments, format);
        if (streams[i])
            vfprintf(streams[i], format, arguments);
        va_end(arguments);
    }
    fflush(report->stream);
}

void report_heading(struct report *report, const char *text) {
    print(report, "## %s\n\n", text);
}

void report_text(struct report *report, const char *format, ...) {
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print(report, "%s\n\n", text);
}

bool report_check(struct report *report, bool ok, const char *format, ...) {
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print(report, "%s: %s.\n\n", ok ? "Checked" : "WRONG, not so", text);
    if (!ok) {
        report->failed = true;
        log_error("a result is wrong; not so: %s", text);
    }
    return ok;
}

bool report_failed(const struct report *report) {
    return report->failed;
}

/* After a file that could not be written none is tried any more, so that the reason is said once and
 * not for every table. */
static bool write_file(struct report *report, const char *id, const char *ending,
                       void (*write)(const void *what, FILE *file), const void *what) {
    char path[REPORT_PATH_MAX];
    struct atomic_file *file =
        report_path(report, path, id, ending) ? atomic_file_open(path, false) : NULL;
    if (file)
        write(what, atomic_file_stream(file));
    if (file && atomic_file_commit(file, NULL))
        return true;
    atomic_file_abandon(report->file);
    report->file = NULL;
    report->failed = true;
    return false;
}

static void write_csv(const void *table, FILE *file) {
    table_csv(table, file);
}

static void write_script(const void *plot, FILE *file) {
    plot_script(plot, file);
}

void report_table(struct report *report, struct table *table) {
    table_markdown(table, report->stream);
    fflush(report->stream);
    if (report->file) {
        table_markdown(table, atomic_file_stream(report->file));
        write_file(report, table_id(table), ".csv", write_csv, table);
    }
    table_destroy(table);
}

struct drawing {
    char *svg;
    size_t length;
};

static void write_svg(const void *what, FILE *file) {
    const struct drawing *drawing = what;
    fwrite(drawing->svg, 1, drawing->length, file);
}

static void draw(struct report *report, const char *id, struct drawing *drawing) {
    char script[REPORT_PATH_MAX], why[200];
    if (report->no_gnuplot || !report_path(report, script, id, ".gp"))
        return;
    const enum gnuplot_result result = gnuplot_draw(script, &drawing->svg, &drawing->length, why);
    switch (result) {
    case GNUPLOT_DONE:
        break;
    case GNUPLOT_MISSING:
        report->no_gnuplot = true;
        report_text(report, "gnuplot is not installed: plots are left as scripts (ID.gp).");
        break;
    case GNUPLOT_HUNG: /* once is enough */
    case GNUPLOT_FAILED:
        report->no_gnuplot = result == GNUPLOT_HUNG;
        report_text(report, "gnuplot could not draw %s.gp: %s.", id, why);
        break;
    }
}

/* In square brackets, where brackets must be marked. */
static void print_picture(const char *title, const char *id, FILE *file) {
    fputs("![", file);
    for (; *title; title++)
        fprintf(file, strchr("[]\\", *title) ? "\\%c" : "%c", *title);
    fprintf(file, "](%s.svg)\n\n", id);
}

void report_plot(struct report *report, struct plot *plot) {
    const char *id = plot_id(plot);
    struct drawing drawing = {0};
    if (report->file && write_file(report, id, ".gp", write_script, plot))
        draw(report, id, &drawing);
    if (drawing.svg && write_file(report, id, ".svg", write_svg, &drawing))
        print_picture(plot_title(plot), id, atomic_file_stream(report->file));
    free(drawing.svg);
    plot_destroy(plot);
}
