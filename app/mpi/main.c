/* fathom-mpi: draws a movie, pictures or a Buddhabrot with the ranks of MPI. Each rank runs the
 * ordinary command: with --join where all ranks see the files of rank 0, and otherwise with --part.
 * Ranks then send their files to rank 0, which completes the work. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "app/command/commands.h"
#include "app/command/render_jobs.h"
#include "app/mpi/wire.h"
#include "app/options/config.h"
#include "app/still/outputs.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/standard_streams.h"
#include "render/base/user_data.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "mpirun --bind-to none -np N fathom-mpi movie|render|density ARGUMENTS\n"
    "\n"
    "Draws with N processes of MPI what 'fathom' draws with the same arguments; 'man\n"
    "fathom-mpi' describes it. The same line continues a run that has ended early.\n";

/* This rank's share of the work. */
struct share {
    const struct options *options;
    enum command command;
    struct work_part part; /* number: the rank */
    bool sees, joins;      /* the rank sees the files of rank 0; all ranks do, and draw together */
    struct render_jobs jobs; /* pictures */
    char folder[PATH_MAX];   /* rank 0's work folder of a movie, or its folder of saved runs */
    char own[PATH_MAX];      /* this rank's work folder, or its saved run */
};

/* --- the command line --- */

/* Returns false for options that do not go with several ranks; logged. */
static bool possible(const struct options *options) {
    const bool density = options->command == COMMAND_DENSITY;
    const char *output = options->output, *ending = output ? strrchr(output, '.') : NULL;
    if (options->command != COMMAND_MOVIE && options->command != COMMAND_RENDER && !density)
        log_error("fathom-mpi takes movie, render or density; see 'fathom-mpi --help'");
    else if (options->join || options->part || options->devices || options->merge ||
             (options->json && !density))
        log_error("fathom-mpi divides the work itself: --join, --part, --devices, --merge, and "
                  "--json without density, do not go with it");
    else if (!density &&
             (!output || outputs_is_stdout(output) ||
              (ending && outputs_is_poster(options) && strcasecmp(ending, ".dzi") == 0)))
        log_error("fathom-mpi needs a file to write, -o FILE, and not the many files of a .dzi");
    else if (density && !isnan(options->seconds))
        log_error("fathom-mpi divides a number of orbits: give --samples, not --seconds");
    else if (density && options->resume && access(options->resume, F_OK) == 0)
        log_error("fathom-mpi counts a run from its beginning, and '%s' exists: remove it, or "
                  "choose another file",
                  options->resume);
    else
        return options->command == COMMAND_RENDER || file_uses_check(options, 1);
    return false;
}

/* Parses the command line: first at rank 0, which logs mistakes for all. */
static bool parse(struct options *options, int argc, char **argv, bool first) {
    bool ok = !first || (options_parse(options, argc, argv) && possible(options));
    ok = wire_sum(!ok) == 0 && (first || options_parse(options, argc, argv));
    return wire_sum(!ok) == 0;
}

/* Warns if ranks may use one processor of many, the default of mpirun for two ranks. */
static void warn_if_bound(const struct work_part *part) {
    cpu_set_t set;
    const bool bound = sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 &&
                       sysconf(_SC_NPROCESSORS_ONLN) > 1;
    const int all = wire_sum(bound);
    if (part->number == 0 && all > 0)
        log_warn("%d of %u ranks may use only one processor of their machine each: give mpirun "
                 "--bind-to none",
                 all, part->of);
}

/* --- files --- */

/* Stores a name. Returns false if it is too long, which is logged. */
__attribute__((format(printf, 2, 3))) static bool put_name(char name[static PATH_MAX],
                                                           const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(name, PATH_MAX, format, list);
    va_end(list);
    if (length >= PATH_MAX)
        log_error("a file name is too long: '%.80s...'", name);
    return length >= 0 && length < PATH_MAX;
}

/* Makes the folder of a file. Returns true if rank 0 makes a file there that this rank sees. All
 * ranks call this together. */
