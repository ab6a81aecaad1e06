/* Memory: large blocks, checked against the free memory. malloc promises more than there is, and
 * the system would kill a program that uses it. */
#ifndef FATHOM_RENDER_BASE_MEMORY_H
#define FATHOM_RENDER_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the bytes that this process can still allocate: the machine's free memory without its
 * file cache, limited by the control groups (of a container or a service; versions 1 and 2).
 * UINT64_MAX if unknown. `root` is "", or a folder that contains replacements of /proc and /sys. */
uint64_t memory_available(const char *root);
/* Returns true if `bytes` are below the available memory; a few megabytes always fit. Otherwise
 * logs an error that names their purpose, `what` ("a picture of 65536x65536 pixels"). */
bool memory_fits(uint64_t bytes, const char *what);
/* Allocates memory for free(), after memory_fits. Large blocks use huge pages if the system has
 * them. Returns NULL on failure; the reason is logged. */
void *memory_alloc(uint64_t bytes, const char *what);

/* Makes the program end by memory_end, without a core file, if there is no memory for a
 * multiple-precision number: GMP would abort. Also lets threads end without memory, where GNU's C
 * library would abort. To be called first in main. */
void memory_watch(void);
/* Ends the program with a message and status 1, because `size` bytes (0: unknown) for `what` are
 * not available. For libraries that would crash otherwise. Any thread. */
void memory_end(size_t size, const char *what);
/* Returns malloc(size), or ends the program by memory_end. */
void *memory_or_end(size_t size, const char *what);

#endif
