/* Messages for people: formatting, escaping, one write per line. */
#include "render/log.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#define LOG_LINE_MAX 1000

static atomic_int threshold = LOG_WARN;

void log_set_level(enum log_level level) {
    atomic_store(&threshold, (int)level);
}

/* Copies `text`, control characters as \xNN; returns the length written. */
static size_t escape(char *out, size_t size, const char *text) {
    size_t used = 0;
    for (; *text && used + 5 < size; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            used += (size_t)snprintf(out + used, size - used, "\\x%02x", c);
        else
            out[used++] = (char)c;
    }
    out[used] = '\0';
    return used;
}

void log_message(enum log_level level, const char *format, ...) {
    static const char *const prefixes[] = {"error: ", "warning: ", "", "debug: "};
    if ((int)level > atomic_load(&threshold))
        return;
    char text[LOG_LINE_MAX], line[LOG_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    escape(line, sizeof line, text);
    fprintf(stderr, "fathom: %s%s\n", prefixes[level], line);
}
