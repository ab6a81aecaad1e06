/* Hash: FNV-1a with 64 bits, for names of files that depend on many settings, and for finding
 * damaged files. */
#ifndef FATHOM_APP_MOVIE_HASH_H
#define FATHOM_APP_MOVIE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_EMPTY 0xcbf29ce484222325u

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

/* Hashes words of 64 bits, the last of which is filled up with zeros: several GB a second. */
static inline uint64_t hash_words(uint64_t hash, const void *data, size_t size) {
    for (size_t i = 0; i < size; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, (const char *)data + i, size - i < sizeof word ? size - i : sizeof word);
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    return hash;
}

static inline uint64_t hash_text(uint64_t hash, const char *text) {
    return hash_bytes(hash, text, strlen(text) + 1);
}

#endif
