/* Parallel loop over the machine's processors, for occasional work of a millisecond or more. All
 * loops share their threads, which end after a second without work. Backends have pools of their
 * own. */
#ifndef FATHOM_RENDER_PARALLEL_H
#define FATHOM_RENDER_PARALLEL_H

#include <stdint.h>

/* Calls part(user, begin, end) for all parts of [0, count), in any order. Each part has the length
 * `size`, except the last. The calls run on the caller's thread, and on further threads if these
 * can be started; those have the policy and the niceness of the caller. Returns when all calls have
 * returned. Any thread may call it, also inside of a loop. */
void parallel_for(uint32_t count, uint32_t size,
                  void (*part)(void *user, uint32_t begin, uint32_t end), void *user);

#endif
