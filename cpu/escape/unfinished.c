/* Unfinished orbits: a growing list of entries, each with a state of state_size bytes. */
#include "cpu/escape/unfinished.h"
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64

static size_t entry_size(const struct unfinished *unfinished) {
    return sizeof(struct unfinished_orbit) + unfinished->state_size;
}

static unsigned char *entry(const struct unfinished *unfinished, size_t i) {
    return unfinished->orbits + i * entry_size(unfinished);
}

struct unfinished_orbit unfinished_get(const struct unfinished *unfinished, size_t i,
                                       const void **state) {
    struct unfinished_orbit orbit;
    const unsigned char *from = entry(unfinished, i);
    memcpy(&orbit, from, sizeof orbit);
    *state = from + sizeof orbit;
    return orbit;
}

bool unfinished_add(struct unfinished *unfinished, struct unfinished_orbit orbit,
                    const void *state) {
    if (unfinished->size == unfinished->room) {
        const size_t room = unfinished->room ? 2 * unfinished->room : ROOM_FIRST;
        unsigned char *orbits = realloc(unfinished->orbits, room * entry_size(unfinished));
        if (!orbits)
            return false;
        unfinished->orbits = orbits;
        unfinished->room = room;
    }
    unsigned char *to = entry(unfinished, unfinished->size++);
    memcpy(to, &orbit, sizeof orbit);
    memcpy(to + sizeof orbit, state, unfinished->state_size);
    return true;
}

uint32_t unfinished_least(const struct unfinished *unfinished, uint32_t limit) {
    const void *state;
    uint32_t least = limit;
    for (size_t i = 0; i < unfinished->size; i++) {
        const uint32_t done = unfinished_get(unfinished, i, &state).done;
        least = done < least ? done : least;
    }
    return least;
}

size_t unfinished_take(struct unfinished *unfinished, uint32_t done, uint32_t *at, void *states,
                       size_t room) {
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < unfinished->size; i++) {
        const void *state;
        const struct unfinished_orbit orbit = unfinished_get(unfinished, i, &state);
        if (orbit.done == done && count < room) {
            memcpy((char *)states + count * unfinished->state_size, state, unfinished->state_size);
            at[count++] = orbit.at;
        } else {
            memmove(entry(unfinished, kept++), entry(unfinished, i), entry_size(unfinished));
        }
    }
    unfinished->size = kept;
    return count;
}

void unfinished_finish(struct unfinished *unfinished) {
    free(unfinished->orbits);
    *unfinished = (struct unfinished){.state_size = unfinished->state_size};
}
