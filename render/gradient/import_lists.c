/* Palettes that are lists of colours: maps of Fractint and XaoS, and those of Kalles Fraktaler. */
#include "render/gradient/import_text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- maps --- */

/* A line is "R G B" and perhaps a remark. Each count has a colour; a smooth count lies between. */
bool import_map(struct import *in) {
    struct gradient *gradient = &in->named->gradient;
    bool more;
    for (char *line; (line = import_line(in));) {
        long rgb[3];
        char *at = line;
        if (!*line || *line == '#' || *line == ';')
            continue;
        for (int i = 0; i < 3; i++)
            if (!import_whole(&at, 0, 255, &rgb[i]))
                return import_fail(in, "not three numbers from 0 to 255", line);
        if (gradient->count == GRADIENT_STOPS_MAX)
            return import_fail(in, "a map has at most 256 colours, not also", line);
        if (!import_stop(in, 0, rgb[0], rgb[1], rgb[2]))
            return false;
    }
    gradient->interpolation = INTERPOLATION_LINEAR;
    gradient->period = gradient->count > 0 ? gradient->count : 1;
    gradient_space_evenly(gradient);
    return import_done(in, &more);
}

/* --- Kalles Fraktaler --- */

#define KALLES_COLOURS 1024 /* its table's length, and the most colours that it takes */

struct kalles {
    long count, bytes[3 * KALLES_COLOURS]; /* blue, green, red */
    double division;                       /* IterDiv */
    double offset;                         /* ColorOffset, of KALLES_COLOURS */
};

static bool read_colours(struct import *in, struct kalles *k, char *at) {
    long count = 0;
    for (; *at && count < 3 * KALLES_COLOURS; count++)
        if (!import_whole(&at, 0, 255, &k->bytes[count]))
            return import_fail(in, "not a number from 0 to 255", at);
    if (*at || count % 3 != 0 || count == 0)
        return import_fail(in, "not blue, green and red of 1 to 1024 colours: it goes on with", at);
    k->count = count / 3;
    return true;
}

static bool read_entry(struct import *in, struct kalles *k, char *line) {
    char *value = strchr(line, ':');
    long bgr[3];
    if (!value)
        return true;
    *value++ = '\0';
    value += strspn(value, " \t");
    char *at = value;
    if (strcasecmp(line, "Colors") == 0)
        return read_colours(in, k, value);
    if (strcasecmp(line, "IterDiv") == 0)
        return (import_number(&at, &k->division) && !*at && k->division >= 1e-6 &&
                k->division <= 9e5) ||
               import_fail(in, "IterDiv is not a number from 1e-6 to 9e5", value);
    if (strcasecmp(line, "ColorOffset") == 0)
        return (import_number(&at, &k->offset) && !*at && k->offset >= 0 &&
                k->offset < KALLES_COLOURS) ||
               import_fail(in, "ColorOffset is not a number from 0 to 1023", value);
    if (strcasecmp(line, "InteriorColor") != 0)
        return true;
    for (int i = 0; i < 3; i++)
        if (!import_whole(&at, 0, 255, &bgr[i]))
            return import_fail(in, "InteriorColor is not three numbers from 0 to 255", value);
    in->named->gradient.interior =
        (uint32_t)bgr[2] | (uint32_t)bgr[1] << 8 | (uint32_t)bgr[0] << 16 | COLOUR_ALPHA;
    return true;
}

/* Of more colours than a gradient has, those that are evenly apart. */
static bool fill(struct import *in, const struct kalles *k) {
    struct gradient *gradient = &in->named->gradient;
    const long count = k->count > GRADIENT_STOPS_MAX ? GRADIENT_STOPS_MAX : k->count;
    bool more;
    for (long i = 0; i < count; i++) {
        const long *bgr = &k->bytes[3 * (i * k->count / count)];
        if (!import_stop(in, 0, bgr[2], bgr[1], bgr[0]))
            return false;
    }
    gradient_space_evenly(gradient);
    gradient->period = KALLES_COLOURS * k->division;
    gradient->offset = k->offset / KALLES_COLOURS;
    return import_done(in, &more);
}

bool import_kalles(struct import *in) {
    struct kalles *k = calloc(1, sizeof *k);
    if (!k)
        return import_fail(in, "not enough memory for", "Colors");
    k->division = 1;
    bool ok = true;
    for (char *line; ok && (line = import_line(in));)
        ok = read_entry(in, k, line);
    ok = ok && fill(in, k);
    free(k);
    return ok;
}
