/* Tags: colours that tell which request a pixel is of, in place of those of its samples, so that
 * what is on the screen can be checked. For debugging; scenes and files know nothing of them. */
#ifndef FATHOM_APP_TAGS_H
#define FATHOM_APP_TAGS_H

#include "render/colour.h"
#include <stdbool.h>

/* Makes every pixel of a picture its generation's tag. */
void tags_set(uint64_t generation, struct colouring *colouring);
/* The tag of a generation, RGBA; that of another one COLOUR_TABLE_SIZE later is the same. */
uint32_t tags_pixel(uint64_t generation);
/* Whether a pixel is the tag of a generation from 1 to `newest`, and not some other colour. */
bool tags_are(uint32_t pixel, uint64_t newest);

#endif
