/* Every reader of files from outside, in one form, for the fuzzers and for check_corpora. */
#ifndef FATHOM_TESTS_FUZZ_READERS_H
#define FATHOM_TESTS_FUZZ_READERS_H

#include <stdbool.h>

struct fuzz_reader {
    const char *name; /* also of its folder in tests/fuzz/corpus */
    /* Reads the file and gives back all it got. False: refused. Checks that what it got is sound,
     * and aborts when not. */
    bool (*read)(const char *path);
    bool lenient; /* what is wrong costs warnings; nothing is refused */
};

/* The last one has no name. */
extern const struct fuzz_reader fuzz_readers[];

#endif
