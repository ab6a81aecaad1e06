/* fathom-mpi: draws a movie, pictures or a Buddhabrot with the ranks of MPI. Each rank runs the
 * ordinary command: with --join where all ranks see the files of rank 0, and otherwise with --part.
 * Ranks then send their files to rank 0, which completes the work. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "app/command/commands.h"
#include "app/options/config.h"
#include "app/still/outputs.h"
#include "app/work/hash.h"
#include "app/work/work_list.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/standard_streams.h"
#include "render/base/user_data.h"
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "fathom-mpi " FATHOM_VERSION "\n\n"
    "mpirun --bind-to none -np N fathom-mpi movie|render|density ARGUMENTS\n\n"
    "Draws with N processes of MPI what 'fathom' draws with the same arguments; 'man\n"
    "fathom-mpi' describes it. The same line continues a run that has ended early.\n";

#define CHUNK    (1 << 18) /* [bytes] */
#define PAUSE_NS 2000000
#define TESTS    32 /* tests before a pause: a chunk needs several */
#define FILES    5  /* -o, --data, --smooth, --work and --resume */

/* This rank's share of the work. */
struct share {
    const struct options *options;
    struct work_part part;              /* number: the rank */
    bool joins;                         /* all ranks see the files of rank 0 */
    const char *files[FILES];           /* at rank 0; NULL: none */
    char own[100];                      /* folder of a rank that does not see them, or "" */
    char runs[PATH_MAX], run[PATH_MAX]; /* folder of saved runs, and this rank's run; or "" */
};

/* Announces a file. The end of a rank's files has no path. */
struct announcement {
    uint64_t bytes;
    char path[PATH_MAX];
};

/* --- names --- */

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

