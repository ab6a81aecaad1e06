/* Waiting with a time limit. */
#include "gpu/meeting.h"
#include <errno.h>
#include <time.h>

void meeting_init(struct meeting *meeting) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&meeting->lock, NULL);
    pthread_cond_init(&meeting->work, NULL);
    pthread_cond_init(&meeting->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void meeting_finish(struct meeting *meeting) {
    pthread_cond_destroy(&meeting->news);
    pthread_cond_destroy(&meeting->work);
    pthread_mutex_destroy(&meeting->lock);
}

bool meeting_wait_news(struct meeting *meeting, double until_ms) {
    struct timespec until;
    until.tv_sec = (time_t)(until_ms / 1e3);
    until.tv_nsec = (long)((until_ms - (double)until.tv_sec * 1e3) * 1e6);
    return pthread_cond_timedwait(&meeting->news, &meeting->lock, &until) != ETIMEDOUT;
}
