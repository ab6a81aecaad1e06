/* Tags: colours that identify a pixel's request, in place of the colours of samples, so that the
 * screen can be checked. For debugging only; scenes and files do not contain tags. */
#ifndef FATHOM_APP_TAGS_H
#define FATHOM_APP_TAGS_H

#include "render/colour.h"
#include <stdbool.h>

/* Gives every pixel of a picture the tag of its generation. */
void tags_set(uint64_t generation, struct colouring *colouring);
/* Returns the tag of a generation, RGBA; tags repeat after COLOUR_TABLE_SIZE generations. */
uint32_t tags_pixel(uint64_t generation);
/* Returns true if a pixel is the tag of a generation from 1 to `newest`, and no other colour. */
bool tags_match(uint32_t pixel, uint64_t newest);

#endif
