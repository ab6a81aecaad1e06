/* Palette import, GIMP gradients: segments with two ends and a middle, and a blending function for
 * each. Ends of linear segments become stops; other gradients are sampled. */
#include "render/gradient/import_text.h"
#include "render/gradient/oklab.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS_MAX 4096
#define EXACT_MAX    (GRADIENT_STOPS_MAX / 3)
#define EPSILON      1e-10
#define LN2          0.69314718055994530942

enum blend { LINEAR, CURVED, SINE, SPHERE_RISING, SPHERE_FALLING, STEP, BLENDS };
enum way { RGB, HSV_UP, HSV_DOWN, WAYS };

struct segment {
    double left, middle, right;
    double from[4], to[4]; /* R, G, B, A, each 0 .. 1 */
    long blend, way;
};

/* --- functions with equal results on every machine --- */

static double logarithm(double x) {
    int exponent;
    const double m = frexp(x, &exponent), y = (m - 1) / (m + 1), square = y * y;
    double sum = 0, power = y;
    for (int i = 1; i < 80; i += 2, power *= square)
        sum += power / i;
    return 2 * sum + exponent * LN2;
}

static double exponential(double x) {
    if (x < -700)
        return 0;
    const double whole = floor(x / LN2), rest = x - whole * LN2;
    double sum = 1, term = 1;
    for (int i = 1; i < 24; i++)
        sum += term *= rest / i;
    return ldexp(sum, (int)whole);
}

/* --- blending --- */

static double straight(double middle, double t) {
    if (t <= middle)
        return middle < EPSILON ? 0 : 0.5 * t / middle;
    return 1 - middle < EPSILON ? 1 : 0.5 + 0.5 * (t - middle) / (1 - middle);
}

static double curved(double middle, double t) {
    middle = fmin(fmax(middle, EPSILON), 1 - EPSILON);
    return t < EPSILON ? 0 : exponential(logarithm(t) * (-LN2 / logarithm(middle)));
}

/* Returns the share of the right end's colour at t in [0, 1] of a segment. */
static double share(const struct segment *s, double t) {
    const double width = s->right - s->left;
    const double middle = width < EPSILON ? 0.5 : (s->middle - s->left) / width;
    const double x = straight(middle, t);
    switch (s->blend) {
    case CURVED:
        return curved(middle, t);
    case SINE:
        return (1 - turn_of_degrees(180 * x).cosine) / 2;
    case SPHERE_RISING:
        return sqrt(1 - (x - 1) * (x - 1));
    case SPHERE_FALLING:
        return 1 - sqrt(1 - x * x);
    case STEP:
        return x >= 0.5;
    default:
        return x;
    }
}

struct hsv {
    double hue, saturation, value; /* hue [turns] */
};

static struct hsv hsv_of(const double c[3]) {
    const double most = fmax(fmax(c[0], c[1]), c[2]), least = fmin(fmin(c[0], c[1]), c[2]);
    const double range = most - least;
    struct hsv hsv = {0, most > 0 ? range / most : 0, most};
    if (range > 0) {
        const double sixth = most == c[0]   ? (c[1] - c[2]) / range
                             : most == c[1] ? 2 + (c[2] - c[0]) / range
                                            : 4 + (c[0] - c[1]) / range;
        hsv.hue = sixth / 6 - floor(sixth / 6);
    }
    return hsv;
}

static void rgb_of(struct hsv hsv, double c[3]) {
    for (int i = 0; i < 3; i++) {
        const double shifted = hsv.hue * 6 + (i == 0 ? 5 : i == 1 ? 3 : 1);
        const double k = shifted - 6 * floor(shifted / 6);
        const double part = fmax(fmin(fmin(k, 4 - k), 1), 0);
        c[i] = hsv.value - hsv.value * hsv.saturation * part;
    }
}

static void colour_at(const struct segment *s, double t, double c[3]) {
    const double x = share(s, t);
    if (s->way == RGB) {
        for (int i = 0; i < 3; i++)
            c[i] = s->from[i] + (s->to[i] - s->from[i]) * x;
        return;
    }
    const struct hsv from = hsv_of(s->from), to = hsv_of(s->to);
    double way = to.hue - from.hue; /* a whole turn between equal hues */
    if (s->way == HSV_UP && way <= 0)
        way++;
    else if (s->way == HSV_DOWN && way >= 0)
        way--;
    const double hue = from.hue + way * x;
    rgb_of((struct hsv){hue - floor(hue), from.saturation + (to.saturation - from.saturation) * x,
                        from.value + (to.value - from.value) * x},
           c);
}

/* --- reading --- */

