/* Whose turn it is to launch, of the pictures in flight on one device: the most urgent's that has
 * something to launch. What is in flight then is let finish. Any thread. */
#ifndef FATHOM_GPU_TURNS_H
#define FATHOM_GPU_TURNS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define TURNS_RANKS 5

struct turns {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned
        wanted[TURNS_RANKS]; /* by how many pictures of each rank, the lowest the most urgent */
    bool lost;               /* the device is: nothing is launched any more */
};

/* A picture's part. */
struct turn {
    struct turns *turns;
    int rank;
    bool wanted; /* since the last turn_end */
};

void turns_init(struct turns *turns);
void turns_finish(struct turns *turns);
/* Sets *flag for threads that wait. */
void turns_stop(struct turns *turns, atomic_bool *flag);
/* The device is lost. True: that is news. */
bool turns_lose(struct turns *turns);
bool turns_lost(struct turns *turns);

/* Wants to launch from now on; waits while a more urgent picture does, until *stop is set. False:
 * the device is lost. */
bool turn_begin(struct turn *turn, const atomic_bool *stop);
/* There is nothing to launch, for now or for good. To be called before waiting for the owner. */
void turn_end(struct turn *turn);

#endif
