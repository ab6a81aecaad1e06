/* Readers of files from outside in a common form, for the fuzzers and for check_corpora. */
#ifndef FATHOM_TESTS_FUZZ_READERS_H
#define FATHOM_TESTS_FUZZ_READERS_H

#include <stdbool.h>

struct fuzz_reader {
    const char *name; /* also the name of its folder in tests/fuzz/corpus */
    /* Reads the file and frees the result. Returns false if it is refused. Aborts if the result is
     * not sound. */
    bool (*read)(const char *path);
    bool lenient; /* errors cause warnings; nothing is refused */
};

/* The last reader has no name. */
extern const struct fuzz_reader fuzz_readers[];

#endif
