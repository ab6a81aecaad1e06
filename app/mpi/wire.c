/* Wire: waits for requests of MPI without spinning, and sends files in chunks, whose sizes are
 * int. */
#include "app/mpi/wire.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define CHUNK    (1 << 18) /* [bytes] */
#define PAUSE_NS 1000000
#define TESTS    32 /* tests before a pause: a chunk needs several */

/* Announces a file. The end of a rank's files has no path. */
struct announcement {
    uint64_t bytes;
    char path[PATH_MAX];
};

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

int wire_sum(int number) {
    MPI_Request request;
    int sum = 0;
    MPI_Iallreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    await(&request);
    return sum;
}

bool wire_send_file(const char *path, const char *as) {
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

void wire_send_end(void) {
    put(&(struct announcement){0}, sizeof(struct announcement));
}

bool wire_receive_file(int rank, bool *ok) {
    struct announcement file;
    char chunk[CHUNK], folder[PATH_MAX];
    size_t size = 1;
    get(&file, sizeof file, rank);
    file.path[sizeof file.path - 1] = '\0';
    if (!*file.path)
        return false;
    user_folder_make_or_log(dirname(memcpy(folder, file.path, PATH_MAX)));
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
