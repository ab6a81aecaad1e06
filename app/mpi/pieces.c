/* Pieces: what differs between movies, pictures and Buddhabrots. */
#define _GNU_SOURCE /* asprintf */
#include "app/mpi/pieces.h"
#include "app/mpi/child.h"
#include "app/mpi/wire.h"
#include "app/still/outputs.h"
#include "render/base/log.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUM "sum.npy"

/* --- texts --- */

/* Returns a text, which the caller frees. Ends all ranks without memory. */
__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...) {
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) {
        log_error("not enough memory for a file name");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    va_end(list);
    return text;
}

/* Returns the file of a part of density: "part" of one on its way, "done" of a complete one. */
static char *part_path(const struct pieces *pieces, const char *kind, int piece) {
    return text_of("%s/%s-%d-%d.npy", pieces->folder, kind, piece, pieces->count);
}

static enum command command_of(const struct pieces *pieces) {
    return pieces->options->command;
}

/* --- beginning --- */

bool pieces_possible(const struct options *options) {
    const char *resume = options->resume;
    const bool density = options->command == COMMAND_DENSITY;
    if (options->command != COMMAND_MOVIE && options->command != COMMAND_RENDER && !density)
        log_error("fathom-mpi takes movie, render or density; see 'fathom-mpi --help'");
    else if (options->join || options->part || options->devices || options->merge)
        log_error("fathom-mpi divides the work itself: --join, --part, --devices and --merge do "
                  "not go with it");
    else if (options->json && !density)
        log_error("--json does not go with fathom-mpi %s", density ? "" : "movie or render");
    else if (!density && (!options->output || outputs_is_stdout(options->output)))
        log_error("fathom-mpi needs a file to write: -o FILE");
    else if (density && !isnan(options->seconds))
        log_error("fathom-mpi divides a number of orbits: give --samples, not --seconds");
    else if (density && resume && access(resume, F_OK) == 0)
        log_error("fathom-mpi counts a run from its beginning, and '%s' exists: remove it, or "
                  "choose another file",
                  resume);
    else
        return true;
    return false;
}

/* Makes all folders of a path before its last slash. */
static void make_folders(const char *path) {
    char *folders = text_of("%s", path);
    for (char *slash = folders; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(folders, 0777);
        *slash = '/';
    }
    free(folders);
}

/* Returns the folder of a file. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? text_of("%.*s", (int)(slash + 1 - path), path) : text_of(".");
}

/* Returns the folder of the files that are sent. */
static char *find_folder(const struct options *options) {
    const char *output = options->output;
    const char *base = options->resume ? options->resume : output ? output : options->data;
    if (options->command == COMMAND_RENDER)
        return folder_of(output);
    if (options->command == COMMAND_MOVIE)
        return options->work ? text_of("%s", options->work) : text_of("%s.work", output);
    return text_of("%s.parts", base && !outputs_is_stdout(base) ? base : "fathom-density");
}

/* Returns true if this rank sees a file that rank 0 makes for a moment in a folder. */
static bool sees(const char *folder) {
    int rank, process = (int)getpid();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wire_share(&process, sizeof process);
    char *path = text_of("%s/.fathom-mpi-%d", folder, process);
    FILE *file = rank == 0 ? fopen(path, "we") : NULL;
    if (file)
        fclose(file);
    wire_sum(0);
    const bool seen = access(path, F_OK) == 0;
    wire_sum(0);
    if (file)
        unlink(path);
    free(path);
    return seen;
}

/* Returns the number of parts of an earlier run, or else of this one. */
static int parts_of(const char *folder, int ranks) {
    int piece, count = ranks;
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));)
        if (sscanf(entry->d_name, "part-%d-%d", &piece, &count) == 2 ||
            sscanf(entry->d_name, "done-%d-%d", &piece, &count) == 2)
            break;
    if (files)
        closedir(files);
    return count > 0 ? count : ranks;
}

