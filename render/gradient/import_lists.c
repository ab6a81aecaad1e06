/* Palette import, lists of colours: maps of Fractint and XaoS, GIMP palettes, and palettes of
 * Kalles Fraktaler. */
#include "render/base/log.h"
#include "render/gradient/import_text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- maps --- */

/* Reads three numbers. 256, up to which some maps count, becomes 255. A remark may follow the last
 * number without a blank. */
static bool read_rgb(char *at, long rgb[3]) {
    for (int i = 0; i < 3; i++) {
        const size_t digits = strspn(at, "0123456789");
        if (i == 2 && digits > 0 && at[digits] && strchr("eE+-", at[digits]))
            at[digits] = '\0';
        if (!import_whole(&at, 0, 256, &rgb[i]))
            return false;
        rgb[i] = rgb[i] > 255 ? 255 : rgb[i];
    }
    return true;
}

/* Assigns one colour to each count; smooth counts are interpolated. */
static bool finish_list(struct import *in) {
    struct gradient *gradient = &in->named->gradient;
    bool more;
    gradient->interpolation = INTERPOLATION_LINEAR;
    gradient->period = gradient->count > 0 ? gradient->count : 1;
    gradient_space_evenly(gradient);
    return import_done(in, &more);
}

/* Reads "R G B" and an optional remark from each line, as Fractint does. Wrong lines are skipped
 * with a warning, and so are colours beyond GRADIENT_STOPS_MAX. */
bool import_map(struct import *in) {
    const struct gradient *gradient = &in->named->gradient;
    bool left_out = false;
    for (char *line; (line = import_line(in));) {
        long rgb[3];
        if (!*line || *line == '#' || *line == ';')
            continue;
        if (!read_rgb(line, rgb)) {
            if (!left_out)
                log_warn(
                    "%s:%d: lines that are not three numbers from 0 to 255 are left out: '%.40s'",
                    in->source, in->line, line);
            left_out = true;
            continue;
        }
        if (gradient->count == GRADIENT_STOPS_MAX) {
            log_warn("%s:%d: only the first %d colours are taken", in->source, in->line,
                     GRADIENT_STOPS_MAX);
            break;
        }
        if (!import_stop(in, 0, rgb[0], rgb[1], rgb[2]))
            return false;
    }
    return finish_list(in);
}

/* --- GIMP --- */

/* Reads a GIMP palette: a header, then lines as of a map. */
bool import_gimp_list(struct import *in) {
    import_line(in); /* "GIMP Palette" */
    while (strncasecmp(in->rest, "Name:", 5) == 0 || strncasecmp(in->rest, "Columns:", 8) == 0) {
        char *line = import_line(in);
        if (strncasecmp(line, "Name:", 5) == 0)
            import_name(in, line + 5, strlen(line + 5));
    }
    return import_map(in);
}

/* --- Kalles Fraktaler --- */

#define KALLES_COLOURS 1024 /* length of its table, and its most colours */

struct kalles {
    long count, bytes[3 * KALLES_COLOURS]; /* blue, green, red of each colour */
    double division;                       /* IterDiv */
    double offset;                         /* ColorOffset, in units of 1/KALLES_COLOURS */
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

/* Stores the gradient; from too many colours, evenly spaced ones are chosen. */
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
