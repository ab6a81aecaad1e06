/* Makes palettes of one colour, one for each of the last generations. */
#include "app/tags.h"
#include "render/base/log.h"
#include <stdlib.h>

#define TABLES  256
#define FACTOR  40503 /* odd: there is a way back; neighbours differ in all bytes */
#define INVERSE 30599 /* their product is 1, modulo 65,536 */

struct tags {
    uint32_t table[TABLES][COLOUR_TABLE_SIZE];
};

struct tags *tags_create(void) {
    struct tags *tags = calloc(1, sizeof *tags);
    if (!tags)
        log_error("not enough memory to tag pictures");
    return tags;
}

void tags_destroy(struct tags *tags) {
    free(tags);
}

/* Blue says that it is a tag. */
uint32_t tags_pixel(uint64_t generation) {
    const uint32_t mixed = (uint32_t)(generation * FACTOR) & 0xffff;
    const uint32_t red = mixed >> 8, green = mixed & 0xff;
    return COLOUR_ALPHA | (red ^ green ^ 0x5a) << 16 | green << 8 | red;
}

bool tags_are(uint32_t pixel, uint64_t newest) {
    const uint32_t red = pixel & 0xff, green = pixel >> 8 & 0xff;
    const uint32_t generation = (red << 8 | green) * INVERSE & 0xffff;
    return pixel == tags_pixel(generation) &&
           (newest >= 0x10000 || (generation > 0 && generation <= newest));
}

void tags_set(struct tags *tags, uint64_t generation, struct colouring *colouring) {
    uint32_t *table = tags->table[generation % TABLES];
    for (int i = 0; i < COLOUR_TABLE_SIZE; i++)
        table[i] = tags_pixel(generation);
    colouring->table = table;
    colouring->interior = tags_pixel(generation);
}
