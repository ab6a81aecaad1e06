/* Big blocks of memory, checked against what the machine has: malloc promises more than there is,
 * and the program would be killed when it believes that. */
#ifndef FATHOM_RENDER_MEMORY_H
#define FATHOM_RENDER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Whether so many bytes are less than the machine's memory. `what` they are for ("a picture of
 * 65536x65536 pixels") is named in the error that is logged when not. */
bool memory_fits(uint64_t bytes, const char *what);
/* malloc after memory_fits. NULL: logged why. */
void *memory_alloc(uint64_t bytes, const char *what);

#endif
