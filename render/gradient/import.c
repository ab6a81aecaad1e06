/* Palette import: detects the format of a palette and reads it; lines and numbers for all
 * readers. */
#include "render/gradient/import.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/gradient/import_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MARK        "\xef\xbb\xbf" /* byte order mark in UTF-8, which some editors write */
#define END_OF_FILE 0x1a           /* end of a DOS text */
#define TITLES_MAX  2              /* most lines above the colours of a map */

/* --- lines and numbers --- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the length of a line end. CR CR LF counts as one, because careless copying makes it of CR
 * LF. */
static size_t line_end_length(const char *end) {
    static const char *const ends[] = {"\r\r\n", "\r\n", "\r", "\n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strncmp(end, ends[i], strlen(ends[i])) == 0)
            return strlen(ends[i]);
    return 0;
}

char *import_line(struct import *in) {
    if (!*in->rest)
        return NULL;
    char *begin = in->rest, *end = begin + strcspn(begin, "\r\n");
    in->rest = end + line_end_length(end);
    in->line++;
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    *end = '\0';
    return begin;
}

bool import_fail(const struct import *in, const char *what, const char *value) {
    char shown[41];
    snprintf(shown, sizeof shown, "%s", value);
    for (char *c = shown; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    log_error("%s:%d: %s: '%s'", in->source, in->line, what, shown);
    return false;
}

static void skip_separators(char **at) {
    while (is_blank(**at))
        ++*at;
    if (**at == ',')
        ++*at;
    while (is_blank(**at))
        ++*at;
}

bool import_number(char **at, double *number) {
    const size_t length = strspn(*at, "0123456789+-.eE");
    char text[INI_NUMBER_SIZE + 32];
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, *at, length);
    text[length] = '\0';
    if (!ini_number(text, number))
        return false;
    *at += length;
    skip_separators(at);
    return true;
}

bool import_whole(char **at, long low, long high, long *whole) {
    char *before = *at;
    double number;
    if (!import_number(at, &number) || number < (double)low || number > (double)high ||
        number != floor(number)) {
        *at = before;
        return false;
    }
    *whole = (long)number;
    return true;
}

/* --- gradients --- */

bool import_stop(struct import *in, double place, long r, long g, long b) {
    struct gradient *gradient = &in->named->gradient;
    if (gradient->count == GRADIENT_STOPS_MAX)
        return import_fail(in, "more colours than", "256");
    gradient->stops[gradient->count++] = (struct gradient_stop){
        .place = place,
        .rgba = (uint32_t)r | (uint32_t)g << 8 | (uint32_t)b << 16 | COLOUR_ALPHA,
    };
    return true;
}

void import_name(struct import *in, const char *name, size_t length) {
    char *to = in->named->name;
    while (length > 0 && is_blank(*name)) {
        name++;
        length--;
    }
    while (length > 0 && is_blank(name[length - 1]))
        length--;
    if (length == 0)
        return;
    palette_text_copy(to, PALETTE_NAME_MAX, name, length);
    for (size_t end = strlen(to); end > 0 && is_blank(to[end - 1]); end--)
        to[end - 1] = '\0';
}

bool import_done(struct import *in, bool *more) {
    const char *problem = gradient_problem(&in->named->gradient);
    if (problem)
        return import_fail(in, "no palette", problem);
    *more = in->each(in->user, in->named);
    return true;
}

/* --- fathom's own format --- */

static bool set_entry(void *user, const char *section, const char *key, const char *value,
                      int line) {
    struct palette_text *text = user;
    if (strcmp(section, "palette") == 0)
        return palette_text_set(text, key, value, line);
    log_error("%s:%d: an entry outside [palette]: '%.60s'", text->source, line, key);
    return false;
}

static bool read_own(const char *source, const char *name, const char *text, size_t length,
                     import_fn *each, void *user) {
    struct palette_text *read = malloc(sizeof *read);
    if (!read) {
        log_error("%s: not enough memory", source);
        return false;
    }
    palette_text_begin(read, source, name);
    const bool ok = ini_read(source, text, length, set_entry, read) && palette_text_end(read);
    if (ok)
        each(user, &read->named);
    free(read);
    return ok;
}

/* --- formats --- */

static bool begins(const char *p, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - p) >= length && strncasecmp(p, word, length) == 0;
}

