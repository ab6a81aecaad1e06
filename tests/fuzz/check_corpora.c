/* Readers with their corpora and with mutations of them: none may crash, and a refusal costs one
 * line. The fuzzers (tests/fuzz) go further. */
#include "tests/fuzz/readers.h"
#include "tests/shared/mutate.h"
#include <glob.h>

#define EACH 100 /* mutations per file */

static void put_mutation(const char *data, size_t length, unsigned long long *seed) {
    char *mutant = malloc(length + 16);
    if (!mutant)
        exit(1);
    memcpy(mutant, data, length);
    file_put("mutant", mutant, mutate(mutant, length, length + 16, seed));
    free(mutant);
}

static bool try(const struct fuzz_reader *reader, const char *path) {
    log_start();
    const bool ok = reader->read(path);
    if (ok || log_ends_in_one_error())
        return ok;
    printf("%s: refused without one line that says why\n", reader->name);
    failures++;
    return ok;
}

/* Checks a file and its mutations. Returns true if the file itself was accepted. */
static bool check_file(const struct fuzz_reader *reader, const char *path) {
    size_t length = 0;
    unsigned long long seed = 0x9e3779b97f4a7c15u;
    char *data = file_read(path, 1 << 20, &length);
    CHECK(data);
    if (!data)
        return false;
    file_put("mutant", data, length);
    const bool taken = try(reader, "mutant");
    for (int i = 0; i < EACH; i++) {
        const int before = failures;
        put_mutation(data, length, &seed);
        try(reader, "mutant");
        if (failures > before)
            printf("mutation %d of %s\n", i, path);
    }
    free(data);
    return taken;
}

static void check_reader(const char *corpora, const struct fuzz_reader *reader) {
    char pattern[4096];
    int taken = 0;
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s/*", corpora, reader->name);
    if (glob(pattern, 0, NULL, &found) != 0) {
        printf("no files: %s\n", pattern);
        failures++;
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        taken += check_file(reader, found.gl_pathv[i]);
    if (taken == 0) {
        printf("%s: no file of the corpus was taken\n", reader->name);
        failures++;
    }
    globfree(&found);
}

int main(void) {
    char corpora[4000];
    const char *source = getenv("FATHOM_SOURCE");
    snprintf(corpora, sizeof corpora, "%s/tests/fuzz/corpus", source ? source : "..");
    for (const struct fuzz_reader *reader = fuzz_readers; reader->name; reader++)
        check_reader(corpora, reader);
    printf("%d failures\n", failures);
    return failures != 0;
}