static bool read_segment(struct import *in, struct segment *s, const struct segment *last,
                         char *line) {
    double numbers[11];
    char *at = line;
    for (int i = 0; i < 11; i++)
        if (!import_number(&at, &numbers[i]) || numbers[i] < -EPSILON || numbers[i] > 1 + 1e-6)
            return import_fail(in, "not 11 numbers from 0 to 1 and two kinds", line);
    if (!import_whole(&at, 0, BLENDS - 1, &s->blend) || !import_whole(&at, 0, WAYS - 1, &s->way))
        return import_fail(in, "an unknown kind of segment", line);
    s->left = last ? last->right : 0;
    s->middle = fmin(numbers[1], 1);
    s->right = fmin(numbers[2], 1);
    if (fabs(numbers[0] - s->left) > 1e-4)
        return import_fail(in, "a segment does not begin where the last one ends", line);
    if (s->middle < s->left - 1e-6 || s->right < s->middle - 1e-6)
        return import_fail(in, "a segment's places decrease", line);
    s->right = fmax(s->right, s->left);
    s->middle = fmin(fmax(s->middle, s->left), s->right);
    for (int i = 0; i < 4; i++) {
        s->from[i] = fmin(fmax(numbers[3 + i], 0), 1);
        s->to[i] = fmin(fmax(numbers[7 + i], 0), 1);
    }
    return true;
}

static bool put(struct import *in, double place, const double c[3]) {
    return import_stop(in, place, (long)(c[0] * 255 + 0.5), (long)(c[1] * 255 + 0.5),
                       (long)(c[2] * 255 + 0.5));
}

static bool same_as_last(const struct gradient *g, double place, const double c[3]) {
    if (g->count == 0 || g->stops[g->count - 1].place != place)
        return false;
    const uint32_t last = g->stops[g->count - 1].rgba;
    for (int i = 0; i < 3; i++)
        if ((uint32_t)(c[i] * 255 + 0.5) != (last >> (8 * i) & 0xff))
            return false;
    return true;
}

static bool is_straight(const struct segment *segments, long count) {
    for (long i = 0; i < count; i++)
        if (segments[i].blend != LINEAR || segments[i].way != RGB)
            return false;
    return count <= EXACT_MAX;
}

static bool put_straight(struct import *in, const struct segment *s) {
    double c[3];
    const double even = (s->left + s->right) / 2;
    if (!same_as_last(&in->named->gradient, s->left, s->from) && !put(in, s->left, s->from))
        return false;
    colour_at(s, s->right > s->left ? (s->middle - s->left) / (s->right - s->left) : 0, c);
    if (fabs(s->middle - even) > 1e-6 && !put(in, s->middle, c))
        return false;
    return put(in, s->right, s->to);
}

static bool put_samples(struct import *in, const struct segment *segments, long count) {
    long at = 0;
    for (int i = 0; i < GRADIENT_STOPS_MAX; i++) {
        const double place = (double)i / (GRADIENT_STOPS_MAX - 1);
        double c[3];
        while (at < count - 1 && segments[at].right < place)
            at++;
        const struct segment *s = &segments[at];
        const double width = s->right - s->left;
        colour_at(s, width < EPSILON ? 0 : fmin((place - s->left) / width, 1), c);
        if (!put(in, place, c))
            return false;
    }
    return true;
}

static bool read_segments(struct import *in, struct segment *segments, long count) {
    bool more, ok = true;
    for (long i = 0; i < count; i++) {
        char *line = import_line(in);
        if (!line)
            return import_fail(in, "fewer segments than the file says", "");
        if (!read_segment(in, &segments[i], i > 0 ? &segments[i - 1] : NULL, line))
            return false;
    }
    if (fabs(segments[count - 1].right - 1) > 1e-4)
        return import_fail(in, "the last segment does not end at", "1");
    if (!is_straight(segments, count))
        ok = put_samples(in, segments, count);
    for (long i = 0; ok && i < count && is_straight(segments, count); i++)
        ok = put_straight(in, &segments[i]);
    in->named->gradient.interpolation = INTERPOLATION_LINEAR;
    return ok && import_done(in, &more);
}

bool import_gimp(struct import *in) {
    import_line(in); /* "GIMP Gradient" */
    char *line = import_line(in);
    if (line && strncmp(line, "Name:", 5) == 0) {
        import_name(in, line + 5, strlen(line + 5));
        line = import_line(in);
    }
    long count;
    if (!line || !import_whole(&line, 1, SEGMENTS_MAX, &count))
        return import_fail(in, "not a number of segments from 1 to 4096", line ? line : "");
    struct segment *segments = calloc((size_t)count, sizeof *segments);
    const bool ok = segments ? read_segments(in, segments, count)
                             : import_fail(in, "not enough memory for", "the segments");
    free(segments);
    return ok;
}