static bool is_in_coordinate(char c) {
    return c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

/* Returns true for a line "R G B" with an optional remark, unless a number looks like a
 * coordinate. */
static bool is_colour_line(const char *p, const char *end) {
    int numbers = 0;
    while (numbers < 3 && p < end && *p >= '0' && *p <= '9') {
        const char *digits = p;
        while (p < end && *p >= '0' && *p <= '9')
            p++;
        if (p - digits > 3 || (p < end && (numbers < 2 ? !is_blank(*p) : is_in_coordinate(*p))))
            return false;
        while (p < end && is_blank(*p))
            p++;
        numbers++;
    }
    return numbers == 3;
}

/* Returns the text after "NAME {" in a line, or the whole line. */
static const char *after_brace(const char *p, const char *end) {
    const char *brace = memchr(p, '{', (size_t)(end - p));
    for (p = brace ? brace + 1 : p; p < end && is_blank(*p);)
        p++;
    return p;
}

static enum import_kind kind_of_line(const char *p, const char *end) {
    if (begins(p, end, "GIMP Gradient"))
        return IMPORT_GIMP;
    if (begins(p, end, "GIMP Palette"))
        return IMPORT_GIMP_LIST;
    if (begins(after_brace(p, end), end, "gradient:"))
        return IMPORT_ULTRA;
    if (begins(p, end, "Colors:"))
        return IMPORT_KALLES;
    return begins(p, end, "[palette]") ? IMPORT_OWN : IMPORT_NONE;
}

/* Returns the length of a text up to the byte that ends a DOS text. */
static size_t length_in_dos(const char *text, size_t length) {
    const char *end = memchr(text, END_OF_FILE, length);
    return end ? (size_t)(end - text) : length;
}

static const char *end_of_line(const char *p, const char *end) {
    while (p < end && *p != '\n' && *p != '\r')
        p++;
    return p;
}

enum import_kind import_kind(const char *text, size_t length) {
    const char *end = text + length_in_dos(text, length), *p = text, *line_end;
    enum import_kind kind = IMPORT_NONE;
    int colours = 0, others = 0;
    if (begins(p, end, MARK))
        p += strlen(MARK);
    for (; p < end; p = line_end + (line_end < end)) {
        line_end = end_of_line(p, end);
        while (p < line_end && is_blank(*p))
            p++;
        if (kind == IMPORT_NONE)
            kind = kind_of_line(p, line_end);
        else if (kind == IMPORT_OWN && begins(p, line_end, "[") &&
                 !begins(p, line_end, "[palette]"))
            return IMPORT_NONE;
        if (kind != IMPORT_NONE && kind != IMPORT_OWN)
            return kind;
        if (kind == IMPORT_NONE && begins(p, line_end, "["))
            return IMPORT_NONE;
        const bool empty = p == line_end || *p == '#' || *p == ';';
        if (!empty && is_colour_line(p, line_end))
            colours++;
        else if (!empty && colours < 2)
            others++;
    }
    return kind == IMPORT_NONE && colours >= 2 && others <= TITLES_MAX ? IMPORT_MAP : kind;
}

static bool read_foreign(enum import_kind kind, struct import *in) {
    return kind == IMPORT_MAP         ? import_map(in)
           : kind == IMPORT_KALLES    ? import_kalles(in)
           : kind == IMPORT_ULTRA     ? import_ultra(in)
           : kind == IMPORT_GIMP_LIST ? import_gimp_list(in)
                                      : import_gimp(in);
}

bool import_read(const char *source, const char *name, const char *text, size_t length,
                 import_fn *each, void *user) {
    require(source && name && text && each, false);
    if (length > IMPORT_TEXT_MAX) {
        log_error("%s: too large for a palette: more than %d bytes", source, IMPORT_TEXT_MAX);
        return false;
    }
    const enum import_kind kind = import_kind(text, length);
    if (kind == IMPORT_NONE || kind == IMPORT_OWN)
        return read_own(source, name, text, length, each, user);
    length = length_in_dos(text, length);
    struct named_gradient *named = calloc(1, sizeof *named);
    char *copy = strndup(text, length);
    struct import in = {source, copy, 0, each, user, named};
    bool ok = named && copy;
    if (!ok)
        log_error("%s: not enough memory", source);
    else if (strlen(copy) != length)
        ok = import_fail(&in, "a NUL byte; this is not a text file", "");
    if (ok) {
        if (begins(copy, copy + length, MARK))
            in.rest += strlen(MARK);
        gradient_init(&named->gradient);
        import_name(&in, name, strlen(name));
        ok = read_foreign(kind, &in);
    }
    free(copy);
    free(named);
    return ok;
}
