/* fathom-mpi: draws a movie, pictures or a Buddhabrot with the ranks of MPI, which need no common
 * folder. Rank 0 owns the folder of the results. It hands out pieces, receives their files, stores
 * each file by rename, and joins them. The same line continues a run that ended early. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "app/mpi/child.h"
#include "app/mpi/pieces.h"
#include "app/mpi/wire.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/standard_streams.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_PIECE   (-1)
#define LOOK_MS    500.0 /* interval between two looks for finished rings */
#define WRONG_LINE 2     /* exit status of a wrong command line */

static const char help[] =
    "mpirun --bind-to none -np N fathom-mpi movie|render|density ARGUMENTS\n"
    "\n"
    "Draws with N processes of MPI, on any machines, what 'fathom' draws with the same\n"
    "arguments. Rank 0 gets the files. The machines need no common folder, but each needs\n"
    "the same version of fathom and the views that the arguments name. The same line\n"
    "continues a run that has ended early. 'fathom help movie' lists the arguments.\n";

/* Result of a rank's last piece. */
struct report {
    int piece, status; /* NO_PIECE: there was none */
    char said[CHILD_SAID];
};

/* A rank's own piece on its way. */
struct worker {
    struct pieces *pieces;
    struct child child;
    struct report report;
    double looked_ms;
};

enum state { OPEN, RUNNING, DONE, FAILED };

/* State of all ranks and pieces, at rank 0. */
struct front {
    struct worker own;
    int ranks, running, ended, done;
    bool *waiting; /* ranks without a piece */
    enum state *state;
    int *failed_at;  /* rank at which a piece has failed; -1: none */
    bool stop;       /* no more pieces are handed out */
    bool wrong_line; /* a command line was wrong */
    char said[CHILD_SAID];
};

/* --- a piece --- */

static void start_piece(struct worker *worker, int piece) {
    worker->report = (struct report){.piece = piece, .status = 1};
    worker->child = (struct child){.words = pieces_words(worker->pieces, piece), .quiet = true};
    child_start(&worker->child);
    worker->looked_ms = clock_ms();
}

/* Returns true once the piece has ended, with its report; sends its files. */
static bool has_ended(struct worker *worker) {
    struct report *report = &worker->report;
    if (worker->child.process > 0 && !child_has_ended(&worker->child, &report->status)) {
        if (clock_ms() - worker->looked_ms < LOOK_MS)
            return false;
        pieces_send(worker->pieces, report->piece, false);
        worker->looked_ms = clock_ms();
        return false;
    }
    child_said(&worker->child, report->said);
    pieces_free(worker->child.words);
    worker->child = (struct child){0};
    if (report->status == 0 && !pieces_send(worker->pieces, report->piece, true))
        report->status = 1;
    return true;
}

/* Makes pieces until rank 0 has no more. */
static void work(struct pieces *pieces) {
    struct worker worker = {.pieces = pieces, .report = {.piece = NO_PIECE}};
    for (int piece;;) {
        wire_send(&worker.report, sizeof worker.report, 0, WIRE_REPORT);
        wire_receive(&piece, sizeof piece, 0, WIRE_PIECE);
        if (piece == NO_PIECE)
            break;
        start_piece(&worker, piece);
        while (!has_ended(&worker))
            wire_pause();
    }
    if (pieces->sees) /* rank 0 joins the movie alone */
        work_folder_release(&pieces->work);
}

/* --- rank 0 --- */

/* Shows the messages of a piece, unless they are those of the piece before, or only report what
 * rank 0 reports at the end. */
static void show(struct front *front, int rank, const struct report *report) {
    const struct pieces *pieces = front->own.pieces;
    const bool picture = pieces->options->command == COMMAND_RENDER && !pieces->join;
    if (report->status != 0 && !*report->said)
        log_error("rank %d: the process of a piece has ended without a message", rank);
    if ((report->status == 0 && !picture) || strcmp(report->said, front->said) == 0)
        return;
    strcpy(front->said, report->said);
    fputs(report->said, stderr);
}

static void take_report(struct front *front, int rank, const struct report *report) {
    const int piece = report->piece;
    front->waiting[rank] = true;
    if (piece == NO_PIECE)
        return;
    const bool ok =
        report->status == 0 && !(front->stop && rank > 0) && pieces_keep(front->own.pieces, piece);
    const bool again = !ok && !front->own.pieces->join && front->ranks > 1 &&
                       report->status != WRONG_LINE && front->failed_at[piece] < 0;
    show(front, rank, report);
    front->running--;
    front->done += ok;
    front->state[piece] = ok ? DONE : again ? OPEN : FAILED;
    front->failed_at[piece] = ok ? -1 : rank;
    front->wrong_line |= report->status == WRONG_LINE;
    front->stop |= front->wrong_line;
}

/* Takes a message, if there is one. */
static bool take_message(struct front *front) {
    MPI_Status status;
    int arrived;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &status);
    if (!arrived)
        return false;
    struct report report;
    if (status.MPI_TAG == WIRE_FILE) {
        front->stop |= !wire_receive_file(status.MPI_SOURCE);
    } else {
        wire_receive(&report, sizeof report, status.MPI_SOURCE, WIRE_REPORT);
        take_report(front, status.MPI_SOURCE, &report);
    }
    return true;
}

