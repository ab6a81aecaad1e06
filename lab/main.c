/* fathom-lab: the program behind `fathom lab`, `fathom bench` and `fathom classic`. It is separate
 * so that fathom does not contain the laboratory's kernels. */
#include "lab/request.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/standard_streams.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NOT_GIVEN INT64_MIN

static const struct row {
    const char *name;
    size_t offset; /* offset in struct lab_request */
    bool is_text;
    int64_t low, high; /* range of numbers */
} rows[] = {
#define ROW(name) {#name, offsetof(struct lab_request, name), true, 0, 0},
    LAB_REQUEST_TEXTS(ROW)
#undef ROW
#define ROW(name, low, high) {#name, offsetof(struct lab_request, name), false, low, high},
        LAB_REQUEST_NUMBERS(ROW) LAB_REQUEST_SETTINGS(ROW)
#undef ROW
};
#define ROWS (sizeof rows / sizeof *rows)

static bool take_number(const struct row *row, int64_t *number, const char *value) {
    char *end;
    errno = 0;
    const long long parsed = strtoll(value, &end, 10);
    if (end == value || *end || errno || parsed < row->low || parsed > row->high)
        return false;
    *number = parsed;
    return true;
}

static bool take_word(struct lab_request *request, const char *word) {
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; i < ROWS && word[length]; i++) {
        void *member = (char *)request + rows[i].offset;
        if (strlen(rows[i].name) != length || strncmp(rows[i].name, word, length) != 0)
            continue;
        if (!rows[i].is_text)
            return take_number(&rows[i], member, word + length + 1);
        *(const char **)member = word + length + 1;
        return true;
    }
    return false;
}

static bool is_complete(const struct lab_request *request) {
    for (size_t i = 0; i < ROWS; i++)
        if (!rows[i].is_text &&
            *(const int64_t *)((const char *)request + rows[i].offset) == NOT_GIVEN)
            return false;
    return true;
}

/* Parses the request; texts point into argv. Refuses a line of another version, or one that was
 * typed by hand, and logs that. */
static bool parse(struct lab_request *request, char **argv) {
    *request = (struct lab_request){0};
    for (size_t i = 0; i < ROWS; i++)
        if (!rows[i].is_text)
            *(int64_t *)((char *)request + rows[i].offset) = NOT_GIVEN;
    char **word = argv;
    if (*word && (request->command = *++word))
        word++;
    while (*word && strcmp(*word, "--") != 0 && take_word(request, *word))
        word++;
    if (!*word || strcmp(*word, "--") != 0 || !is_complete(request)) {
        log_error("fathom-lab is started by 'fathom lab', 'fathom bench' and 'fathom classic' of "
                  "the same version; it does not understand %s%s%s",
                  *word ? "'" : "a line that ends there", *word ? *word : "", *word ? "'" : "");
        return false;
    }
    request->arguments = word + 1;
    while (request->arguments[request->argument_count])
        request->argument_count++;
    return true;
}

static int run(const struct lab_request *request) {
    if (strcmp(request->command, "lab") == 0)
        return lab_command(request);
    if (strcmp(request->command, "bench") == 0)
        return bench_command(request);
    if (strcmp(request->command, "classic") == 0 && request->argument_count == 2)
        return classic_command(request);
    log_error("fathom-lab has no command '%s' with %d arguments", request->command,
              request->argument_count);
    return 2;
}

int main(int argc, char **argv) {
    struct lab_request request;
    (void)argc;
    standard_streams_hold();
    memory_watch();
    if (!parse(&request, argv))
        return 2;
    if (request.verbose)
        log_set_level(LOG_DEBUG);
    return standard_streams_finish(run(&request));
}
