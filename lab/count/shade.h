/* Counts to colours of a short palette: what follows count.h in `fathom classic`. */
#ifndef FATHOM_LAB_COUNT_SHADE_H
#define FATHOM_LAB_COUNT_SHADE_H

#include <stddef.h>
#include <stdint.h>

#define SHADES 16

/* Writes 3 * size bytes. A count n from 1 to 254 gets the shade n % SHADES, 0 and 255 are black;
 * none is above 255. `shades` has SHADES red, green and blue bytes. */
typedef void shade_fn(const uint8_t shades[3][SHADES], const uint32_t *count, size_t size,
                      uint8_t *rgb);

/* The second needs AVX2. */
shade_fn shade_base, shade_avx2;

#endif
