/* Oklab: converts sRGB bytes to Oklab and back by + - * / only: roots by Newton's method (light.h),
 * angles by their series. */
#include "render/gradient/oklab.h"
#include "render/colour.h"
#include "render/light/light.h"
#include <math.h>
#include <pthread.h>

#define PI          3.14159265358979323846
#define SINE_TERMS  14 /* number of terms for angles up to half a turn */
#define CHROMA_CUTS 18

/* Tables, written once under pthread_once. */
static double light_of_byte[256];
static double light_above[256]; /* light from which a byte is exceeded */

static void make_lights(void) {
    for (int i = 0; i < 256; i++) {
        light_of_byte[i] = light_curve(i / 255.0);
        light_above[i] = light_curve((i + 0.5) / 255.0);
    }
}

static void lights_ready(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_lights);
}

static uint32_t byte_of(double light) {
    uint32_t low = 0, high = 255;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (light >= light_above[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct turn turn_of_degrees(double degrees) {
    double x = degrees - 360.0 * floor(degrees / 360.0);
    x = (x > 180 ? x - 360 : x) * (PI / 180);
    double cosine = 1, sine = x, even = 1, odd = x;
    for (int i = 1; i <= SINE_TERMS; i++) {
        even *= -x * x / ((2 * i - 1) * (2 * i));
        odd *= -x * x / ((2 * i) * (2 * i + 1));
        cosine += even;
        sine += odd;
    }
    return (struct turn){cosine, sine};
}

struct oklab oklab_of_rgba(uint32_t rgba) {
    lights_ready();
    const double r = light_of_byte[rgba & 0xff], g = light_of_byte[rgba >> 8 & 0xff],
                 b = light_of_byte[rgba >> 16 & 0xff];
    const double l = light_root(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 3);
    const double m = light_root(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b, 3);
    const double s = light_root(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b, 3);
    return (struct oklab){
        .l = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        .a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        .b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    };
}

struct light {
    double r, g, b;
};

static struct light light_of_oklab(struct oklab c) {
    const double l = c.l + 0.3963377774 * c.a + 0.2158037573 * c.b;
    const double m = c.l - 0.1055613458 * c.a - 0.0638541728 * c.b;
    const double s = c.l - 0.0894841775 * c.a - 1.2914855480 * c.b;
    const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    return (struct light){
        .r = 4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
        .g = -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
        .b = -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3,
    };
}

static bool is_in_gamut(double x) {
    return x >= -0.0005 && x <= 1.0005;
}

static bool can_be_shown(struct light light) {
    return is_in_gamut(light.r) && is_in_gamut(light.g) && is_in_gamut(light.b);
}

/* Returns the light of a colour, with its chroma reduced until sRGB can represent it. */
static struct light gamut_mapped(struct oklab c) {
    const struct light whole = light_of_oklab(c);
    if (can_be_shown(whole))
        return whole;
    double most = 0, over = 1;
    for (int cut = 0; cut < CHROMA_CUTS; cut++) {
        const double part = (most + over) / 2;
        if (can_be_shown(light_of_oklab((struct oklab){c.l, part * c.a, part * c.b})))
            most = part;
        else
            over = part;
    }
    return light_of_oklab((struct oklab){c.l, most * c.a, most * c.b});
}

uint32_t oklab_rgba(struct oklab colour) {
    lights_ready();
    colour.l = fmin(fmax(colour.l, 0), 1);
    const struct light light = gamut_mapped(colour);
    return byte_of(light.r) | byte_of(light.g) << 8 | byte_of(light.b) << 16 | COLOUR_ALPHA;
}

struct oklab oklab_of_hue(double lightness, double chroma, double degrees) {
    const struct turn hue = turn_of_degrees(degrees);
    return (struct oklab){lightness, chroma * hue.cosine, chroma * hue.sine};
}

struct oklab oklab_adjusted(struct oklab c, struct turn hue, double saturation, double brightness) {
    return (struct oklab){
        .l = c.l * brightness,
        .a = saturation * (c.a * hue.cosine - c.b * hue.sine),
        .b = saturation * (c.a * hue.sine + c.b * hue.cosine),
    };
}
