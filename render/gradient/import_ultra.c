/* Palette import, Ultra Fractal: blocks "name { gradient: index=0 color=255 ... opacity: ... }". A
 * colour is 65536 blue + 256 green + red, and a turn has 400 places. Blocks of parameter files have
 * a gradient for each layer, and other blocks have none. Text outside blocks is ignored. */
#include "render/gradient/import_text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PLACES 400

struct block {
    struct import *in;
    char *at;                             /* rest of the line; NULL: end of the text */
    char file_name[PALETTE_NAME_MAX + 1]; /* name of blocks without a name */
    char name[PALETTE_NAME_MAX + 1];
    int gradients; /* number of gradients that have begun in the block */
    bool comment;
    bool colours; /* inside "gradient:" */
    double place; /* place of the next colour; negative: no index yet */
    bool more;    /* the callback accepts another gradient */
};

/* Compares stops by place: files list them in any order. */
static int by_place(const void *a, const void *b) {
    const struct gradient_stop *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* --- gradients --- */

static bool end_gradient(struct block *b) {
    struct gradient *gradient = &b->in->named->gradient;
    if (b->gradients == 0)
        return true;
    qsort(gradient->stops, (size_t)gradient->count, sizeof *gradient->stops, by_place);
    return import_done(b->in, &b->more);
}

/* Begins a gradient with its block's name; the second of a block is "NAME 2". */
static bool begin_gradient(struct block *b) {
    char name[PALETTE_NAME_MAX + 16];
    if (!end_gradient(b))
        return false;
    b->gradients++;
    b->place = -1;
    gradient_init(&b->in->named->gradient);
    snprintf(name, sizeof name, b->gradients > 1 ? "%s %d" : "%s", b->name, b->gradients);
    import_name(b->in, name, strlen(name));
    return true;
}

static bool read_index(struct block *b, char *value) {
    long index;
    char *at = value;
    if (!import_whole(&at, -100000, 100000, &index) || *at)
        return import_fail(b->in, "index is not a whole number", value);
    b->place = (double)((index % PLACES + PLACES) % PLACES) / PLACES;
    return true;
}

static bool read_colour(struct block *b, char *value) {
    long bgr;
    char *at = value;
    if (!import_whole(&at, 0, 0xffffff, &bgr) || *at)
        return import_fail(b->in, "color is not a number from 0 to 16777215", value);
    if (b->place < 0)
        return import_fail(b->in, "a color without an index before it", value);
    const double place = b->place;
    b->place = -1;
    return import_stop(b->in, place, bgr & 0xff, bgr >> 8 & 0xff, bgr >> 16 & 0xff);
}

static bool read_pair(struct block *b, const char *key, char *value) {
    if (!b->colours)
        return true;
    if (strcasecmp(key, "title") == 0)
        import_name(b->in, value, strlen(value));
    else if (strcasecmp(key, "smooth") == 0)
        b->in->named->gradient.interpolation =
            strcasecmp(value, "no") == 0 ? INTERPOLATION_LINEAR : INTERPOLATION_SMOOTH;
    else if (strcasecmp(key, "index") == 0)
        return read_index(b, value);
    else if (strcasecmp(key, "color") == 0)
        return read_colour(b, value);
    return true;
}

static bool read_section(struct block *b, const char *word) {
    const size_t length = strlen(word);
    if (length == 0 || word[length - 1] != ':')
        return true;
    b->colours = strcasecmp(word, "gradient:") == 0;
    return !b->colours || begin_gradient(b);
}

/* --- words --- */

/* Moves to the next word, across line ends and remarks. Returns false at the end of the text. */
static bool find_word(struct block *b) {
    while (b->at) {
        b->at += strspn(b->at, " \t");
        if (*b->at && *b->at != ';')
            return true;
        b->at = import_line(b->in);
    }
    return false;
}

/* Reads "section:", key=value or key="several words". A brace ends a word as well, and is not
 * consumed. */
static bool read_word(struct block *b) {
    char *word = b->at, *end = word + strcspn(word, "= \t}"), *value = NULL;
    bool quoted = false;
    if (*end == '=') {
        *end = '\0';
        value = end + 1;
        quoted = *value == '"';
        value += quoted;
        end = value + strcspn(value, quoted ? "\"" : " \t}");
    }
    const char after = *end;
    *end = '\0';
    const bool ok = value ? read_pair(b, word, value) : read_section(b, word);
    *end = after;
    b->at = end + (quoted && after);
    return ok;
}

/* --- blocks --- */

/* Skips a comment up to a brace at the start or end of a line; other braces belong to the
 * comment. */
static bool pass_comment(struct block *b) {
    while (b->at && *b->at != '}' && (!*b->at || b->at[strlen(b->at) - 1] != '}'))
        b->at = import_line(b->in);
    if (!b->at)
        return import_fail(b->in, "a comment does not end in", "}");
    b->at = import_line(b->in);
    return true;
}

static bool read_block(struct block *b) {
    if (b->comment)
        return pass_comment(b);
    while (b->more && find_word(b)) {
        if (*b->at != '}') {
            if (!read_word(b))
                return false;
            continue;
        }
        b->at++;
        return end_gradient(b);
    }
    return !b->more || import_fail(b->in, "a gradient does not end in", "}");
}

/* Moves past the next "NAME {". Returns false if there is no further block. */
static bool find_block(struct block *b) {
    while (find_word(b)) {
        char *brace = strchr(b->at, '{'), *name = b->at;
        b->at = brace ? brace + 1 : import_line(b->in);
        if (!brace)
            continue;
        memcpy(b->in->named->name, b->file_name, sizeof b->file_name);
        import_name(b->in, name, (size_t)(brace - name));
        memcpy(b->name, b->in->named->name, sizeof b->name);
        b->comment =
            strncasecmp(name, "comment", 7) == 0 && name + 7 + strspn(name + 7, " \t") == brace;
        b->gradients = 0;
        b->colours = false;
        return true;
    }
    return false;
}

bool import_ultra(struct import *in) {
    struct block block = {.in = in, .at = import_line(in), .more = true};
    bool any = false;
    memcpy(block.file_name, in->named->name, sizeof block.file_name);
    while (block.more && find_block(&block)) {
        if (!read_block(&block))
            return false;
        any |= block.gradients > 0;
    }
    return any || import_fail(in, "no gradient in", "this file");
}
