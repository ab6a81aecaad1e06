/* PNG mutator: applies libFuzzer's own changes, then corrects the checksums of chunks, so that the
 * code after the checks is reached. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SIGNATURE 8
#define FRAME     12 /* bytes of a chunk's length, type and checksum */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t crc_of(const uint8_t *data, size_t size) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static uint32_t word_at(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void mend(uint8_t *data, size_t size) {
    for (size_t at = SIGNATURE; at < size && size - at >= FRAME;) {
        const uint32_t length = word_at(data + at);
        if (length > size - at - FRAME)
            return;
        const uint32_t crc = crc_of(data + at + 4, length + 4);
        uint8_t *sum = data + at + 8 + length;
        for (int i = 0; i < 4; i++)
            sum[i] = (uint8_t)(crc >> (24 - 8 * i));
        at += FRAME + length;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    const size_t mutated = LLVMFuzzerMutate(data, size, max_size);
    if (mutated > SIGNATURE && memcmp(data, "\x89PNG", 4) == 0 && seed % 8 != 0)
        mend(data, mutated);
    return mutated;
}
