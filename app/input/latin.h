/* Keys of keyboards that write another script than Latin, such as Cyrillic or Greek. */
#ifndef FATHOM_APP_INPUT_LATIN_H
#define FATHOM_APP_INPUT_LATIN_H

#include <SDL.h>

/* Gives a key event whose key writes no Latin character the key that an American keyboard has in its place, so that
 * shortcuts work on every layout. Other events stay as they are. */
void latin_key(SDL_Event *event);

#endif
