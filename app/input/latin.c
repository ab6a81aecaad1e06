/* Latin keys: identifies shortcuts by the place of a key if its letter is not Latin. */
#include "app/input/latin.h"

#define LATIN_LAST 0x24f /* last code point of Latin letters */

/* Returns the character that an American keyboard writes with the key in this place, or 0. */
static SDL_Keycode american(SDL_Scancode place) {
    static const char marks[] = "-=[]\\#;'`,./"; /* starts at SDL_SCANCODE_MINUS */
    if (place >= SDL_SCANCODE_A && place <= SDL_SCANCODE_Z)
        return SDLK_a + (SDL_Keycode)(place - SDL_SCANCODE_A);
    if (place >= SDL_SCANCODE_MINUS && place <= SDL_SCANCODE_SLASH)
        return marks[place - SDL_SCANCODE_MINUS];
    return 0;
}

void latin_key(SDL_Event *event) {
    if (event->type != SDL_KEYDOWN && event->type != SDL_KEYUP)
        return;
    SDL_Keysym *key = &event->key.keysym;
    if (key->sym <= LATIN_LAST || key->sym & SDLK_SCANCODE_MASK)
        return;
    const SDL_Keycode other = american(key->scancode);
    if (other != 0)
        key->sym = other;
}
