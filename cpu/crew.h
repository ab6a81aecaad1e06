/* The workers: threads of one long-lived OpenMP region, which sleep while there is nothing to do, and a
 * lock between them and the owner that is only held to hand work over. */
#ifndef FATHOM_CPU_CREW_H
#define FATHOM_CPU_CREW_H

#include "cpu/work.h"

struct crew;

/* `scratch_size`: of the kinds' the largest, for each of them. NULL: logged why. */
struct crew *crew_create(int threads, bool low_priority, size_t scratch_size);
/* Stops, and waits for the threads. */
void crew_destroy(struct crew *crew);

/* From here on they work on that, of which the caller keeps a reference until crew_stop. */
void crew_start(struct crew *crew, struct work *work);
/* Nobody begins with it any more. Waits for nobody. */
void crew_stop(struct crew *crew);
/* There is something to do again for those who found nothing. */
void crew_call(struct crew *crew);

/* Takes work's source away from it; the caller gets its reference. */
struct work *crew_take_source(struct crew *crew, struct work *work);
/* A reference to work, or to its source where `older` and there is one. */
struct work *crew_ref(struct crew *crew, struct work *work, bool older);

/* Sleeps until news(user), which workers' steps bring about, or until the time is up. */
void crew_wait(struct crew *crew, bool (*news)(const void *user), const void *user,
               double budget_ms);

#endif
