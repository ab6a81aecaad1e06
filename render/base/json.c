/* JSON output: prints strings and numbers, which printf alone gets wrong. */
#include "render/base/json.h"
#include "render/base/log.h"
#include <math.h>
#include <stdbool.h>

/* Escapes a character that a string may not contain: control characters by number, bytes that are
 * not UTF-8 as U+FFFD. Returns its length [bytes]. */
static size_t put_hidden(FILE *file, const unsigned char *text) {
    const bool wide = text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0;
    const unsigned code = wide ? text[1] : text[0] < 0x80 ? text[0] : 0xfffd;
    fprintf(file, "\\u%04x", code);
    return wide ? 2 : 1;
}

void json_string(FILE *file, const char *text) {
    fputc('"', file);
    while (*text) {
        const size_t length = log_shown_length(text);
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        if (length > 0)
            fwrite(text, 1, length, file);
        text += length > 0 ? length : put_hidden(file, (const unsigned char *)text);
    }
    fputc('"', file);
}

void json_number(FILE *file, double number) {
    if (isfinite(number))
        fprintf(file, "%.17g", number);
    else
        fputs("null", file);
}

static void begin_member(FILE *file, const char *name) {
    json_string(file, name);
    fprintf(file, ": ");
}

void json_member_text(FILE *file, const char *name, const char *text, const char *end) {
    begin_member(file, name);
    json_string(file, text);
    fprintf(file, "%s", end);
}

void json_member_number(FILE *file, const char *name, double number, const char *end) {
    begin_member(file, name);
    json_number(file, number);
    fprintf(file, "%s", end);
}
