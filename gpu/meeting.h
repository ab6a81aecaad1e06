/* Where the owner's thread and the driver's thread meet: one lock and a condition for each side. */
#ifndef FATHOM_GPU_MEETING_H
#define FATHOM_GPU_MEETING_H

#include <pthread.h>
#include <stdbool.h>

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t work; /* the driver's thread waits for it */
    pthread_cond_t news; /* the owner's thread waits for it */
};

void meeting_init(struct meeting *meeting);
void meeting_finish(struct meeting *meeting);

/* Waits for news, under the lock; false: it is `until_ms` by clock_ms. */
bool meeting_wait_news(struct meeting *meeting, double until_ms);

#endif
