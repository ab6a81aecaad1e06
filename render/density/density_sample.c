/* Density samples: the rounds in which the cells are visited. */
#include "render/density/density_sample.h"

uint64_t sample_octave_begin(uint32_t octave) {
    return SAMPLE_PASSES * (((1ull << 2 * octave) - 1) / 3);
}

struct sample_round sample_round(uint64_t number, uint64_t random) {
    struct sample_round round = {.number = number};
    while (round.octave < SAMPLE_OCTAVES && number >= sample_octave_begin(round.octave + 1))
        round.octave++;
    const uint64_t position = number - sample_octave_begin(round.octave);
    const uint64_t pass = position >> 2 * round.octave;
    round.position = (uint32_t)(position & ((1ull << 2 * round.octave) - 1));
    round.key = sample_hash((uint32_t)random);
    round.key = sample_hash(round.key ^ (uint32_t)(random >> 32));
    round.key = sample_hash(round.key ^ (uint32_t)pass);
    round.key = sample_hash(round.key ^ (uint32_t)(pass >> 32) ^ round.octave << 24);
    return round;
}
