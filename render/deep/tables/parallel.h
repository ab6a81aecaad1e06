/* Parallel loop over the machine's processors, for occasional work of a millisecond or more.
 * Backends have pools of their own. */
#ifndef FATHOM_RENDER_DEEP_TABLES_PARALLEL_H
#define FATHOM_RENDER_DEEP_TABLES_PARALLEL_H

#include <stdint.h>

/* Calls part(user, begin, end) for all parts of [0, count), each `size` long except the last, in
 * any order, on several threads if they can be started, and on the caller's. Returns when all calls
 * have returned. */
void parallel_for(uint32_t count, uint32_t size,
                  void (*part)(void *user, uint32_t begin, uint32_t end), void *user);

#endif
