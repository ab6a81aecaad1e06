/* Oklab (Ottosson 2020), in which equal steps look about equal, and its way to sRGB bytes and back.
 * Only + - * / are used, so that the bytes are the same wherever they are made. Pure functions. */
#ifndef FATHOM_RENDER_GRADIENT_OKLAB_H
#define FATHOM_RENDER_GRADIENT_OKLAB_H

#include <stdint.h>

struct oklab {
    double l, a, b; /* lightness 0 .. 1; green to red and blue to yellow, within +-0.4 */
};

/* The same by chroma and hue, as a cosine and a sine. */
struct turn {
    double cosine, sine;
};

struct turn turn_of_degrees(double degrees); /* any finite number */

/* Of R, G, B in the low bytes (colour.h). */
struct oklab oklab_of_rgba(uint32_t rgba);
/* Opaque. What no screen shows keeps its lightness, within 0 .. 1, and its hue, and loses chroma. */
uint32_t oklab_rgba(struct oklab colour);
/* A colour by lightness, chroma (about 0 .. 0.32) and hue in degrees. */
struct oklab oklab_of_hue(double lightness, double chroma, double degrees);
/* Turned in hue, chroma and lightness multiplied. */
struct oklab oklab_adjusted(struct oklab colour, struct turn hue, double saturation,
                            double brightness);

#endif
