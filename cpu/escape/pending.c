/* A growing list. */
#include "cpu/escape/pending.h"
#include <stdlib.h>

#define ROOM_FIRST 64

bool pending_add(struct pending *pending, struct pending_orbit orbit) {
    if (pending->size == pending->room) {
        const size_t room = pending->room ? 2 * pending->room : ROOM_FIRST;
        struct pending_orbit *orbits = realloc(pending->orbits, room * sizeof *orbits);
        if (!orbits) {
            pending->incomplete = true;
            return false;
        }
        pending->orbits = orbits;
        pending->room = room;
    }
    pending->orbits[pending->size++] = orbit;
    return true;
}

uint32_t pending_least(const struct pending *pending, uint32_t limit) {
    uint32_t least = limit;
    for (size_t i = 0; i < pending->size; i++)
        if (pending->orbits[i].done < least)
            least = pending->orbits[i].done;
    return least;
}

size_t pending_take(struct pending *pending, uint32_t done, struct pending_orbit *taken,
                    size_t room) {
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < pending->size; i++)
        if (pending->orbits[i].done == done && count < room)
            taken[count++] = pending->orbits[i];
        else
            pending->orbits[kept++] = pending->orbits[i];
    pending->size = kept;
    return count;
}

void pending_finish(struct pending *pending) {
    free(pending->orbits);
    *pending = (struct pending){0};
}
