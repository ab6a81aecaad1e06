/* Tags: makes colourings of one colour, from a constant table of all tags. The table is constant
 * because a backend may still draw in these colours after the request has ended. */
#include "app/tags.h"

#define GENERATIONS COLOUR_TABLE_SIZE
#define FACTOR      40503 /* odd, so that it has an inverse; neighbours differ in all bytes */
#define INVERSE     30599 /* inverse of FACTOR modulo 65,536 */

#define MIXED(generation) ((uint32_t)(generation)*FACTOR & 0xffff)
#define RED(generation)   (MIXED(generation) >> 8)
#define GREEN(generation) (MIXED(generation) & 0xff)
/* Blue is a check of red and green, by which a tag is recognised. */
#define TAG(generation)                                                                            \
    (COLOUR_ALPHA | (RED(generation) ^ GREEN(generation) ^ 0x5a) << 16 | GREEN(generation) << 8 |  \
     RED(generation))

#define TAGS4(i)    TAG(i), TAG((i) + 1), TAG((i) + 2), TAG((i) + 3)
#define TAGS16(i)   TAGS4(i), TAGS4((i) + 4), TAGS4((i) + 8), TAGS4((i) + 12)
#define TAGS64(i)   TAGS16(i), TAGS16((i) + 16), TAGS16((i) + 32), TAGS16((i) + 48)
#define TAGS256(i)  TAGS64(i), TAGS64((i) + 64), TAGS64((i) + 128), TAGS64((i) + 192)
#define TAGS1024(i) TAGS256(i), TAGS256((i) + 256), TAGS256((i) + 512), TAGS256((i) + 768)

static const uint32_t table[] = {TAGS1024(0), TAGS1024(1024), TAGS1024(2048), TAGS1024(3072)};
_Static_assert(sizeof table == GENERATIONS * sizeof *table, "a tag for each entry");

uint32_t tags_pixel(uint64_t generation) {
    return table[generation % GENERATIONS];
}

bool tags_match(uint32_t pixel, uint64_t newest) {
    const uint32_t red = pixel & 0xff, green = pixel >> 8 & 0xff;
    const uint32_t generation = (red << 8 | green) * INVERSE & 0xffff;
    return pixel == tags_pixel(generation) &&
           (newest >= GENERATIONS || (generation > 0 && generation <= newest));
}

/* Makes every sample use the entry of the generation, whatever its value. */
void tags_set(uint64_t generation, struct colouring *colouring) {
    colouring->frequency = 0;
    colouring->offset = generation % GENERATIONS << 32;
    colouring->mapping = MAPPING_LINEAR;
    colouring->by = BY_COUNT;
    colouring->inside = INSIDE_ONE;
    colouring->layers = (struct layers){0};
    colouring->table = table;
    colouring->interior = tags_pixel(generation);
}
