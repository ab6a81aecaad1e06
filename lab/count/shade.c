/* Counts to colours pixel by pixel: without AVX2, and for what its vectors leave over. */
#include "lab/count/shade.h"

void shade_base(const uint8_t shades[3][SHADES], const uint32_t *count, size_t size, uint8_t *rgb) {
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < 3; k++)
            rgb[3 * i + k] = count[i] % 255 ? shades[k][count[i] % SHADES] : 0;
}
