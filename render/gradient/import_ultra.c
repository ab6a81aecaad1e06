/* Ultra Fractal's gradients: blocks "name { gradient: index=0 color=255 ... opacity: ... }", where colours
 * are 65536 blue + 256 green + red, and a turn has 400 places. */
#include "render/gradient/import_text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PLACES 400

struct block {
    bool colours; /* within "gradient:" */
    double place; /* that the next colour has; below 0: none was told */
};

/* Their order is that of the file, which need not be the places'. */
static int by_place(const void *a, const void *b) {
    const struct gradient_stop *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static bool read_index(struct import *in, struct block *block, char *value) {
    long index;
    char *at = value;
    if (!import_whole(&at, -100000, 100000, &index) || *at)
        return import_fail(in, "index is not a whole number", value);
    block->place = (double)((index % PLACES + PLACES) % PLACES) / PLACES;
    return true;
}

static bool read_colour(struct import *in, struct block *block, char *value) {
    long bgr;
    char *at = value;
    if (!import_whole(&at, 0, 0xffffff, &bgr) || *at)
        return import_fail(in, "color is not a number from 0 to 16777215", value);
    if (block->place < 0)
        return import_fail(in, "a color without an index before it", value);
    const double place = block->place;
    block->place = -1;
    return import_stop(in, place, bgr & 0xff, bgr >> 8 & 0xff, bgr >> 16 & 0xff);
}

static bool read_pair(struct import *in, struct block *block, char *key, char *value) {
    if (!block->colours)
        return true;
    if (strcasecmp(key, "title") == 0)
        import_name(in, value, strlen(value));
    else if (strcasecmp(key, "smooth") == 0)
        in->named->gradient.interpolation =
            strcasecmp(value, "no") == 0 ? INTERPOLATION_LINEAR : INTERPOLATION_SMOOTH;
    else if (strcasecmp(key, "index") == 0)
        return read_index(in, block, value);
    else if (strcasecmp(key, "color") == 0)
        return read_colour(in, block, value);
    return true;
}

/* Words are "section:", key=value and key="several words". */
static bool read_words(struct import *in, struct block *block, char *line) {
    while (*(line += strspn(line, " \t"))) {
        char *word = line, *equals = word + strcspn(word, "= \t");
        if (*equals != '=') {
            line = equals + (*equals != '\0');
            *equals = '\0';
            const size_t length = strlen(word);
            if (length > 0 && word[length - 1] == ':')
                block->colours = strcasecmp(word, "gradient:") == 0;
            continue;
        }
        *equals = '\0';
        char *value = equals + 1;
        const bool quoted = *value == '"';
        value += quoted;
        char *end = value + strcspn(value, quoted ? "\"" : " \t");
        line = end + (*end != '\0');
        *end = '\0';
        if (!read_pair(in, block, word, value))
            return false;
    }
    return true;
}

static bool read_block(struct import *in, bool *more) {
    struct block block = {.place = -1};
    struct gradient *gradient = &in->named->gradient;
    for (char *line; (line = import_line(in));) {
        if (*line == ';')
            continue;
        if (*line != '}') {
            if (!read_words(in, &block, line))
                return false;
            continue;
        }
        qsort(gradient->stops, (size_t)gradient->count, sizeof *gradient->stops, by_place);
        return import_done(in, more);
    }
    return import_fail(in, "a gradient does not end in", "}");
}

bool import_ultra(struct import *in) {
    bool more = true, any = false;
    for (char *line; more && (line = import_line(in));) {
        char *brace = strchr(line, '{');
        if (!*line || *line == ';')
            continue;
        if (!brace)
            return import_fail(in, "not the beginning of a gradient, NAME {", line);
        gradient_init(&in->named->gradient);
        import_name(in, line, (size_t)(brace - line));
        if (!read_block(in, &more))
            return false;
        any = true;
    }
    return any || import_fail(in, "no gradient in", "this file");
}
