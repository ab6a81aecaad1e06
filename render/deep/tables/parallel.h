/* Shares a loop among the machine's processors, for work of a millisecond or more that is done now and
 * then. Backends have pools of their own. */
#ifndef FATHOM_RENDER_DEEP_TABLES_PARALLEL_H
#define FATHOM_RENDER_DEEP_TABLES_PARALLEL_H

#include <stdint.h>

/* Calls part(user, begin, end) for all parts of [0, count), `size` long but for the last one, on
 * several threads if there are that many, and on the caller's; returns when all have. In any order. */
void parallel_for(uint32_t count, uint32_t size,
                  void (*part)(void *user, uint32_t begin, uint32_t end), void *user);

#endif