bool pieces_init(struct pieces *pieces, const struct options *options, char **words, int ranks) {
    *pieces = (struct pieces){.options = options, .words = words, .work.lock = -1};
    while (words[pieces->word_count])
        pieces->word_count++;
    pieces->folder = find_folder(options);
    if (options->output)
        make_folders(options->output);
    make_folders(pieces->folder);
    bool ok = true;
    if (command_of(pieces) == COMMAND_MOVIE)
        ok = work_folder_claim(&pieces->work, pieces->folder, true);
    else if (command_of(pieces) == COMMAND_DENSITY &&
             !(ok = mkdir(pieces->folder, 0777) == 0 || errno == EEXIST))
        log_error("cannot make the folder '%s': %s", pieces->folder, strerror(errno));
    else if (command_of(pieces) == COMMAND_RENDER)
        ok = render_jobs_are_octaves(options) ? render_jobs_make_octaves(&pieces->jobs, options)
                                              : render_jobs_make(&pieces->jobs, options);
    if (wire_sum(!ok) > 0)
        return false;
    char *film = options->command == COMMAND_MOVIE ? folder_of(options->output)
                                                   : text_of("%s", pieces->folder);
    const bool seen = sees(pieces->folder), shown = sees(film);
    free(film);
    pieces->sees = seen;
    pieces->join = command_of(pieces) != COMMAND_DENSITY && wire_sum(!seen || !shown) == 0;
    pieces->count = pieces->join                           ? ranks
                    : command_of(pieces) == COMMAND_RENDER ? (int)pieces->jobs.count
                                                           : parts_of(pieces->folder, ranks);
    wire_share(&pieces->count, sizeof pieces->count);
    return true;
}

void pieces_finish(struct pieces *pieces, bool remove) {
    for (size_t i = 0; i < pieces->sent_count; i++) {
        if (remove)
            unlink(pieces->sent[i]);
        free(pieces->sent[i]);
    }
    if (remove && !pieces->sees) /* all ranks are ready, so that the folder may go */
        pieces->work.shared = false;
    work_folder_release(&pieces->work);
    if (remove && command_of(pieces) == COMMAND_DENSITY)
        rmdir(pieces->folder);
    render_jobs_finish(&pieces->jobs);
    free(pieces->sent);
    free(pieces->folder);
}

/* --- pieces --- */

bool pieces_has(struct pieces *pieces, int piece) {
    if (command_of(pieces) == COMMAND_RENDER)
        return !pieces->join && render_jobs_has(&pieces->jobs, (size_t)piece);
    char *done = part_path(pieces, "done", piece);
    const bool has = command_of(pieces) == COMMAND_DENSITY && access(done, F_OK) == 0;
    free(done);
    return has;
}

/* Returns true if a word of the command line is that option, and in *more the number of words of
 * its value behind it. */
static bool is_option(const char *word, const char *name, const char *letter, int *more) {
    const size_t length = strlen(name);
    *more = strcmp(word, name) == 0 || (letter && strcmp(word, letter) == 0);
    return *more || (strncmp(word, name, length) == 0 && word[length] == '=') ||
           (letter && strncmp(word, letter, 2) == 0);
}

/* Adds the words of this command line to a child's: of density without --resume, which is replaced,
 * and for a part without all results. Returns their number. */
static size_t add_words(const struct pieces *pieces, bool part, char **to) {
    const bool density = command_of(pieces) == COMMAND_DENSITY;
    bool only_arguments = false;
    size_t count = 0;
    for (char **word = pieces->words + 1; *word; word++) {
        int more = 0;
        only_arguments = only_arguments || strcmp(*word, "--") == 0;
        const bool drop =
            density && !only_arguments &&
            (is_option(*word, "--resume", NULL, &more) ||
             (part && (is_option(*word, "--output", "-o", &more) ||
                       is_option(*word, "--data", NULL, &more) || strcmp(*word, "--json") == 0)));
        if (!drop)
            to[count++] = text_of("%s", *word);
        else if (more && word[1])
            word++;
    }
    return count;
}

/* Returns the command line of a child, with room for its name, and options in front; NULL: none.
 * density continues the file. */
static char **words_with(const struct pieces *pieces, char *option, char *file, bool part) {
    char **words = calloc(pieces->word_count + 6, sizeof *words);
    size_t count = 1;
    if (!words) {
        log_error("not enough memory for a command line");
        MPI_Abort(MPI_COMM_WORLD, 1);
        return NULL;
    }
    if (option)
        words[count++] = option;
    if (file)
        words[count++] = text_of("--resume=%s", file);
    free(file);
    add_words(pieces, part, words + count);
    return words;
}

char **pieces_words(const struct pieces *pieces, int piece) {
    const bool density = command_of(pieces) == COMMAND_DENSITY;
    return words_with(
        pieces, pieces->join ? text_of("--join") : text_of("--part=%d/%d", piece, pieces->count),
        density ? part_path(pieces, "part", piece) : NULL, true);
}

void pieces_free(char **words) {
    for (char **word = words + 1; *word; word++)
        free(*word);
    free(words);
}

/* --- files --- */