/* Returns an open piece for a rank: its own, or the first one that has not failed there. */
static int choose(const struct front *front, int rank) {
    const int count = front->own.pieces->count;
    for (int i = 0; !front->stop && i < count; i++) {
        const int piece = (rank + i) % count;
        if (front->state[piece] == OPEN && front->failed_at[piece] != rank)
            return piece;
    }
    return NO_PIECE;
}

/* Gives a rank without a piece one, or the end once nothing can fail any more. */
static void give(struct front *front, int rank) {
    const int piece = choose(front, rank);
    if (piece == NO_PIECE && front->running > 0)
        return;
    front->waiting[rank] = false;
    front->ended += piece == NO_PIECE;
    if (piece != NO_PIECE) {
        front->state[piece] = RUNNING;
        front->running++;
    }
    if (rank > 0)
        wire_send(&piece, sizeof piece, rank, WIRE_PIECE);
    else if (piece != NO_PIECE)
        start_piece(&front->own, piece);
}

static void hand_out(struct front *front) {
    struct worker *own = &front->own;
    front->waiting[0] = true;
    while (front->ended < front->ranks) {
        const bool any = take_message(front);
        if (own->child.words && has_ended(own))
            take_report(front, 0, &own->report);
        for (int rank = 0; rank < front->ranks; rank++)
            if (front->waiting[rank])
                give(front, rank);
        if (!any)
            wire_pause();
    }
}

/* Returns the exit status of everything. */
static int direct(struct pieces *pieces, int ranks) {
    const size_t count = (size_t)pieces->count;
    struct front front = {.own = {.pieces = pieces}, .ranks = ranks};
    front.waiting = calloc((size_t)ranks, sizeof *front.waiting);
    front.state = calloc(count, sizeof *front.state);
    front.failed_at = calloc(count, sizeof *front.failed_at);
    if (!front.waiting || !front.state || !front.failed_at) {
        log_error("not enough memory for so many pieces");
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    for (int i = 0; i < pieces->count; i++) {
        front.failed_at[i] = -1;
        front.state[i] = pieces_has(pieces, i) ? DONE : OPEN;
        front.done += front.state[i] == DONE;
    }
    hand_out(&front);
    const bool ok = pieces->join ? front.done > 0 : front.done == pieces->count;
    if (!ok && !front.wrong_line)
        log_error("%d of %d pieces are missing; the same line makes them, and keeps the others",
                  pieces->count - front.done, pieces->count);
    free(front.waiting);
    free(front.state);
    free(front.failed_at);
    return ok ? pieces_join(pieces) : front.wrong_line ? WRONG_LINE : 1;
}

/* --- everything --- */

/* Warns if ranks may use one processor of many, the default of mpirun for two ranks. */
static void warn_if_bound(int rank, int ranks) {
    cpu_set_t set;
    const bool bound = sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 &&
                       sysconf(_SC_NPROCESSORS_ONLN) > 1;
    const int all = wire_sum(bound);
    if (rank == 0 && all > 0)
        log_warn("%d of %d ranks may use only one processor of their machine each: give mpirun "
                 "--bind-to none",
                 all, ranks);
}

/* Parses the command line: first at rank 0, which logs what is wrong for all. */
static bool parse(struct options *options, int argc, char **argv, int rank) {
    bool ok = rank > 0 || (options_parse(options, argc, argv) && pieces_possible(options));
    wire_share(&ok, sizeof ok);
    ok = ok && (rank == 0 || options_parse(options, argc, argv));
    return wire_sum(!ok) == 0;
}

static int run(int argc, char **argv, int rank, int ranks) {
    struct options options;
    struct pieces pieces;
    char **words = calloc((size_t)argc + 1, sizeof *words); /* parsing moves those of argv */
    int status = WRONG_LINE;
    if (words)
        memcpy(words, argv, (size_t)argc * sizeof *words);
    if (words && parse(&options, argc, argv, rank)) {
        warn_if_bound(rank, ranks);
        status = 1;
        const bool ok = pieces_init(&pieces, &options, words, ranks);
        if (ok && rank == 0)
            status = direct(&pieces, ranks);
        else if (ok)
            work(&pieces);
        wire_share(&status, sizeof status);
        pieces_finish(&pieces, status == 0);
        options_finish(&options);
    }
    free(words);
    return status;
}

int main(int argc, char **argv) {
    int rank, ranks, status = 0;
    standard_streams_hold();
    memory_watch();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1 && strcmp(argv[1], "--version") == 0 && rank == 0)
        puts("fathom-mpi " FATHOM_VERSION);
    else if ((argc < 2 || strcmp(argv[1], "--help") == 0) && rank == 0)
        fputs(help, stdout);
    if (argc > 1 && strcmp(argv[1], "--version") != 0 && strcmp(argv[1], "--help") != 0)
        status = run(argc, argv, rank, ranks);
    wire_sum(0); /* MPI_Finalize would spin */
    MPI_Finalize();
    return standard_streams_finish(status);
}
