/* Turns at launching: the most urgent of the pictures in flight on a device may launch. Launches in
 * flight are not interrupted. Any thread may call these functions. */
#ifndef FATHOM_GPU_TURNS_H
#define FATHOM_GPU_TURNS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define TURNS_RANKS 5

struct turns {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* number of pictures of each rank with launches to make; 0 is the highest */
    unsigned wanted[TURNS_RANKS];
    bool lost; /* the device is lost; no launch begins */
};

/* A picture's part in the turns. */
struct turn {
    struct turns *turns;
    int rank;
    bool wanted; /* has launches to make, since turn_begin */
};

void turns_init(struct turns *turns);
void turns_finish(struct turns *turns);
/* Sets *flag and wakes the waiting threads. */
void turns_stop(struct turns *turns, atomic_bool *flag);
/* Marks the device as lost. Returns true if it was not marked before. */
bool turns_mark_lost(struct turns *turns);
bool turns_are_lost(struct turns *turns);

/* Registers that the picture has launches to make, and waits while a more urgent picture has some,
 * until *stop is set. Returns false if the device is lost. */
bool turn_begin(struct turn *turn, const atomic_bool *stop);
/* Registers that the picture has nothing to launch. Must be called before waiting for the owner. */
void turn_end(struct turn *turn);

#endif
