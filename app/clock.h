/* The one clock of the window's side: monotonic milliseconds since some moment. */
#ifndef FATHOM_APP_CLOCK_H
#define FATHOM_APP_CLOCK_H

#include <SDL.h>

static inline double clock_ms(void) {
    return (double)SDL_GetPerformanceCounter() * 1e3 / (double)SDL_GetPerformanceFrequency();
}

#endif
