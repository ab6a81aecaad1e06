/* Asks each library for its version, compiled against and found at run time, for `fathom info`. */
#include "app/command/libraries.h"
#include "app/hud/hud.h"
#include <GL/glew.h>
#include <SDL_version.h>
#include <gmp.h>
#include <mpfr.h>
#include <png.h>
#include <stdio.h>

static void set(struct library *library, const char *name, const char *compiled,
                const char *linked) {
    library->name = name;
    snprintf(library->compiled, sizeof library->compiled, "%s", compiled);
    snprintf(library->linked, sizeof library->linked, "%s", linked);
}

static void set_sdl(struct library *library) {
    SDL_version compiled, linked;
    SDL_VERSION(&compiled);
    SDL_GetVersion(&linked);
    library->name = "SDL";
    snprintf(library->compiled, sizeof library->compiled, "%d.%d.%d", compiled.major,
             compiled.minor, compiled.patch);
    snprintf(library->linked, sizeof library->linked, "%d.%d.%d", linked.major, linked.minor,
             linked.patch);
}

size_t libraries_list(struct library list[LIBRARIES_MAX]) {
    char gmp_compiled[32];
    snprintf(gmp_compiled, sizeof gmp_compiled, "%d.%d.%d", __GNU_MP_VERSION,
             __GNU_MP_VERSION_MINOR, __GNU_MP_VERSION_PATCHLEVEL);
    const char *glew = (const char *)glewGetString(GLEW_VERSION);
    set_sdl(&list[0]);
    set(&list[1], "MPFR", MPFR_VERSION_STRING, mpfr_get_version());
    set(&list[2], "GMP", gmp_compiled, gmp_version);
    set(&list[3], "libpng", PNG_LIBPNG_VER_STRING, png_get_libpng_ver(NULL));
    set(&list[4], "GLEW", glew, glew); /* its header does not say */
    set(&list[5], "Dear ImGui", hud_library_compiled(), hud_library_linked());
    return 6;
}