static bool sees(const struct share *share, const char *path, bool *ok) {
    char folder[PATH_MAX], mark[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const bool first = share->part.number == 0;
    const int length = slash ? (int)(slash + 1 - path) : 0;
    const int process = wire_sum(first ? (int)getpid() : 0);
    *ok = put_name(folder, "%.*s", length, path) &&
          put_name(mark, "%s.fathom-mpi-%d", folder, process) &&
          (length == 0 || user_folder_make_or_log(folder)) && *ok;
    if (*ok && first)
        close(open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    wire_sum(0);
    const bool seen = *ok && access(mark, F_OK) == 0;
    wire_sum(0);
    if (*ok && first)
        unlink(mark);
    return seen;
}

/* Stores the name of a rank's saved run. */
static bool name_run(const struct share *share, unsigned rank, char name[static PATH_MAX]) {
    return put_name(name, "%s%u-%u.npy", share->folder, rank, share->part.of);
}

/* Stores the names of the files. Returns false on failure, which is logged. */
static bool name_files(struct share *share) {
    const struct options *options = share->options;
    const char *base = options->work                                ? options->work
                       : options->resume                            ? options->resume
                       : options->output && *options->output != '-' ? options->output
                                                                    : "fathom-density";
    if (share->command != COMMAND_RENDER)
        return put_name(share->folder, "%s%s/", base,
                        share->command == COMMAND_DENSITY ? ".parts"
                        : options->work                   ? ""
                                                          : ".work");
    return render_jobs_are_octaves(options) ? render_jobs_make_octaves(&share->jobs, options)
                                            : render_jobs_make(&share->jobs, options);
}

/* Finds the files, and who sees those of rank 0; the folders of all pictures are alike. Returns
 * false if a rank has failed, which is logged. */
static bool begin(struct share *share) {
    const bool runs = share->command == COMMAND_DENSITY,
               pictures = share->command == COMMAND_RENDER;
    bool ok = name_files(share);
    if (wire_sum(!ok) > 0)
        return false;
    const struct options *first = pictures ? share->jobs.each : share->options;
    const char *const files[] = {pictures ? NULL : share->folder, runs ? NULL : first->output,
                                 pictures ? first->data : NULL, pictures ? first->smooth : NULL};
    share->sees = true;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i])
            share->sees = sees(share, files[i], &ok) && share->sees;
    share->joins = wire_sum(!share->sees) == 0 && !runs;
    ok = ok && (runs          ? name_run(share, share->part.number, share->own)
                : share->sees ? put_name(share->own, "%s", share->folder)
                              : put_name(share->own, "%srank-%u/", share->folder, /* not shared */
                                         share->part.number));
    return wire_sum(!ok) == 0;
}

static bool remove_file(const char *path, const char *as) {
    (void)as;
    return unlink(path) == 0;
}

/* Calls `act` with each complete file of this rank, and with its name at rank 0. Returns false if a
 * call does. */
static bool each_file(const struct share *share, bool (*act)(const char *path, const char *as)) {
    char path[PATH_MAX], as[PATH_MAX];
    bool ok = share->command != COMMAND_DENSITY || act(share->own, share->own);
    for (size_t i = share->part.number; i < share->jobs.count; i += share->part.of) {
        const struct options *job = &share->jobs.each[i];
        const char *const files[] = {job->output, job->data, job->smooth};
        for (size_t k = 0; k < sizeof files / sizeof *files; k++)
            if (files[k] && access(files[k], F_OK) == 0)
                ok = act(files[k], files[k]) && ok;
    }
    DIR *folder = share->command == COMMAND_MOVIE ? opendir(share->own) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' &&
            (act == remove_file || strncmp(entry->d_name, "ring-", strlen("ring-")) == 0))
            ok = put_name(path, "%s%s", share->own, entry->d_name) &&
                 put_name(as, "%s%s", share->folder, entry->d_name) && act(path, as) && ok;
    if (folder)
        closedir(folder);
    return ok;
}

/* Removes this rank's files once rank 0 has the result. */
static void clean(const struct share *share) {
    if (!share->sees)
        each_file(share, remove_file);
    if (!share->sees && share->command == COMMAND_MOVIE)
        rmdir(share->own);
    if (!share->sees || share->command == COMMAND_DENSITY)
        rmdir(share->folder);
}

/* --- the work --- */

static bool draw(const struct options *options) {
    return (options->command == COMMAND_MOVIE    ? command_movie(options)
            : options->command == COMMAND_RENDER ? command_render(options)
                                                 : command_density(options)) == 0;
}

