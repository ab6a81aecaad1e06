/* INI reader: parses one copy of the text and cuts it in place, because values may be a hundred
 * thousand digits long. */
#include "render/base/ini.h"
#include "render/base/log.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRONG_MAX 20 /* number of wrong lines after which the lenient reader stops */
#define DIGITS    "0123456789"

struct parser {
    const char *source;
    const char *section;
    int line;
    bool tolerant;
    ini_entry_fn entry;
    void *user;
};

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Cuts white space off both ends of [begin, end) and terminates it; *end may be overwritten. */
static char *trim(char *begin, char *end) {
    while (begin < end && is_space(*begin))
        begin++;
    while (begin < end && is_space(end[-1]))
        end--;
    *end = '\0';
    return begin;
}

static bool fail(const struct parser *parser, const char *what) {
    log_message(parser->tolerant ? LOG_WARN : LOG_ERROR, "%s:%d: %s%s", parser->source,
                parser->line, what, parser->tolerant ? "; ignored" : "");
    return false;
}

static bool read_section(struct parser *parser, char *line, char *end) {
    parser->section = NULL;
    if (end[-1] != ']')
        return fail(parser, "a section header does not end in ']'");
    parser->section = trim(line + 1, end - 1);
    return true;
}

static bool read_entry(struct parser *parser, char *line, char *end) {
    char *equals = memchr(line, '=', (size_t)(end - line));
    if (!equals)
        return fail(parser, "neither '[section]' nor 'key = value' nor a comment; is this a text "
                            "file?");
    const char *value = trim(equals + 1, end);
    const char *key = trim(line, equals);
    if (!*key)
        return fail(parser, "no key before '='");
    if (!parser->section)
        return true; /* entry of a section whose header was wrong */
    return parser->entry(parser->user, parser->section, key, value, parser->line);
}

static bool read_line(struct parser *parser, char *begin, char *end) {
    for (const char *p = begin; p < end; p++)
        if ((unsigned char)*p < ' ' && !is_space(*p))
            return fail(parser, "a control character; this is not a text file");
    char *line = trim(begin, end);
    if (*line == '\0' || *line == '#' || *line == ';')
        return true;
    end = line + strlen(line);
    return *line == '[' ? read_section(parser, line, end) : read_entry(parser, line, end);
}

static bool read_text(struct parser *parser, const char *text, size_t length) {
    static const char mark[] = "\xef\xbb\xbf"; /* byte order mark, which some editors write */
    char *copy = malloc(length + 1);
    if (!copy) {
        log_error("%s: not enough memory", parser->source);
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *const end = copy + length;
    char *line = length >= 3 && memcmp(copy, mark, 3) == 0 ? copy + 3 : copy;
    bool ok = true;
    int wrong = 0;
    while ((ok || parser->tolerant) && wrong < WRONG_MAX && line < end) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        char *line_end = newline ? newline : end;
        parser->line++;
        ok = read_line(parser, line, line_end);
        wrong += !ok;
        line = line_end + 1;
    }
    if (wrong == WRONG_MAX)
        log_warn("%s:%d: too many errors; the rest is ignored", parser->source, parser->line);
    free(copy);
    return ok;
}

bool ini_read(const char *source, const char *text, size_t length, ini_entry_fn entry, void *user) {
    struct parser parser = {.source = source, .section = "", .entry = entry, .user = user};
    return read_text(&parser, text, length);
}

void ini_read_leniently(const char *source, const char *text, size_t length, ini_entry_fn entry,
                        void *user) {
    struct parser parser = {
        .source = source, .section = "", .tolerant = true, .entry = entry, .user = user};
    read_text(&parser, text, length);
}

bool ini_number(const char *text, double *number) {
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
        return false;
    char *end;
    const double value = strtod(text, &end);
    if (*end || !isfinite(value))
        return false;
    *number = value;
    return true;
}

void ini_number_text(double number, char text[static INI_NUMBER_SIZE]) {
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, INI_NUMBER_SIZE, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
}

bool ini_whole(const char *text, uint64_t *whole) {
    if (!*text || strspn(text, "0123456789") != strlen(text))
        return false;
    *whole = strtoull(text, NULL, 10);
    return true;
}

/* Returns the power of ten that a suffix of a number means (k, M, G, T, or e and an exponent), or
 * -1 if the suffix is not valid. */
static int power_of_ten(const char *ending) {
    static const char letters[] = "kMGT";
    uint64_t power = 0;
    if (!*ending)
        return 0;
    if (*ending == 'e' || *ending == 'E')
        return ini_whole(ending + 1, &power) && power < 100 ? (int)power : -1;
    const char *letter = *ending == 'K' ? letters : strchr(letters, *ending);
    return letter && !ending[1] ? 3 * (int)(letter - letters + 1) : -1;
}

bool ini_count(const char *text, uint64_t *count) {
    const size_t whole = strspn(text, DIGITS);
    const size_t decimals = text[whole] == '.' ? strspn(text + whole + 1, DIGITS) : 0;
    const char *decimal = text + whole + 1;
    const size_t length = whole + (decimals > 0 ? 1 + decimals : 0);
    const int power = power_of_ten(text + length);
    uint64_t number = 0;
    if (whole == 0 || power < 0 || decimals > (size_t)power)
        return false;
    for (size_t i = 0; i < whole + (size_t)power; i++) {
        const size_t behind = i < whole ? 0 : i - whole;
        const char digit = i < whole ? text[i] : behind < decimals ? decimal[behind] : '0';
        const uint64_t next = (uint64_t)(digit - '0');
        number = number > (UINT64_MAX - next) / 10 ? UINT64_MAX : 10 * number + next;
    }
    *count = number;
    return true;
}

bool ini_key(const char *text, uint64_t *key) {
    uint64_t whole;
    errno = 0;
    if (!ini_whole(text, &whole) || errno == ERANGE)
        return false;
    *key = whole;
    return true;
}

int ini_choice(const char *text, const char *const *choices) {
    for (int i = 0; choices[i]; i++)
        if (strcmp(text, choices[i]) == 0)
            return i;
    return -1;
}
