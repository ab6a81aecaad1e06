/* Memory that is asked for only when the machine can have it. */
#include "render/memory.h"
#include "render/log.h"
#include <stdlib.h>
#include <unistd.h>

#define GIB (1024.0 * 1024 * 1024)

bool memory_fits(uint64_t bytes, const char *what) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return true;
    const uint64_t total = (uint64_t)pages * (uint64_t)page;
    if (bytes < total)
        return true;
    log_error("not enough memory for %s: it takes %.1f GiB, this machine has %.1f GiB", what,
              (double)bytes / GIB, (double)total / GIB);
    return false;
}

void *memory_alloc(uint64_t bytes, const char *what) {
    if (!memory_fits(bytes, what))
        return NULL;
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (!memory)
        log_error("not enough memory for %s: it takes %.1f GiB", what, (double)bytes / GIB);
    return memory;
}