/* Draws this rank's part, or joins the others. */
static bool draw_part(const struct share *share) {
    struct options options = *share->options;
    char part[32];
    snprintf(part, sizeof part, "%u/%u", share->part.number, share->part.of);
    options.join = share->joins;
    options.part = share->joins ? NULL : part;
    options.json = false;
    options.keep_work |= !share->joins; /* rings are sent */
    if (share->command == COMMAND_DENSITY) {
        options.resume = share->own;
        options.output = options.data = NULL;
    } else if (share->command == COMMAND_MOVIE) {
        options.work = share->own;
    }
    return draw(&options);
}

/* Sends the files of this rank, also those of a part that has failed, or receives those of all.
 * Returns false on failure, which is logged. */
static bool gather(const struct share *share, bool ok) {
    for (unsigned rank = 1; share->part.number == 0 && rank < share->part.of; rank++)
        while (wire_receive_file((int)rank, &ok))
            ;
    if (share->part.number > 0 && !share->sees && (ok || share->command != COMMAND_DENSITY))
        ok = each_file(share, wire_send_file) && ok;
    if (share->part.number > 0)
        wire_send_end();
    return ok;
}

/* Adds the saved runs, makes the results from their sum, and removes the runs. */
static bool add_runs(const struct share *share, int muted) {
    struct options sum = *share->options, whole = *share->options;
    char(*names)[PATH_MAX] = calloc(share->part.of, sizeof *names), total[PATH_MAX];
    const char **runs = calloc(share->part.of, sizeof *runs);
    bool ok = names && runs && put_name(total, "%ssum.npy", share->folder);
    for (unsigned i = 0; ok && i < share->part.of; i++) {
        ok = name_run(share, i, names[i]);
        runs[i] = names[i];
    }
    sum.merge = true;
    sum.arguments = runs;
    sum.argument_count = (int)share->part.of;
    sum.output = whole.resume = total;
    ok = ok && draw(&sum);
    standard_streams_unmute(muted);
    ok = ok && draw(&whole);
    if (ok && (sum.resume ? rename(total, sum.resume) : unlink(total)) != 0) {
        log_error("cannot rename '%s': %s", total, strerror(errno));
        ok = false;
    }
    for (unsigned i = 0; ok && i < share->part.of; i++)
        unlink(names[i]);
    free(names);
    free(runs);
    return ok;
}

/* Returns the exit status of all ranks. */
static int work(struct share *share) {
    const bool first = share->part.number == 0;
    if (!begin(share))
        return 1;
    const int muted = standard_streams_mute(); /* parts report, too */
    bool ok = draw_part(share);
    if (share->joins)
        return wire_sum(ok) > 0 ? 0 : 1;
    const int failed = wire_sum(!gather(share, ok));
    if (first && failed > 0)
        log_error("%d of %u ranks have failed; the same line makes the missing files, and keeps "
                  "the others",
                  failed, share->part.of);
    ok = failed == 0;
    if (first && ok && share->command != COMMAND_RENDER)
        ok = share->command == COMMAND_DENSITY ? add_runs(share, muted) : draw(share->options);
    ok = wire_sum(!ok) == 0;
    if (ok)
        clean(share);
    return ok ? 0 : 1;
}

int main(int argc, char **argv) {
    struct share share = {.options = NULL};
    struct options options;
    int rank, ranks, status = 0;
    standard_streams_hold();
    memory_watch();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool version = argc > 1 && strcmp(argv[1], "--version") == 0;
    if (argc < 2 || version || strcmp(argv[1], "--help") == 0) {
        if (rank == 0)
            fputs(version ? "fathom-mpi " FATHOM_VERSION "\n" : help, stdout);
    } else if (!parse(&options, argc, argv, rank == 0)) {
        status = 2;
    } else {
        share.options = &options;
        share.command = options.command;
        share.part = (struct work_part){(unsigned)rank, (unsigned)ranks};
        warn_if_bound(&share.part);
        config_apply(&options);
        status = work(&share);
        render_jobs_finish(&share.jobs);
        options_finish(&options);
    }
    wire_sum(0); /* MPI_Finalize would spin */
    MPI_Finalize();
    return standard_streams_finish(status);
}
