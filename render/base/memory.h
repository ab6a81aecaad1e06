/* Big blocks of memory, checked against what is free: malloc promises more than there is, and the
 * program would be killed when it believes that. */
#ifndef FATHOM_RENDER_BASE_MEMORY_H
#define FATHOM_RENDER_BASE_MEMORY_H

#include <stdbool.h>
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

/* From now on the program ends with a message and status 1, and without a core file, where there is
 * no memory for a number of any precision: GMP asks for it, and would abort. To be called before the
 * first number is made. */
void memory_watch_numbers(void);

#endif
