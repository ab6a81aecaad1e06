/* Oklab (Ottosson 2020), a colour space in which equal steps look about equal, and its conversion
 * to and from sRGB bytes. Only + - * / are used, so that the bytes are the same on every machine.
 * Pure functions. */
#ifndef FATHOM_RENDER_GRADIENT_OKLAB_H
#define FATHOM_RENDER_GRADIENT_OKLAB_H

#include <stdint.h>

struct oklab {
    double l, a, b; /* lightness 0 .. 1; green to red and blue to yellow, within +-0.4 */
};

/* Angle as a cosine and a sine. */
struct turn {
    double cosine, sine;
};

struct turn turn_of_degrees(double degrees); /* degrees: any finite number */

/* Converts the bytes R, G, B of a pixel (colour.h). */
struct oklab oklab_of_rgba(uint32_t rgba);
/* Converts to opaque bytes. A colour outside sRGB keeps its lightness, clamped to 0 .. 1, and its
 * hue, and loses chroma. */
uint32_t oklab_rgba(struct oklab colour);
/* Returns the colour of a lightness, a chroma (about 0 .. 0.32) and a hue in degrees. */
struct oklab oklab_of_hue(double lightness, double chroma, double degrees);
/* Rotates the hue, and multiplies chroma and lightness. */
struct oklab oklab_adjusted(struct oklab colour, struct turn hue, double saturation,
                            double brightness);

#endif
