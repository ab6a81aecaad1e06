/* Memory: allocates large blocks only if the system has enough free memory, which malloc does not
 * check. */
#define _DEFAULT_SOURCE /* madvise */
#include "render/base/memory.h"
#include "render/base/log.h"
#include <execinfo.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GIB       (1024.0 * 1024 * 1024)
#define SMALL     (UINT64_C(16) << 20) /* [bytes] blocks up to this size are not checked */
#define HUGE_PAGE ((size_t)2 << 20)
#define PATH_SIZE 4096
#define LINE_SIZE 4096

/* Files of control groups, versions 2 and 1. */
static const struct layout {
    const char *controller, *folder, *limit, *used, *idle;
} layouts[] = {
    {"", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
};

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Opens a file of the system. Returns NULL on failure. */
static FILE *open_in(const char *root, const char *folder, const char *name) {
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    return length < (int)sizeof path ? fopen(path, "re") : NULL;
}

/* Returns the number after a word at the start of a line, or, if the word is "", the only number of
 * a file. Returns UINT64_MAX if there is no number, only "max" or the like. */
static uint64_t entry_in(const char *root, const char *folder, const char *name, const char *word) {
    char line[LINE_SIZE];
    uint64_t number = UINT64_MAX;
    const size_t length = strlen(word);
    FILE *file = open_in(root, folder, name);
    while (file && number == UINT64_MAX && fgets(line, sizeof line, file))
        if (strncmp(line, word, length) == 0 && (!*word || strchr(": ", line[length]))) {
            char *end, *begin = line + length + (*word != '\0');
            number = strtoull(begin, &end, 10);
            number = *word || end > begin ? number : UINT64_MAX;
        }
    if (file)
        fclose(file);
    return number;
}

/* Returns true if a line "4:cpu,memory:/path" belongs to the controller; *path becomes its path. */
static bool is_of(char *line, const char *controller, char **path) {
    char *names = strchr(line, ':');
    char *end = names ? strchr(names + 1, ':') : NULL;
    if (!end)
        return false;
    *end = '\0';
    *path = end + 1;
    (*path)[strcspn(*path, "\n")] = '\0';
    for (char *rest = NULL, *name = strtok_r(names + 1, ",", &rest); name;
         name = strtok_r(NULL, ",", &rest))
        if (strcmp(name, controller) == 0)
            return true;
    return !*controller && end == names + 1;
}

/* Returns the rest of a group's limit [bytes]; cached files that can be dropped count as free. */
static uint64_t left_in_group(const char *root, const char *folder, const struct layout *layout) {
    const uint64_t limit = entry_in(root, folder, layout->limit, "");
    const uint64_t used = entry_in(root, folder, layout->used, "");
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t idle = entry_in(root, folder, "memory.stat", layout->idle);
    const uint64_t busy = used - least(used, idle == UINT64_MAX ? 0 : idle);
    return limit - least(limit, busy);
}

/* Returns the least rest of the groups from `path` to the root. In a container, that is not the
 * host's root. */
static uint64_t left_in_groups(const char *root, const struct layout *layout, char *path) {
    uint64_t left = UINT64_MAX;
    for (char *end = path + strlen(path);; *end = '\0') {
        char folder[PATH_SIZE];
        if (snprintf(folder, sizeof folder, "%s%s", layout->folder, path) < (int)sizeof folder)
            left = least(left, left_in_group(root, folder, layout));
        end = strrchr(path, '/');
        if (!end)
            return left;
    }
}

static uint64_t left_of_limits(const char *root) {
    char line[LINE_SIZE];
    uint64_t left = UINT64_MAX;
    FILE *file = open_in(root, "/proc/self", "cgroup");
    while (file && fgets(line, sizeof line, file))
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
            char copy[LINE_SIZE], *path = NULL;
            memcpy(copy, line, sizeof copy);
            if (is_of(copy, layouts[i].controller, &path))
                left = least(left, left_in_groups(root, &layouts[i], path));
        }
    if (file)
        fclose(file);
    return left;
}

uint64_t memory_available(const char *root) {
    const uint64_t free_kib = entry_in(root, "/proc", "meminfo", "MemAvailable");
    const uint64_t swap_kib = entry_in(root, "/proc", "meminfo", "SwapFree");
    const bool known = free_kib < UINT64_MAX >> 11;
    const uint64_t swap = known && swap_kib < UINT64_MAX >> 11 ? swap_kib : 0;
    return least(known ? (free_kib + swap) << 10 : UINT64_MAX, left_of_limits(root));
}

bool memory_fits(uint64_t bytes, const char *what) {
    const uint64_t available = bytes > SMALL ? memory_available("") : UINT64_MAX;
    if (bytes < available)
        return true;
    log_error("not enough memory for %s: it takes %.1f GiB, and %.1f GiB are free", what,
              (double)bytes / GIB, (double)available / GIB);
    return false;
}

void *memory_alloc(uint64_t bytes, const char *what) {
    if (!memory_fits(bytes, what))
        return NULL;
    const bool huge = bytes >= 2 * HUGE_PAGE;
    void *memory = huge ? aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE)
                        : malloc(bytes > 0 ? bytes : 1);
    if (!memory)
        log_error("not enough memory for %s: it takes %.1f GiB", what, (double)bytes / GIB);
    else if (huge)
        madvise(memory, bytes, MADV_HUGEPAGE); /* new pages arrive 512 at a time */
    return memory;
}

/* --- libraries that cannot handle a failed allocation --- */

void memory_end(size_t size, const char *what) {
    if (size > 0)
        log_error("not enough memory: cannot allocate %zu bytes for %s", size, what);
    else
        log_error("not enough memory for %s", what);
    fflush(stderr);
    _exit(1); /* no partial file remains: unnamed files end with the process */
}

void *memory_or_end(size_t size, const char *what) {
    void *memory = malloc(size);
    if (!memory && size > 0)
        memory_end(size, what);
    return memory;
}

static void *allocate(size_t size) {
    return memory_or_end(size, "a number");
}

static void *reallocate(void *old, size_t old_size, size_t size) {
    (void)old_size;
    void *memory = realloc(old, size);
    if (!memory)
        memory_end(size, "a number");
    return memory;
}

static void release(void *memory, size_t size) {
    (void)size;
    free(memory);
}

void memory_watch(void) {
    void *frame;
    /* Loads the unwinder, which pthread_exit of OpenMP's threads would otherwise load at exit. */
    backtrace(&frame, 1);
    mp_set_memory_functions(allocate, reallocate, release);
}
