/* Shortcuts on keyboards whose letters are not Latin, such as Cyrillic or Greek. */
#ifndef FATHOM_APP_INPUT_LATIN_H
#define FATHOM_APP_INPUT_LATIN_H

#include <SDL.h>

/* Replaces the key of an event by the key that an American keyboard has in the same place, if it
 * writes no Latin character. Other events stay unchanged. */
void latin_key(SDL_Event *event);

#endif
