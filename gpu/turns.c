/* Turns: less urgent pictures wait between two launches while more urgent pictures have launches to
 * make. */
#include "gpu/turns.h"

void turns_init(struct turns *turns) {
    *turns = (struct turns){.wanted = {0}};
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->changed, NULL);
}

void turns_finish(struct turns *turns) {
    pthread_cond_destroy(&turns->changed);
    pthread_mutex_destroy(&turns->lock);
}

void turns_stop(struct turns *turns, atomic_bool *flag) {
    pthread_mutex_lock(&turns->lock);
    atomic_store(flag, true);
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
}

bool turns_mark_lost(struct turns *turns) {
    pthread_mutex_lock(&turns->lock);
    const bool first = !turns->lost;
    turns->lost = true;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
    return first;
}

bool turns_are_lost(struct turns *turns) {
    pthread_mutex_lock(&turns->lock);
    const bool lost = turns->lost;
    pthread_mutex_unlock(&turns->lock);
    return lost;
}

static bool is_most_urgent(const struct turn *turn) {
    for (int rank = 0; rank < turn->rank; rank++)
        if (turn->turns->wanted[rank] > 0)
            return false;
    return true;
}

bool turn_begin(struct turn *turn, const atomic_bool *stop) {
    struct turns *turns = turn->turns;
    pthread_mutex_lock(&turns->lock);
    turns->wanted[turn->rank] += !turn->wanted;
    turn->wanted = true;
    while (!is_most_urgent(turn) && !turns->lost && !atomic_load(stop))
        pthread_cond_wait(&turns->changed, &turns->lock);
    const bool lost = turns->lost;
    pthread_mutex_unlock(&turns->lock);
    return !lost;
}

void turn_end(struct turn *turn) {
    struct turns *turns = turn->turns;
    if (!turn->wanted)
        return;
    pthread_mutex_lock(&turns->lock);
    turns->wanted[turn->rank]--;
    turn->wanted = false;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->lock);
}
