/* Parser of typed coordinates: reads the numbers of a location in turn; commas are separators or
 * decimal commas. */
#include "render/files/coordinates.h"
#include "render/base/log.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SEPARATORS " \t\r\n,;()"
#define BLANKS     " \t\r\n"
#define DIGITS     "0123456789"
#define LETTERS    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Characters that web pages and word processors use instead of '-' and ' ', in UTF-8. */
static const struct {
    const char *text;
    char plain;
} typographic[] = {
    {"\xe2\x88\x92", '-'}, /* minus */
    {"\xe2\x80\x93", '-'}, /* en dash */
    {"\xc2\xa0", ' '},     /* no-break space */
};

/* Returns the plain character that [p, end) begins with, or '\0' at the end. Sets *length to the
 * number of bytes that it occupies. */
static char plain_at(const char *p, const char *end, size_t *length) {
    for (size_t i = 0; i < sizeof typographic / sizeof *typographic; i++) {
        *length = strlen(typographic[i].text);
        if ((size_t)(end - p) >= *length && memcmp(p, typographic[i].text, *length) == 0)
            return typographic[i].plain;
    }
    *length = p < end;
    return p < end ? *p : '\0';
}

void coordinates_make_plain(char *text) {
    const char *end = text + strlen(text);
    size_t length;
    for (const char *p = text; p < end; p += length)
        *text++ = plain_at(p, end, &length);
    *text = '\0';
}

/* --- tokens --- */

struct cursor {
    const char *begin, *p;
    int line;
    bool decimal;
};

static bool is_one_of(char c, const char *set) {
    return c && strchr(set, c);
}

static void skip(struct cursor *c, const char *set) {
    for (; is_one_of(*c->p, set); c->p++)
        c->line += *c->p == '\n';
}

static bool is_between_digits(const struct cursor *c) {
    return c->p > c->begin && is_one_of(c->p[-1], DIGITS) && is_one_of(c->p[1], DIGITS);
}

static bool at_end(struct cursor *c) {
    for (; is_one_of(*c->p, SEPARATORS) && !(c->decimal && *c->p == ',' && is_between_digits(c));
         c->p++)
        c->line += *c->p == '\n';
    return *c->p == '\0';
}

/* Skips a label such as "im:", "im =" or "im" and returns its coordinate. Returns COORDINATES if
 * there is no label. */
static enum coordinate take_label(struct cursor *c) {
    static const struct {
        const char *name;
        enum coordinate id;
    } labels[] = {
        {"re", COORDINATE_RE},        {"real", COORDINATE_RE},
        {"x", COORDINATE_RE},         {"c", COORDINATE_RE},
        {"center", COORDINATE_RE},    {"centre", COORDINATE_RE},
        {"im", COORDINATE_IM},        {"imag", COORDINATE_IM},
        {"imaginary", COORDINATE_IM}, {"y", COORDINATE_IM},
        {"zoom", COORDINATE_ZOOM},    {"mag", COORDINATE_ZOOM},
        {"limit", COORDINATE_LIMIT},  {"magnification", COORDINATE_ZOOM},
        {"iter", COORDINATE_LIMIT},   {"iterations", COORDINATE_LIMIT},
        {"angle", COORDINATE_ANGLE},  {"rotation", COORDINATE_ANGLE},
    };
    const size_t length = strspn(c->p, LETTERS);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (strlen(labels[i].name) != length || strncasecmp(c->p, labels[i].name, length) != 0)
            continue;
        const char *p = c->p + length + strspn(c->p + length, " \t");
        if (is_one_of(*p, ":="))
            p += 1 + strspn(p + 1, BLANKS);
        else if (p == c->p + length || !is_one_of(*p, "+-." DIGITS))
            continue;
        for (; c->p < p; c->p++)
            c->line += *c->p == '\n';
        return labels[i].id;
    }
    return COORDINATES;
}

static void skip_exponent(struct cursor *c) {
    const char *p = c->p + is_one_of(*c->p, "eE");
    p += p > c->p && is_one_of(*p, "+-");
    if (p > c->p && is_one_of(*p, DIGITS))
        c->p = p + strspn(p, DIGITS);
}

/* Skips a number without its sign. Returns false if there is none. */
static bool skip_number(struct cursor *c) {
    const char *begin = c->p;
    skip(c, DIGITS);
    if (*c->p == '.' || (c->decimal && c->p > begin && *c->p == ',' && is_between_digits(c)))
        c->p++;
    skip(c, DIGITS);
    if (c->p == begin || (c->p == begin + 1 && *begin == '.'))
        return false;
    skip_exponent(c);
    return true;
}

/* Reads a number. Blanks may stand between a sign and its number, as in "0.1 + 0.2i". */
static bool take_number(struct cursor *c, struct coordinates *found, enum coordinate id) {
    const bool negative = *c->p == '-';
    if (is_one_of(*c->p, "+-"))
        c->p++;
    skip(c, " \t");
    const struct cursor begin = *c;
    if (!skip_number(c))
        return false;
    found->number[id].text = begin.p;
    found->number[id].length = (size_t)(c->p - begin.p);
    found->number[id].negative = negative;
    found->number[id].line = begin.line;
    return true;
}

