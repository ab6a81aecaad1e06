/* TOML reader: parses the text in one pass, and copies each value into one buffer. */
#include "render/files/toml.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 200 /* [bytes] longest name of a table or key, with dots */

struct parser {
    const char *source;
    const char *p, *end;
    int line;
    char table[PATH_MAX_BYTES];
    char *value; /* has the size of the whole text */
    size_t length;
    toml_entry_fn entry;
    void *user;
};

static bool fail(const struct parser *parser, const char *what) {
    log_error("%s:%d: %s", parser->source, parser->line, what);
    return false;
}

/* Returns the next character, or '\0' at the end. */
static char peek(const struct parser *parser) {
    return parser->p < parser->end ? *parser->p : '\0';
}

static bool take(struct parser *parser, const char *text) {
    const size_t length = strlen(text);
    if ((size_t)(parser->end - parser->p) < length || memcmp(parser->p, text, length) != 0)
        return false;
    parser->p += length;
    return true;
}

static void skip_blanks(struct parser *parser) {
    while (peek(parser) == ' ' || peek(parser) == '\t')
        parser->p++;
}

static void skip_comment(struct parser *parser) {
    if (peek(parser) == '#')
        while (parser->p < parser->end && *parser->p != '\n')
            parser->p++;
}

/* Checks that the rest of the line contains only a comment, and moves to the next line. */
static bool end_line(struct parser *parser) {
    skip_blanks(parser);
    skip_comment(parser);
    if (peek(parser) == '\r')
        parser->p++;
    if (parser->p == parser->end)
        return true;
    if (*parser->p != '\n')
        return fail(parser, "unexpected text at the end of the line");
    parser->p++;
    parser->line++;
    return true;
}

static bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/* --- keys --- */

static bool append(char *path, const char *part, size_t length) {
    const size_t used = strlen(path);
    if (used + length + 2 > PATH_MAX_BYTES)
        return false;
    if (used > 0)
        path[used] = '.';
    memcpy(path + used + (used > 0), part, length);
    path[used + (used > 0) + length] = '\0';
    return true;
}

/* Appends a bare or quoted part of a key to a path. */
static bool take_part(struct parser *parser, char *path) {
    const char quote = peek(parser);
    const bool quoted = quote == '"' || quote == '\'';
    const char *begin = parser->p += quoted;
    while (parser->p < parser->end &&
           (quoted ? *parser->p != quote && *parser->p != '\n' : is_bare(*parser->p)))
        parser->p++;
    const size_t length = (size_t)(parser->p - begin);
    if (quoted && peek(parser) != quote)
        return fail(parser, "a key's quotes do not end");
    parser->p += quoted;
    if (length == 0)
        return fail(parser, "neither '[table]' nor 'key = value' nor a comment");
    return (memchr(begin, '\0', length) == NULL && append(path, begin, length)) ||
           fail(parser, "a key is too long");
}

/* Reads a dotted key, such as a.b.c, and appends it to a path. */
static bool take_path(struct parser *parser, char *path) {
    do {
        skip_blanks(parser);
        if (!take_part(parser, path))
            return false;
        skip_blanks(parser);
    } while (take(parser, "."));
    return true;
}

/* --- values --- */

static bool put(struct parser *parser, char c) {
    parser->value[parser->length++] = c;
    return c != '\0' || fail(parser, "a NUL byte; this is not a text file");
}

