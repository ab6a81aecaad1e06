/* Report of experiments: writes the same text to the stream and to the folder's file. */
#include "lab/report/report.h"
#include "render/base/atomic_file.h"
#include "render/base/embedded.h"
#include "render/base/log.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MAX 60
#define FILE_MAX    ((rlim_t)1 << 26) /* [bytes] limit of any file that it writes */
#define NOT_THERE   127               /* exit status of a shell for a missing command */

struct report {
    FILE *stream;
    char folder[REPORT_PATH_MAX]; /* "": none */
    struct atomic_file *file;     /* NULL: no folder, or writing to it has failed */
    char tables[3000];            /* names of the tables in the folder, separated by blanks */
    bool failed;
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

/* Writes a file. After a failure no further file is tried, so that the reason is logged once and
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

void report_table(struct report *report, struct table *table) {
    table_markdown(table, report->stream);
    fflush(report->stream);
    if (report->file) {
        table_markdown(table, atomic_file_stream(report->file));
        const size_t used = strlen(report->tables);
        if (write_file(report, table_id(table), ".csv", write_csv, table))
            snprintf(report->tables + used, sizeof report->tables - used, "%s ", table_id(table));
    }
    table_destroy(table);
}

/* --- plots, by gnuplot, which may be missing, fail or never end --- */

static void plots_script(const void *unused, FILE *file) {
    (void)unused;
    fwrite(embedded_plots[0].data, 1, embedded_plots[0].size, file);
}

/* Replaces the child process by gnuplot. Must not allocate before exec, since other threads of the
 * parent may have held the allocator's lock. */
static void become_gnuplot(const char *folder, const char *names, int drawn, int said) {
    const struct rlimit size = {FILE_MAX, FILE_MAX};
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &size);
    alarm(SECONDS_MAX);
    if (chdir(folder) == 0 && dup2(drawn, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", "-d", "-e", names, "plots.gp", (char *)NULL);
    _exit(errno == ENOENT ? NOT_THERE : NOT_THERE - 1);
}

static int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        kill(child, SIGTERM);
    return status;
}

/* Stores the last line of gnuplot's messages. */
static void reason(FILE *said, int status, char why[200]) {
    char line[200];
    snprintf(why, 200, WIFSIGNALED(status) ? "it was stopped" : "it said nothing");
    rewind(said);
    while (fgets(line, sizeof line, said)) {
        const char *text = line + strspn(line, " \t^\n");
        if (*text)
            snprintf(why, 200, "%.*s", (int)strcspn(text, "\n"), text);
    }
}

/* Lists the plots: each line of gnuplot's output has a name, a tab and a title. */
static void show_pictures(struct report *report, FILE *drawn) {
    char line[300];
    rewind(drawn);
    fputs("## Plots\n\n", atomic_file_stream(report->file));
    while (fgets(line, sizeof line, drawn)) {
        const char *title = strchr(line, '\t');
        if (title)
            fprintf(atomic_file_stream(report->file), "![%.*s](%.*s.png)\n\n",
                    (int)strcspn(title + 1, "\n"), title + 1, (int)(title - line), line);
    }
}

/* Runs gnuplot for at most a minute and waits for its end. A caught signal ends it as well. */
static int run_gnuplot(const struct report *report, FILE *drawn, FILE *said) {
    char names[sizeof report->tables + 20];
    snprintf(names, sizeof names, "tables = '%s'", report->tables);
    fflush(NULL); /* so that the child does not inherit unwritten output */
    const pid_t child = fork();
    if (child == 0)
        become_gnuplot(report->folder, names, fileno(drawn), fileno(said));
    return child > 0 ? wait_for(child) : 1 << 8;
}

static void draw_plots(struct report *report) {
    FILE *drawn = tmpfile(), *said = tmpfile();
    if (drawn && said && write_file(report, "plots", ".gp", plots_script, NULL)) {
        char why[200];
        const int status = run_gnuplot(report, drawn, said);
        reason(said, status, why);
        if (status == 0)
            show_pictures(report, drawn);
        else if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE)
            report_text(report,
                        "gnuplot is not installed, so there are no plots; where it is, 'gnuplot "
                        "plots.gp' in the folder draws them.");
        else
            report_text(report, "gnuplot could not draw the plots: %s.", why);
    }
    if (drawn)
        fclose(drawn);
    if (said)
        fclose(said);
}

bool report_close(struct report *report, bool draw) {
    if (report->file && draw)
        draw_plots(report);
    bool ok = !report->failed;
    if (report->file && !atomic_file_commit(report->file, NULL))
        ok = false;
    free(report);
    return ok;
}
