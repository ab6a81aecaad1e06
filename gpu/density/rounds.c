/* Rounds: converts numbers of clumps into entries of the list of pairs, and back, for the launches
 * of a run. */
#include "gpu/density/rounds.h"

void rounds_set_target(struct rounds *rounds, uint64_t samples) {
    const uint64_t least = rounds->clumps + rounds->clumps % 2, chunks = samples / DENSITY_CHUNK;
    const bool more = samples % DENSITY_CHUNK > 0 && chunks < UINT64_MAX / DENSITY_CHUNK;
    const uint64_t target = 2 * (chunks + more);
    rounds->target = target > least ? target : least;
}

/* Returns the first entry whose number is not less than `number`. */
static uint32_t entry_from(const struct rounds *rounds, uint32_t number) {
    uint32_t low = 0, high = rounds->live;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rounds->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds the next clump: returns its round, and sets the clump in the round and the first entry from
 * there. */
static uint64_t find_next(const struct rounds *rounds, struct draw_part *part) {
    const uint64_t round = rounds->clumps / rounds->cells;
    part->first_clump = (uint32_t)(rounds->clumps % rounds->cells);
    part->begin = entry_from(rounds, part->first_clump / 2);
    if (part->begin < rounds->live)
        return round;
    part->first_clump = part->begin = 0;
    return round + 1;
}

bool rounds_next_part(struct rounds *rounds, uint32_t pairs, struct draw_part *part) {
    if (rounds->live == 0)
        rounds->clumps = rounds->target;
    if (rounds->clumps >= rounds->target)
        return false;
    const uint64_t round = find_next(rounds, part), before = round * rounds->cells;
    const uint64_t remaining = rounds->target > before ? rounds->target - before : 0;
    const uint32_t most = DRAW_ROUNDS * rounds->cells;
    part->end_clump = remaining < most ? (uint32_t)remaining : most;
    const uint32_t last = part->end_clump / rounds->cells * rounds->live +
                          entry_from(rounds, (part->end_clump % rounds->cells + 1) / 2);
    if (last <= part->begin) {
        rounds->clumps = rounds->target;
        return false;
    }
    part->end = pairs < last - part->begin ? part->begin + pairs : last;
    part->live = rounds->live;
    part->first_round = round;
    for (uint32_t i = 0; i < DRAW_ROUNDS; i++) {
        const struct sample_round one = sample_round(round + i, rounds->random);
        part->rounds[i].octave = one.octave;
        part->rounds[i].position = one.position;
        part->rounds[i].key = one.key;
    }
    return true;
}

void rounds_advance(struct rounds *rounds, const struct draw_part *part, uint32_t end) {
    const uint32_t entry = end % rounds->live;
    const uint64_t clumps = (part->first_round + end / rounds->live) * rounds->cells +
                            (entry > 0 ? 2 * (uint64_t)rounds->numbers[entry] : 0);
    if (clumps > rounds->clumps)
        rounds->clumps = clumps < rounds->target ? clumps : rounds->target;
}