/* Skips the i, or "*i", after an imaginary part, unless the i begins a word. */
static void skip_unit(struct cursor *c) {
    const char *p = c->p + strspn(c->p, " \t*");
    if (is_one_of(*p, "iIjJ") && !isalpha((unsigned char)p[1]))
        c->p = p + 1;
}

/* --- locations --- */

enum reading { READ, NO_NUMBER, TOO_MUCH, NO_CENTRE, NO_ZOOM };

/* Reads all numbers of a text. On an error *c stays at the wrong place. */
static enum reading read_numbers(struct cursor *c, struct coordinates *found) {
    enum coordinate next = COORDINATE_RE;
    *found = (struct coordinates){.decimal = c->decimal};
    while (!at_end(c)) {
        const struct cursor before = *c;
        enum coordinate id = take_label(c);
        if (id == COORDINATES)
            id = next;
        if (id == COORDINATES || found->number[id].text) {
            *c = before;
            return TOO_MUCH;
        }
        next = id < COORDINATE_LIMIT ? id + 1 : COORDINATES;
        if (!take_number(c, found, id))
            return NO_NUMBER;
        if (id == COORDINATE_IM)
            skip_unit(c);
    }
    return !found->number[COORDINATE_RE].text || !found->number[COORDINATE_IM].text ? NO_CENTRE
           : !found->number[COORDINATE_ZOOM].text                                   ? NO_ZOOM
                                                                                    : READ;
}

static bool may_have_decimal_commas(const char *text) {
    struct cursor c = {.begin = text, .p = text};
    bool any = false;
    for (; *c.p; c.p++)
        any |= *c.p == ',' && is_between_digits(&c);
    return any && !strchr(text, '.');
}

static bool fail(const char *source, const struct cursor *c, enum reading reading) {
    static const char expected[] = "expected 're im zoom' or 're + im i zoom'";
    const char *dots = strlen(c->p) > 40 ? "..." : "";
    if (reading == NO_ZOOM)
        log_error("%s: the zoom is missing: %s", source, expected);
    else if (reading == TOO_MUCH)
        log_error("%s:%d: unexpected text after the coordinates: '%.40s%s'", source, c->line, c->p,
                  dots);
    else
        log_error("%s:%d: this is not a location: %s: '%.40s%s'", source, c->line, expected, c->p,
                  dots);
    return false;
}

bool coordinates_find(const char *source, const char *text, struct coordinates *found) {
    struct cursor c = {text, text, 1, false};
    enum reading reading = read_numbers(&c, found);
    if (!may_have_decimal_commas(text))
        return reading == READ || fail(source, &c, reading);
    struct coordinates other;
    struct cursor end = {text, text, 1, true};
    const enum reading decimal = read_numbers(&end, &other);
    if (reading == READ && decimal == READ && !strchr(text, '(')) {
        log_error("%s: a comma may be a decimal one here, or separate two numbers: write points, "
                  "or blanks between the numbers",
                  source);
        return false;
    }
    if (reading != READ && (decimal == READ || decimal == NO_ZOOM)) {
        *found = other;
        c = end;
        reading = decimal;
    }
    return reading == READ || fail(source, &c, reading);
}

bool coordinates_begin_number(const char *p, const char *end) {
    size_t length;
    return is_one_of(plain_at(p, end, &length), "+-." DIGITS);
}

/* Returns true if [p, end) begins with a number, with or without blanks and a label in front. Sets
 * *id to the label's coordinate. */
static bool begin(const char *p, const char *end, enum coordinate *id) {
    char start[64];
    size_t length, used = 0;
    while (p < end && is_one_of(plain_at(p, end, &length), SEPARATORS))
        p += length;
    for (const char *q = p; q < end && used < sizeof start - 1; q += length)
        start[used++] = plain_at(q, end, &length);
    start[used] = '\0';
    struct cursor c = {start, start, 1, false};
    *id = take_label(&c);
    return is_one_of(*c.p, "+-." DIGITS);
}

bool coordinates_begin(const char *p, const char *end) {
    enum coordinate id;
    return begin(p, end, &id);
}

bool coordinates_begin_label(const char *p, const char *end) {
    enum coordinate id;
    return begin(p, end, &id) && id < COORDINATES;
}

bool coordinates_are(const char *word) {
    char *text = strdup(word);
    struct coordinates found;
    int count = 0;
    if (!text)
        return false;
    coordinates_make_plain(text);
    struct cursor c = {text, text, 1, false};
    for (bool more = true; more && !at_end(&c); count += more) {
        take_label(&c);
        more = take_number(&c, &found, COORDINATE_RE);
        if (more)
            skip_unit(&c);
    }
    const bool are = count > 1 && *c.p == '\0' && strpbrk(text, SEPARATORS);
    free(text);
    return are;
}