/* Skips white space with line ends, after a backslash. Returns false if no line end follows. */
static bool skip_line_ends(struct parser *parser) {
    const char *p = parser->p;
    int lines = 0;
    while (p < parser->end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
        lines += *p++ == '\n';
    if (lines == 0)
        return false;
    parser->p = p;
    parser->line += lines;
    return true;
}

static bool take_escape(struct parser *parser, bool multiline) {
    static const char names[] = "btnfr\"\\", codes[] = "\b\t\n\f\r\"\\";
    if (multiline && skip_line_ends(parser))
        return true;
    const char c = peek(parser);
    const char *name = c ? strchr(names, c) : NULL;
    if (!name)
        return fail(parser, "a string has an unknown escape");
    parser->p++;
    return put(parser, codes[name - names]);
}

/* Reads a string after its opening quotes, which are one or three. */
static bool take_string(struct parser *parser, const char *quotes, bool escapes) {
    const bool multiline = strlen(quotes) == 3;
    const int first = parser->line;
    if (multiline && (take(parser, "\n") || take(parser, "\r\n")))
        parser->line++;
    while (!take(parser, quotes)) {
        const char c = peek(parser);
        if (parser->p == parser->end || (c == '\n' && !multiline)) {
            parser->line = first;
            return fail(parser, "a string does not end");
        }
        parser->p++;
        parser->line += c == '\n';
        if (c == '\\' && escapes ? !take_escape(parser, multiline) : !put(parser, c))
            return false;
    }
    return true;
}

static bool take_quoted(struct parser *parser) {
    return take(parser, "\"\"\"") ? take_string(parser, "\"\"\"", true)
           : take(parser, "'''")  ? take_string(parser, "'''", false)
           : take(parser, "\"")   ? take_string(parser, "\"", true)
                                  : take(parser, "'") && take_string(parser, "'", false);
}

static bool at_quote(const struct parser *parser) {
    return peek(parser) == '"' || peek(parser) == '\'';
}

/* Skips an item of an array, and counts brackets. *depth is 0 behind the bracket that closes the
 * array. */
static bool skip_item(struct parser *parser, int *depth) {
    const char c = peek(parser);
    if (at_quote(parser)) {
        parser->length = 0;
        return take_quoted(parser);
    }
    if (c == '#') {
        skip_comment(parser);
        return true;
    }
    parser->p++;
    parser->line += c == '\n';
    *depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    return true;
}

static bool read_value(struct parser *parser, const char *key);

static void skip_space(struct parser *parser) {
    for (;; parser->p++) {
        skip_comment(parser);
        const char c = peek(parser);
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            return;
        parser->line += c == '\n';
    }
}

/* Reads "{ key = value, key = value }". Each level lengthens the path, so PATH_MAX_BYTES limits the
 * recursion. */
static bool read_inline(struct parser *parser, const char *table) {
    const int first = parser->line;
    parser->p++;
    skip_space(parser);
    while (!take(parser, "}")) {
        char key[PATH_MAX_BYTES];
        memcpy(key, table, sizeof key);
        if (!take_path(parser, key) ||
            !(take(parser, "=") || fail(parser, "no '=' after a key of an inline table")) ||
            !read_value(parser, key))
            return false;
        skip_space(parser);
        if (!take(parser, ",") && peek(parser) != '}') {
            parser->line = first;
            return fail(parser, "an inline table does not end in '}'");
        }
        skip_space(parser);
    }
    return true;
}

/* Reads the tables in an array, and skips its other items. */
static bool read_array(struct parser *parser, const char *key) {
    const int first = parser->line;
    int depth = 0;
    do {
        if (parser->p == parser->end) {
            parser->line = first;
            return fail(parser, "a bracket is not closed");
        }
        if (depth == 1 && peek(parser) == '{') {
            if (!parser->entry(parser->user, key, NULL, parser->line) || !read_inline(parser, key))
                return false;
        } else if (!skip_item(parser, &depth)) {
            return false;
        }
    } while (depth > 0);
    return true;
}

static bool take_word(struct parser *parser) {
    while (parser->p < parser->end && !strchr(" \t\r\n#,}", *parser->p))
        if (!put(parser, *parser->p++))
            return false;
    return parser->length > 0 || fail(parser, "no value after '='");
}

static bool read_value(struct parser *parser, const char *key) {
    const int line = parser->line;
    parser->length = 0;
    skip_blanks(parser);
    if (peek(parser) == '[' || peek(parser) == '{')
        return peek(parser) == '[' ? read_array(parser, key) : read_inline(parser, key);
    if (at_quote(parser) ? !take_quoted(parser) : !take_word(parser))
        return false;
    parser->value[parser->length] = '\0';
    return parser->entry(parser->user, key, parser->value, line);
}

/* --- lines --- */

static bool read_table(struct parser *parser) {
    const bool array = take(parser, "[[");
    parser->p += !array;
    *parser->table = '\0';
    return take_path(parser, parser->table) &&
           (take(parser, array ? "]]" : "]") ||
            fail(parser, "a table's name does not end in ']'")) &&
           (!array || parser->entry(parser->user, parser->table, NULL, parser->line));
}

static bool read_entry(struct parser *parser) {
    char key[PATH_MAX_BYTES];
    memcpy(key, parser->table, sizeof key);
    return take_path(parser, key) &&
           (take(parser, "=") || fail(parser, "no '=' after a key; is this a text file?")) &&
           read_value(parser, key);
}

static bool read_line(struct parser *parser) {
    skip_blanks(parser);
    const char c = peek(parser);
    const bool empty = parser->p == parser->end || c == '\n' || c == '\r' || c == '#';
    return (empty || (c == '[' ? read_table(parser) : read_entry(parser))) && end_line(parser);
}

bool toml_read(const char *source, const char *text, size_t length, toml_entry_fn entry,
               void *user) {
    struct parser parser = {.source = source,
                            .p = text,
                            .end = text + length,
                            .line = 1,
                            .value = malloc(length + 2),
                            .entry = entry,
                            .user = user};
    if (!parser.value) {
        log_error("%s: not enough memory", source);
        return false;
    }
    take(&parser, "\xef\xbb\xbf"); /* byte order mark of UTF-8, which some editors write */
    bool ok = true;
    while (ok && parser.p < parser.end)
        ok = read_line(&parser);
    free(parser.value);
    return ok;
}