/* Stores the folder of a path, "" or with a slash at its end. */
static bool put_folder(char folder[static PATH_MAX], const char *path) {
    const char *slash = strrchr(path, '/');
    return put_name(folder, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
}

/* --- messages between ranks --- */

/* Waits for a request. Returns the number of bytes that it has received. */
static size_t await(MPI_Request *request) {
    MPI_Status status;
    int done = 0, bytes = 0;
    for (int tests = 0; MPI_Test(request, &done, &status), !done;)
        if (++tests % TESTS == 0)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return (size_t)bytes;
}

static void put(const void *data, size_t bytes) {
    MPI_Request request;
    MPI_Isend(data, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    await(&request);
}

static size_t get(void *data, size_t bytes, int rank) {
    MPI_Request request;
    MPI_Irecv(data, (int)bytes, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &request);
    return await(&request);
}

/* Returns the sum of a number of each rank, at all ranks. Waits for all ranks. */
static int sum_of(int number) {
    MPI_Request request;
    int sum = 0;
    MPI_Iallreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    await(&request);
    return sum;
}

/* Sends a file to rank 0, where it is to be called `as`. Returns false if it cannot be read, which
 * is logged. */
static bool send_file(const char *path, const char *as) {
    struct announcement file = {0};
    char chunk[CHUNK];
    size_t size = 1;
    FILE *stream = file_open(path);
    if (!stream)
        return false;
    memcpy(file.path, as, strlen(as) + 1);
    file.bytes = file_length(stream);
    put(&file, sizeof file);
    for (uint64_t left = file.bytes; left > 0 && size > 0; left -= size) {
        size = left < CHUNK ? (size_t)left : CHUNK;
        size = fread(chunk, 1, size, stream) == size ? size : 0;
        if (size == 0)
            log_error("cannot send '%s' to rank 0: %s", path, strerror(errno));
        put(chunk, size); /* an empty chunk: the file cannot be read */
    }
    fclose(stream);
    return size > 0;
}

/* Stores a file of a rank by rename. *ok becomes false if it cannot be stored, which is logged.
 * Returns false at the end of the files. */
static bool receive_file(int rank, bool *ok) {
    struct announcement file;
    char chunk[CHUNK], folder[PATH_MAX];
    size_t size = 1;
    get(&file, sizeof file, rank);
    file.path[sizeof file.path - 1] = '\0';
    if (!*file.path)
        return false;
    if (put_folder(folder, file.path) && *folder)
        user_folder_make_or_log(folder);
    struct atomic_file *to = atomic_file_open(file.path, false);
    bool stored = to != NULL;
    if (to)
        atomic_file_mark_expendable(to);
    for (uint64_t left = file.bytes; left > 0 && size > 0; left -= size < left ? size : left) {
        size = get(chunk, sizeof chunk, rank); /* also if the file cannot be stored */
        if (stored && fwrite(chunk, 1, size, atomic_file_stream(to)) != size) {
            atomic_file_log_failure(to, errno);
            stored = false;
        }
    }
    if (stored && size > 0)
        *ok = atomic_file_commit(to, NULL) && *ok;
    else
        atomic_file_abandon(to);
    *ok = *ok && stored && size > 0;
    return true;
}

/* --- the command line --- */

/* Returns false for options that do not go with several ranks; logged. */
static bool possible(const struct options *options) {
    const bool density = options->command == COMMAND_DENSITY;
    if (options->help || options->version)
        return true;
    if (options->command != COMMAND_MOVIE && options->command != COMMAND_RENDER && !density)
        log_error("fathom-mpi takes movie, render or density; see 'fathom-mpi --help'");
    else if (options->join || options->part || options->devices || options->merge ||
             (options->json && !density))
        log_error("fathom-mpi divides the work itself: --join, --part, --devices, --merge, and "
                  "--json without density, do not go with it");
    else if (!density && (!options->output || outputs_is_stdout(options->output)))
        log_error("fathom-mpi needs a file to write: -o FILE");
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
    ok = sum_of(!ok) == 0 && (first || options_parse(options, argc, argv));
    return sum_of(!ok) == 0;
}

/* Warns if ranks may use one processor of many, the default of mpirun for two ranks. */
static void warn_if_bound(const struct work_part *part) {
    cpu_set_t set;
    const bool bound = sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 &&
                       sysconf(_SC_NPROCESSORS_ONLN) > 1;
    const int all = sum_of(bound);
    if (part->number == 0 && all > 0)
        log_warn("%d of %u ranks may use only one processor of their machine each: give mpirun "
                 "--bind-to none",
                 all, part->of);
}

/* --- files --- */

/* Returns true if this rank sees a file that rank 0 makes for a moment in the folder of a path. All
 * ranks call this together. */
static bool sees(const struct share *share, const char *path) {
    char folder[PATH_MAX], mark[PATH_MAX];
    const bool first = share->part.number == 0;
    const int process = sum_of(first ? (int)getpid() : 0);
    const bool ok = put_folder(folder, path) && put_name(mark, "%s.fathom-mpi-%d", folder, process);
    if (ok && first && (!*folder || user_folder_make_or_log(folder)))
        close(open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    sum_of(0);
    const bool seen = ok && access(mark, F_OK) == 0;
    sum_of(0);
    if (ok && first)
        unlink(mark);
    return seen;
}

/* Stores the name of a rank's saved run. */
static bool name_run(const struct share *share, unsigned rank, char name[static PATH_MAX]) {
    return put_name(name, "%s%u-%u.npy", share->runs, rank, share->part.of);
}

/* Finds the files, and who sees those of rank 0. Returns false if a rank has failed; logged. */
static bool begin(struct share *share) {
    const struct options *options = share->options;
    const bool density = options->command == COMMAND_DENSITY;
    const char *output = outputs_is_stdout(options->output) ? NULL : options->output;
    const char *base = options->resume ? options->resume : output ? output : "fathom-density";
    const bool ok = !density || (put_name(share->runs, "%s.parts/", base) &&
                                 name_run(share, share->part.number, share->run));
    bool all = sum_of(!ok) == 0, seen = true;
    const char *const files[FILES] = {output, options->data, options->smooth, options->work};
    for (int i = 0; i < FILES; i++) {
        share->files[i] = !density ? files[i] : i == FILES - 1 ? share->run : NULL;
        seen = all && share->files[i] ? sees(share, share->files[i]) && seen : seen;
    }
    const uint64_t key = hash_text(HASH_EMPTY, density ? share->runs : output);
    if (!seen && share->part.number > 0)
        snprintf(share->own, sizeof share->own, "fathom-mpi-%016" PRIx64 "-%u/", key,
                 share->part.number);
    share->joins = sum_of(!seen) == 0 && !density;
    return all;
}

/* Stores the place of a file at this rank, NULL if there is none: in the folder OWN/NUMBER, which
 * is made. Returns false on failure, which is logged. */
static bool place(const struct share *share, int file, char name[static PATH_MAX],
                  const char **placed) {
    char folder[PATH_MAX];
    const char *path = share->files[file];
    *placed = path && *share->own ? name : path;
    return *placed != name ||
           (put_name(folder, "%s%d", share->own, file) && user_folder_make_or_log(folder) &&
            put_name(name, "%s/%s", folder, basename(path)));
}

/* Returns true for a file of a part, not one on its way and not the lock of a work folder. */
static bool is_complete(const char *name) {
    const char *ending = strrchr(name, '.');
    return strncmp(name, ".fathom-", strlen(".fathom-")) != 0 && strcmp(name, "movie.lock") != 0 &&
           !(ending && strcmp(ending, ".part") == 0);
}

/* Sends the complete files in this rank's own folder, or removes everything there. Returns false on
 * failure, which is logged. */
static bool send_or_remove(struct share *share, bool removes) {
    char *own[] = {share->own, NULL}, folder[PATH_MAX], as[PATH_MAX];
    bool ok = true;
    FTS *files = **own ? fts_open(own, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
    for (FTSENT *entry; files && (entry = fts_read(files));) {
        const char *name = entry->fts_name, *placed = entry->fts_path + strlen(*own);
        if (removes && entry->fts_info != FTS_D)
            remove(entry->fts_accpath);
        else if (!removes && entry->fts_info == FTS_F && is_complete(name))
            ok = put_folder(folder, share->files[*placed - '0']) &&
                 put_name(as, "%s%s", folder, placed + 2) && send_file(entry->fts_path, as) && ok;
    }
    if (files)
        fts_close(files);
    return ok;
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
    char part[32], names[FILES][PATH_MAX];
    snprintf(part, sizeof part, "%u/%u", share->part.number, share->part.of);
    options.join = share->joins;
    options.part = share->joins ? NULL : part;
    options.json = false;
    options.keep_work |= !share->joins; /* rings are sent */
    const char **const to[] = {&options.output, &options.data, &options.smooth, &options.work,
                               &options.resume};
    bool ok = true;
    for (int i = 0; i < FILES; i++)
        ok = place(share, i, names[i], to[i]) && ok;
    return ok && draw(&options);
}

/* Adds the saved runs, makes the results from their sum, and removes the runs. */
static bool add_runs(const struct share *share, int muted) {
    struct options sum = *share->options, whole = *share->options;
    char(*names)[PATH_MAX] = calloc(share->part.of, sizeof *names), total[PATH_MAX];
    const char **runs = calloc(share->part.of, sizeof *runs);
    bool ok = put_name(total, "%ssum.npy", share->runs);
    if (!names || !runs)
        log_error("not enough memory for the names of all runs");
    for (unsigned i = 0; (ok = ok && names && runs) && i < share->part.of; i++) {
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
    if (ok)
        rmdir(share->runs);
    free(names);
    free(runs);
    return ok;
}

/* Returns the exit status of all ranks. */
static int work(struct share *share) {
    const bool first = share->part.number == 0, density = *share->runs;
    const int muted = standard_streams_mute(); /* parts report, too */
    bool ok = draw_part(share);
    if (share->joins)
        return sum_of(ok) > 0 ? 0 : 1;
    for (unsigned rank = 1; first && rank < share->part.of; rank++)
        while (receive_file((int)rank, &ok))
            ;
    ok = send_or_remove(share, false) && ok; /* also the files of a part that has failed */
    if (!first)
        put(&(struct announcement){0}, sizeof(struct announcement));
    const int failed = sum_of(!ok);
    if (first && failed > 0)
        log_error("%d of %u ranks have failed; the same line makes the missing files, and keeps "
                  "the others",
                  failed, share->part.of);
    ok = failed == 0;
    if (first && ok && share->options->command != COMMAND_RENDER)
        ok = density ? add_runs(share, muted) : draw(share->options);
    ok = sum_of(!ok) == 0;
    return ok && send_or_remove(share, true) ? 0 : 1;
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
    if (!parse(&options, argc, argv, rank == 0)) {
        status = 2;
    } else if (options.help || options.version) {
        fputs(rank == 0 ? help : "", stdout);
    } else {
        share.options = &options;
        share.part = (struct work_part){(unsigned)rank, (unsigned)ranks};
        warn_if_bound(&share.part);
        config_apply(&options);
        status = begin(&share) ? work(&share) : 1;
        options_finish(&options);
    }
    sum_of(0); /* MPI_Finalize would spin */
    MPI_Finalize();
    return standard_streams_finish(status);
}
