/* Little memory: the free memory that the system reports, in a fake root folder; and every
 * allocation that fails once, each in a process of its own, in palettes and pictures. */
#define _GNU_SOURCE
#include "render/base/atomic_file.h"
#include "render/base/memory.h"
#include "render/files/image.h"
#include "render/palette.h"
#include "tests/shared/check.h"
#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIB (UINT64_C(1) << 30)

/* --- free memory --- */

static void put(const char *path, const char *text) {
    char folder[200];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        mkdir(folder, 0777);
    }
    file_put(path, text, strlen(text));
}

static bool is_available(const char *root, uint64_t bytes) {
    const uint64_t available = memory_available(root);
    if (available != bytes)
        printf("%s: %llu bytes, not %llu\n", root, (unsigned long long)available,
               (unsigned long long)bytes);
    return available == bytes;
}

static void check_machine(void) {
    CHECK(is_available("nothing", UINT64_MAX));
    put("m/proc/meminfo", "MemTotal: 16777216 kB\nMemFree: 1 kB\nMemAvailable:    4194304 kB\n"
                          "SwapTotal: 9 kB\nSwapFree:        1048576 kB\n");
    CHECK(is_available("m", 5 * GIB));
    put("m/proc/self/cgroup", "0::/\n");
    CHECK(is_available("m", 5 * GIB));
    put("m/proc/meminfo", "MemAvailable: x\n");
    CHECK(is_available("m", 0));
    CHECK(memory_fits(1 << 20, "little"));
    log_start();
    CHECK(!memory_fits(UINT64_C(1) << 60, "counts"));
    CHECK(log_is_one_line("not enough memory for counts: it takes 1073741824.0 GiB, and"));
}

/* Checks a container of a gigabyte, partly used by droppable file caches, within a larger
 * service. */
