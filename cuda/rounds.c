/* From numbers of clumps to entries of the list of pairs, and back. */
#include "cuda/rounds.h"

void rounds_aim(struct rounds *rounds, uint64_t samples) {
    const uint64_t least = rounds->clumps + rounds->clumps % 2, chunks = samples / DENSITY_CHUNK;
    const bool more = samples % DENSITY_CHUNK > 0 && samples != UINT64_MAX;
    const uint64_t target = 2 * (chunks + more);
    rounds->target = target > least ? target : least;
}

/* The first entry whose number is at least that. */
static uint32_t entry_from(const struct rounds *rounds, uint64_t number) {
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

/* Where the next clump is: the round, and in it the clump and the first entry from there on. */
static uint64_t find(const struct rounds *rounds, uint64_t *clump, uint32_t *entry) {
    const uint64_t round = rounds->clumps / rounds->cells;
    *clump = rounds->clumps % rounds->cells;
    *entry = entry_from(rounds, *clump / 2);
    if (*entry < rounds->live)
        return round;
    *clump = *entry = 0;
    return round + 1;
}

/* The end of all that is to be done, or of all that fits, counted in pairs from a round on. */
static uint64_t end_of(const struct rounds *rounds, uint64_t clumps) {
    const uint64_t whole = clumps / rounds->cells, rest = clumps % rounds->cells;
    if (whole >= ROUNDS_MOST)
        return (uint64_t)ROUNDS_MOST * rounds->live;
    return whole * rounds->live + entry_from(rounds, (rest + 1) / 2);
}

bool rounds_place(struct rounds *rounds, uint32_t pairs, struct rounds_part *part) {
    if (rounds->live == 0)
        rounds->clumps = rounds->target;
    if (rounds->clumps >= rounds->target)
        return false;
    const uint64_t round = find(rounds, &part->first_clump, &part->begin);
    const uint64_t before = round * rounds->cells;
    part->end_clump = rounds->target > before ? rounds->target - before : 0;
    const uint64_t last = end_of(rounds, part->end_clump), wanted = (uint64_t)part->begin + pairs;
    if (last <= part->begin) {
        rounds->clumps = rounds->target;
        return false;
    }
    part->end = (uint32_t)(wanted < last ? wanted : last);
    part->live = rounds->live;
    for (uint32_t i = 0; i < ROUNDS_MOST; i++)
        part->rounds[i] = sample_round(round + i, rounds->random);
    return true;
}

void rounds_advance(struct rounds *rounds, const struct rounds_part *part, uint32_t end) {
    const uint64_t entry = end % rounds->live, before = part->rounds[0].number * rounds->cells;
    const uint64_t clumps = (uint64_t)(end / rounds->live) * rounds->cells +
                            (entry > 0 ? 2 * (uint64_t)rounds->numbers[entry] : 0);
    if (clumps >= part->end_clump)
        rounds->clumps = rounds->target;
    else if (before + clumps > rounds->clumps)
        rounds->clumps = before + clumps;
}
