/* Big blocks of memory, checked against what is free: malloc promises more than there is, and the
 * program would be killed when it believes that. */
#ifndef FATHOM_RENDER_BASE_MEMORY_H
#define FATHOM_RENDER_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes that this process can still have: what the machine has free, without what it keeps of
 * files, and no more than its control groups (a container's, a service's; of either version) leave
 * it. UINT64_MAX: the system does not say. `root` is "", or where /proc and /sys are found
 * instead. */
uint64_t memory_available(const char *root);
/* Whether `bytes` are less than that. `what` they are for ("a picture of 65536x65536 pixels")
 * is named in the error that is logged when not. A few megabytes always fit. */
bool memory_fits(uint64_t bytes, const char *what);
/* Memory for free(), after memory_fits; large blocks have huge pages where the system has them.
 * NULL: logged why. */
void *memory_alloc(uint64_t bytes, const char *what);

/* From now on the program ends by memory_end, and without a core file, where there is no memory for a number of any
 * precision, for which GMP would abort; and its threads can end where there is none, which GNU's C library would
 * abort for. To be called first of all. */
void memory_watch(void);
/* Ends the program with a message and status 1, as there are not so many bytes (0: nobody said how many) for `what`.
 * For libraries that would crash otherwise. Any thread. */
void memory_end(size_t size, const char *what);
/* malloc, or that. */
void *memory_or_end(size_t size, const char *what);

#endif
