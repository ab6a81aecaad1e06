/* Sixteen pixels at a time in the compiler's own vectors: a palette of sixteen bytes is what one shuffle
 * looks up. Compiled once per instruction set. */
#include "cpu/shade.h"
#include <string.h>

typedef uint8_t bytes __attribute__((vector_size(16)));

static inline bytes look_up(const uint8_t shades[SHADES], bytes index, bytes coloured) {
    bytes table;
    memcpy(&table, shades, sizeof table);
    return __builtin_shuffle(table, index) & coloured;
}

/* Of three vectors, the 16 bytes of their interleaving that begin with byte `first`. */
#define WEAVE(first, r, g, b)                                                                      \
    __builtin_shuffle(__builtin_shuffle(r, g, (bytes)WEAVE_TWO(first)), b, (bytes)WEAVE_LAST(first))
/* clang-format off */
#define EACH_16(X, f) {X(f), X(f + 1), X(f + 2), X(f + 3), X(f + 4), X(f + 5), X(f + 6), X(f + 7), \
    X(f + 8), X(f + 9), X(f + 10), X(f + 11), X(f + 12), X(f + 13), X(f + 14), X(f + 15)}
#define FROM_RG(k)  ((k) % 3 == 1 ? 16 + (k) / 3 : (k) / 3)
#define FROM_B(k)   ((k) % 3 == 2 ? 16 + (k) / 3 : (k) % 16)
/* clang-format on */
#define WEAVE_TWO(first)  EACH_16(FROM_RG, first)
#define WEAVE_LAST(first) EACH_16(FROM_B, first)

static inline void shade_16(const uint8_t shades[3][SHADES], const uint32_t *count, uint8_t *rgb) {
    bytes n;
    for (int i = 0; i < 16; i++)
        n[i] = (uint8_t)count[i];
    const bytes coloured = (bytes)((n != 0) & (n != 255));
    const bytes index = n % SHADES;
    const bytes r = look_up(shades[0], index, coloured), g = look_up(shades[1], index, coloured),
                b = look_up(shades[2], index, coloured);
    const bytes woven[3] = {WEAVE(0, r, g, b), WEAVE(16, r, g, b), WEAVE(32, r, g, b)};
    memcpy(rgb, woven, sizeof woven);
}

#define NAME2(isa) shade_##isa
#define NAME(isa)  NAME2(isa)

void NAME(TILE_ISA_NAME)(const uint8_t shades[3][SHADES], const uint32_t *count, size_t size,
                         uint8_t *rgb) {
    size_t i = 0;
    for (; i + 16 <= size; i += 16)
        shade_16(shades, count + i, rgb + 3 * i);
    for (; i < size; i++)
        for (int k = 0; k < 3; k++)
            rgb[3 * i + (size_t)k] = count[i] % 255 ? shades[k][count[i] % SHADES] : 0;
}
