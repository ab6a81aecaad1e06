/* Crew: threads that share each step of an orbit with the caller's thread. A step takes a few
 * microseconds, so helpers wait for work by spinning, and sleep after a long pause. They run only
 * on processors that have nothing else to do (SCHED_IDLE). The crew measures now and then whether
 * steps are faster with one thread, two or three, and the caller makes a step again, alone, if a
 * helper is late.
 *
 * A task is the caller's memory with the operands and the results of a step. Its parts, 1 ..
 * threads - 1, write different members. */
#ifndef FATHOM_RENDER_DEEP_CREW_H
#define FATHOM_RENDER_DEEP_CREW_H

#include <stdbool.h>

struct crew;

#define CREW_MOST 3 /* threads, with the caller's */

/* Returns how many threads an orbit may use: at most `asked`, if that is positive, and one for each
 * processor that this process may use. */
unsigned crew_threads(int asked);

/* Starts `threads` - 1 helpers, at most CREW_MOST - 1, which call work(task, part). Returns NULL if
 * none are to be started, or none can be started: the caller works alone then. Takes about 30 us
 * for each. */
struct crew *crew_create(unsigned threads, void (*work)(void *task, unsigned part));
/* Sends the helpers away without waiting for them. The last one, or this function, calls gone(user)
 * to free the memory of tasks. NULL calls it at once. */
void crew_leave(struct crew *crew, void (*gone)(void *user), void *user);

/* Returns how many threads should make the next step, 1 .. most, with the caller's; to be called
 * once a step. Wakes helpers that it may need soon. */
unsigned crew_next(struct crew *crew, unsigned most);
/* Offers the parts 1 .. count - 1 of a task, where `count` is the result of crew_next. */
void crew_offer(struct crew *crew, void *task, unsigned count);
/* Waits at most `patience_ns` [ns] until the offered parts are done. Returns true if they are.
 * Otherwise a helper is late, and the caller may read the task but must not write to it while
 * crew_holds. */
bool crew_finish(struct crew *crew, long patience_ns);
/* Returns true if a late helper still works at a task. Each helper holds one at most. */
bool crew_holds(const struct crew *crew, const void *task);

#endif
