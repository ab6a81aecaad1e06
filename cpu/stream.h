/* Copies past the caches, for what is read next by another thread or picture: lines that are
 * written whole need not be fetched first. */
#ifndef FATHOM_CPU_STREAM_H
#define FATHOM_CPU_STREAM_H

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `size` words of four bytes. Other threads see them after stream_end and what publishes them. */
static inline void stream_copy(uint32_t *to, const uint32_t *from, size_t size) {
    size_t i = (0 - (uintptr_t)to / sizeof *to) % 4; /* words up to where vectors may be written */
    i = i < size ? i : size;
    memcpy(to, from, i * sizeof *to);
    for (; i + 4 <= size; i += 4)
        _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
    memcpy(to + i, from + i, (size - i) * sizeof *to);
}

static inline void stream_end(void) {
    _mm_sfence();
}

#endif