static void check_groups(void) {
    put("v2/proc/meminfo", "MemAvailable: 8388608 kB\n");
    put("v2/proc/self/cgroup", "0::/service/inner\n");
    put("v2/sys/fs/cgroup/service/memory.max", "3221225472\n");
    put("v2/sys/fs/cgroup/service/memory.current", "0\n");
    put("v2/sys/fs/cgroup/service/inner/memory.max", "max\n");
    put("v2/sys/fs/cgroup/service/inner/memory.current", "1000\n");
    CHECK(is_available("v2", 3 * GIB));
    put("v2/sys/fs/cgroup/memory.max", "2147483648\n");
    put("v2/sys/fs/cgroup/memory.current", "1610612736\n");
    CHECK(is_available("v2", GIB / 2));
    put("v2/sys/fs/cgroup/memory.stat", "anon 5\nfile 7\ninactive_file 536870912\n");
    CHECK(is_available("v2", GIB));
    put("v2/sys/fs/cgroup/memory.current", "99999999999\n");
    CHECK(is_available("v2", 0));

    put("v1/proc/meminfo", "MemAvailable: 8388608 kB\n");
    put("v1/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:hugetlb,memory:/docker/0123\n0::/\n");
    put("v1/sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
    put("v1/sys/fs/cgroup/memory/memory.usage_in_bytes", "3221225472\n");
    put("v1/sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 1073741824\n");
    CHECK(is_available("v1", 2 * GIB));
    put("v1/sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "1073741824\n");
    put("v1/sys/fs/cgroup/memory/docker/0123/memory.usage_in_bytes", "0\n");
    CHECK(is_available("v1", GIB));
}

/* --- allocations that fail --- */

#ifdef TEST_SANITIZED

static void check_failures(void) {
    puts("not tried: allocations that fail, as the sanitizer makes them itself");
}

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static int until_failure; /* number of allocations until the failing one; 0: none fails */

static bool fails(void) {
    if (until_failure == 0 || --until_failure > 0)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return fails() ? NULL : __libc_realloc(block, size);
}

enum outcome { OUTCOME_SAME, OUTCOME_REFUSED, OUTCOME_OTHER };

/* Tries palettes. They are read once in a process, so the parent must not read them. */
static enum outcome try_palettes(void) {
    static const char *const ids[] = {"aurora", "spectrum", "own", "zebra"};
    if (!palette_ready())
        return OUTCOME_REFUSED;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (!palette_find(ids[i]))
            return palette_ready() ? OUTCOME_OTHER : OUTCOME_REFUSED;
    return palette_count() == 16 ? OUTCOME_SAME : OUTCOME_OTHER;
}

static enum outcome try_picture(void) {
    struct image image;
    if (!image_read("a.png", &image))
        return OUTCOME_REFUSED;
    return image.rgba[5] == 0xff00ff05u ? OUTCOME_SAME : OUTCOME_OTHER;
}

static enum outcome try_comment(void) {
    FILE *file = file_open("a.png");
    char *comment = file ? image_comment(file, "a.png") : NULL;
    return !comment                        ? OUTCOME_REFUSED
           : strcmp(comment, "words") == 0 ? OUTCOME_SAME
                                           : OUTCOME_OTHER;
}

static enum outcome try_writing(void) {
    const uint32_t pixel = 0;
    return image_write("b.png", IMAGE_PNG, &pixel, 1, 1, "words") ? OUTCOME_SAME : OUTCOME_REFUSED;
}

/* Returns the exit status of a process in which allocation number `at` fails; its message is in the
 * log. */
static int try_alone(enum outcome (*attempt)(void), int at) {
    int status;
    log_start();
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        until_failure = at;
        const enum outcome outcome = attempt();
        until_failure = 0;
        fflush(stderr);
        _exit((int)outcome);
    }
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

static bool logged_anything(void) {
    struct stat status;
    return stat(LOG_FILE, &status) == 0 && status.st_size > 0;
}

/* Fails each allocation in turn, until 20 in a row do not matter; some must matter. */
static void check_each(enum outcome (*attempt)(void), const char *name) {
    int refused = 0, at = 1, silent = 0;
    for (int same = 0; same < 20 && at < 5000; at++) {
        const int status = try_alone(attempt, at);
        const bool ended = WIFEXITED(status);
        if (!ended || WEXITSTATUS(status) == OUTCOME_OTHER) {
            printf("%s: when allocation %d fails: %s\n", name, at,
                   ended ? "something else comes of it" : "the process dies");
            failures++;
        }
        const bool refusal = ended && WEXITSTATUS(status) == OUTCOME_REFUSED;
        silent += refusal && !logged_anything();
        refused += refusal;
        same = ended && WEXITSTATUS(status) == OUTCOME_SAME ? same + 1 : 0;
    }
    printf("%s: %d allocations, %d of which matter\n", name, at - 21, refused);
    CHECK(refused > 0 && silent == 0 && at < 5000);
}

static void check_failures(void) {
    static uint32_t rgba[64];
    const char stops[] = "[palette]\ncolours = #000000 #ffffff\n";
    char here[3000], path[3100];
    CHECK(getcwd(here, sizeof here) != NULL);
    snprintf(path, sizeof path, "%s/data", here);
    setenv("XDG_DATA_HOME", path, 1);
    put("data/fathom/palettes/own.palette", stops);
    put("data/fathom/palettes/zebra.palette", stops);
    for (uint32_t i = 0; i < 64; i++)
        rgba[i] = 0xff00ff00u + i;
    CHECK(image_write("a.png", IMAGE_PNG, rgba, 8, 8, "words"));
    check_each(try_palettes, "palettes");
    check_each(try_picture, "a picture");
    check_each(try_comment, "a picture's text");
    check_each(try_writing, "writing a picture");
}

#endif

int main(void) {
    CHECK(system("rm -rf nothing m v1 v2 data") == 0);
    check_machine();
    check_groups();
    check_failures();
    printf("%d failures\n", failures);
    return failures != 0;
}
