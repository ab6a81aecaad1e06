/* Wire: calls of MPI that do not block. Files travel in pieces, because counts are int. */
#include "app/mpi/wire.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PIECE_BYTES (1 << 22)
#define PAUSE_NS    1000000
#define TESTS       32 /* before a pause: a message of some megabytes needs several */

/* Announces a file. */
struct announcement {
    uint64_t bytes;
    char path[PATH_MAX];
};

void wire_pause(void) {
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

void wire_await(MPI_Request *request) {
    int done = 0;
    for (int tests = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done;)
        if (++tests % TESTS == 0)
            wire_pause();
}

void wire_send(const void *data, int bytes, int rank, enum wire_tag tag) {
    MPI_Request request;
    MPI_Isend(data, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &request);
    wire_await(&request);
}

void wire_receive(void *data, int bytes, int rank, enum wire_tag tag) {
    MPI_Request request;
    MPI_Irecv(data, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &request);
    wire_await(&request);
}

void wire_share(void *data, int bytes) {
    MPI_Request request;
    MPI_Ibcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wire_await(&request);
}

int wire_sum(int number) {
    MPI_Request request;
    int sum = 0;
    MPI_Iallreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    wire_await(&request);
    return sum;
}

/* Returns the size of the next piece. */
static int piece_of(uint64_t left) {
    return left < PIECE_BYTES ? (int)left : PIECE_BYTES;
}

bool wire_send_file(const char *path) {
    struct announcement file = {0};
    FILE *stream = file_open(path);
    char *piece = malloc(PIECE_BYTES);
    bool ok = stream && piece && strlen(path) < sizeof file.path;
    if (ok) {
        strcpy(file.path, path);
        file.bytes = file_length(stream);
        wire_send(&file, sizeof file, 0, WIRE_FILE);
    }
    for (uint64_t left = ok ? file.bytes : 0; left > 0; left -= (uint64_t)piece_of(left)) {
        const size_t size = (size_t)piece_of(left);
        ok = ok && fread(piece, 1, size, stream) == size;
        wire_send(piece, ok ? (int)size : 0, 0, WIRE_BYTES); /* an empty piece: it has failed */
        if (!ok)
            break;
    }
    if (!ok)
        log_error("cannot send '%s' to rank 0: %s", path, strerror(errno));
    if (stream)
        fclose(stream);
    free(piece);
    return ok;
}

/* Receives the pieces of a file, also those that cannot be stored. */
static bool receive_pieces(FILE *to, uint64_t left, int rank) {
    char *piece = malloc(PIECE_BYTES);
    bool ok = to;
    if (!piece) {
        log_error("not enough memory for a file of rank %d", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return false;
    }
    while (left > 0) {
        MPI_Status status;
        int arrived, bytes;
        while (MPI_Iprobe(rank, WIRE_BYTES, MPI_COMM_WORLD, &arrived, &status), !arrived)
            wire_pause();
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        wire_receive(piece, PIECE_BYTES, rank, WIRE_BYTES);
        ok = ok && bytes > 0 && fwrite(piece, 1, (size_t)bytes, to) == (size_t)bytes;
        if (bytes <= 0)
            break;
        left -= (uint64_t)bytes < left ? (uint64_t)bytes : left;
    }
    free(piece);
    return ok;
}

bool wire_receive_file(int rank) {
    struct announcement file;
    wire_receive(&file, sizeof file, rank, WIRE_FILE);
    file.path[sizeof file.path - 1] = '\0';
    struct atomic_file *to = atomic_file_open(file.path, false);
    if (to)
        atomic_file_mark_expendable(to);
    if (receive_pieces(to ? atomic_file_stream(to) : NULL, file.bytes, rank))
        return atomic_file_commit(to, NULL);
    if (to)
        atomic_file_abandon(to);
    return false;
}
