/* Entry of libFuzzer: its input becomes a file in memory for the reader FUZZ_READER. */
#define _GNU_SOURCE
#include "tests/fuzz/readers.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fuzz_reader *find_reader(void) {
    const struct fuzz_reader *reader = fuzz_readers;
    while (reader->name && strcmp(reader->name, FUZZ_READER) != 0)
        reader++;
    if (!reader->name)
        abort();
    return reader;
}

/* Creates the links that some readers need, in the current folder. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    find_reader();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[40];
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    find_reader()->read(path);
    close(fd);
    return 0;
}
