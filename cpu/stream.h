/* Streaming stores: copies that bypass the caches, for data that another thread or picture reads
 * next. Cache lines that are written whole need not be fetched first. */
#ifndef FATHOM_CPU_STREAM_H
#define FATHOM_CPU_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Copies `size` words of 4 bytes. Other threads see them once the caller publishes them after
 * stream_end. Without SSE2, copies through the caches. */
#ifdef __SSE2__
static inline void stream_copy(uint32_t *to, const uint32_t *from, size_t size) {
    size_t i = (0 - (uintptr_t)to / sizeof *to) % 4; /* words up to the first aligned vector */
    i = i < size ? i : size;
    memcpy(to, from, i * sizeof *to);
    for (; i + 4 <= size; i += 4)
        _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
    memcpy(to + i, from + i, (size - i) * sizeof *to);
}

static inline void stream_end(void) {
    _mm_sfence();
}
#else
static inline void stream_copy(uint32_t *to, const uint32_t *from, size_t size) {
    memcpy(to, from, size * sizeof *to);
}

static inline void stream_end(void) {
}
#endif

#endif
