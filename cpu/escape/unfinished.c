/* A growing list. */
#include "cpu/escape/unfinished.h"
#include <stdlib.h>

#define ROOM_FIRST 64

bool unfinished_add(struct unfinished *unfinished, struct unfinished_orbit orbit) {
    if (unfinished->size == unfinished->room) {
        const size_t room = unfinished->room ? 2 * unfinished->room : ROOM_FIRST;
        struct unfinished_orbit *orbits = realloc(unfinished->orbits, room * sizeof *orbits);
        if (!orbits) {
            unfinished->incomplete = true;
            return false;
        }
        unfinished->orbits = orbits;
        unfinished->room = room;
    }
    unfinished->orbits[unfinished->size++] = orbit;
    return true;
}

uint32_t unfinished_least(const struct unfinished *unfinished, uint32_t limit) {
    uint32_t least = limit;
    for (size_t i = 0; i < unfinished->size; i++)
        if (unfinished->orbits[i].done < least)
            least = unfinished->orbits[i].done;
    return least;
}

size_t unfinished_take(struct unfinished *unfinished, uint32_t done, struct unfinished_orbit *taken,
                       size_t room) {
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < unfinished->size; i++)
        if (unfinished->orbits[i].done == done && count < room)
            taken[count++] = unfinished->orbits[i];
        else
            unfinished->orbits[kept++] = unfinished->orbits[i];
    unfinished->size = kept;
    return count;
}

void unfinished_finish(struct unfinished *unfinished) {
    free(unfinished->orbits);
    *unfinished = (struct unfinished){0};
}
