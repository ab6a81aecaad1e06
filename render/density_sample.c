/* The order of the rounds, and the sampling domains. */
#include "render/density_sample.h"

/* The bits of an even position of x, from the lowest on, in reverse order within `bits`. */
static uint32_t reversed_evens(uint64_t x, uint32_t bits) {
    uint32_t reversed = 0;
    for (uint32_t i = 0; i < bits; i++)
        reversed |= (uint32_t)(x >> 2 * i & 1) << (bits - 1 - i);
    return reversed;
}

/* Octave j begins with round (4^j - 1) / 3. A beginning of an octave visits squares far apart: the lowest
 * two bits of the position decide on the cell's quarter, the next two on that quarter's, and so on. */
struct sample_round sample_round(uint64_t number, uint64_t random) {
    struct sample_round round = {.number = number};
    uint64_t position = number;
    while (round.octave < SAMPLE_OCTAVES && position >= 1ull << 2 * round.octave) {
        position -= 1ull << 2 * round.octave;
        round.octave++;
    }
    round.key =
        sample_hash(sample_hash((uint32_t)random) ^ (uint32_t)(random >> 32) ^ round.octave << 24);
    round.x = reversed_evens(position, round.octave);
    round.y = reversed_evens(position >> 1, round.octave);
    return round;
}

struct sample_domain sample_domain(const struct density *density) {
    if (density->rules == DENSITY_SEED)
        return (struct sample_domain){
            .scale_re = 3.2 * 0x1p-32, .offset_re = -0.5, .scale_im = 1.8 * 0x1p-31};
    return (struct sample_domain){.scale_re = 0x1p-30, .scale_im = 0x1p-30};
}