/* Sends a file and remembers it. */
static bool send_file(struct pieces *pieces, const char *path) {
    for (size_t i = 0; i < pieces->sent_count; i++)
        if (strcmp(pieces->sent[i], path) == 0)
            return true;
    char **more = realloc(pieces->sent, (pieces->sent_count + 1) * sizeof *more);
    if (more)
        pieces->sent = more;
    if (!more || !wire_send_file(path))
        return false;
    pieces->sent[pieces->sent_count++] = text_of("%s", path);
    return true;
}

/* Returns true for complete rings and parts of films: files under their last names. */
static bool is_complete(const char *name) {
    return name[0] != '.' && strncmp(name, "movie.", strlen("movie.")) != 0 &&
           !strstr(name, ".part") && !strstr(name, ".claim");
}

static bool send_folder(struct pieces *pieces) {
    bool ok = true;
    DIR *files = opendir(pieces->folder);
    for (struct dirent *entry; ok && files && (entry = readdir(files));) {
        if (!is_complete(entry->d_name))
            continue;
        char *path = text_of("%s/%s", pieces->folder, entry->d_name);
        ok = send_file(pieces, path);
        free(path);
    }
    if (files)
        closedir(files);
    return ok;
}

bool pieces_send(struct pieces *pieces, int piece, bool complete) {
    if (pieces->sees)
        return true;
    if (command_of(pieces) == COMMAND_MOVIE)
        return pieces->join || send_folder(pieces);
    if (!complete)
        return true;
    if (command_of(pieces) == COMMAND_DENSITY) {
        char *path = part_path(pieces, "part", piece);
        const bool ok = send_file(pieces, path);
        free(path);
        return ok;
    }
    const struct options *job = &pieces->jobs.each[piece];
    return send_file(pieces, job->output) && (!job->data || send_file(pieces, job->data)) &&
           (!job->smooth || send_file(pieces, job->smooth));
}

bool pieces_keep(const struct pieces *pieces, int piece) {
    if (command_of(pieces) != COMMAND_DENSITY)
        return true;
    char *part = part_path(pieces, "part", piece), *done = part_path(pieces, "done", piece);
    const bool ok = rename(part, done) == 0;
    if (!ok)
        log_error("cannot rename '%s' to '%s': %s", part, done, strerror(errno));
    free(part);
    free(done);
    return ok;
}

/* --- the end --- */

/* Runs a child to its end. Returns its exit status. */
static int run(char **words, bool quiet) {
    struct child child = {.words = words, .quiet = quiet};
    char said[CHILD_SAID];
    int status = 1;
    if (child_start(&child))
        while (!child_has_ended(&child, &status))
            wire_pause();
    child_said(&child, said);
    if (status != 0)
        fputs(said, stderr);
    pieces_free(words);
    return status;
}

/* Adds the parts of density. */
static int merge(const struct pieces *pieces, const char *sum) {
    char **words = calloc((size_t)pieces->count + 6, sizeof *words);
    size_t count = 1;
    if (!words) {
        log_error("not enough memory for a command line");
        return 1;
    }
    words[count++] = text_of("density");
    words[count++] = text_of("--merge");
    words[count++] = text_of("--output=%s", sum);
    for (int i = 0; i < pieces->count; i++)
        words[count++] = part_path(pieces, "done", i);
    return run(words, true);
}

/* Removes the parts, and moves their sum to its name. */
static int keep_sum(const struct pieces *pieces, const char *sum) {
    const char *resume = pieces->options->resume;
    if (resume && rename(sum, resume) != 0) {
        log_error("cannot rename '%s' to '%s': %s", sum, resume, strerror(errno));
        return 1;
    }
    unlink(sum);
    for (int i = 0; i < pieces->count; i++) {
        char *done = part_path(pieces, "done", i);
        unlink(done);
        free(done);
    }
    rmdir(pieces->folder);
    return 0;
}

int pieces_join(struct pieces *pieces) {
    if (command_of(pieces) == COMMAND_RENDER || pieces->join)
        return 0;
    if (command_of(pieces) == COMMAND_MOVIE) {
        work_folder_release(&pieces->work); /* the child uses it alone */
        return run(words_with(pieces, NULL, NULL, false), false);
    }
    char *sum = text_of("%s/" SUM, pieces->folder);
    int status = merge(pieces, sum);
    if (status == 0)
        status = run(words_with(pieces, NULL, text_of("%s", sum), false), false);
    if (status == 0)
        status = keep_sum(pieces, sum);
    free(sum);
    return status;
}
