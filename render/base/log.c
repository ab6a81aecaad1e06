/* Log: formats and escapes messages and writes each as one line, so that lines of several threads
 * do not mix. */
#include "render/base/log.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LOG_LINE_MAX 1000

static atomic_int threshold = LOG_WARN;
static _Thread_local struct log_listener listener;

void log_set_level(enum log_level level) {
    atomic_store(&threshold, (int)level);
}

void log_listen_to_warnings(char *text, size_t size, unsigned *count) {
    listener = (struct log_listener){.text = text, .size = size, .level = LOG_WARN, .count = count};
    if (text && size > 0)
        *text = '\0';
    if (count)
        *count = 0;
}

void log_listen(char *text, size_t size) {
    log_listen_to_warnings(text, size, NULL);
    listener.level = LOG_ERROR;
}

static struct log_listener listen_instead(char *text, size_t size, enum log_level level) {
    const struct log_listener before = listener;
    const bool silent = before.instead && before.level > level;
    if (size > 0)
        text[0] = '\0';
    listener = (struct log_listener){
        .text = text, .size = size, .level = silent ? before.level : level, .instead = true};
    return before;
}

struct log_listener log_listen_instead(char *text, size_t size) {
    return listen_instead(text, size, LOG_ERROR);
}

struct log_listener log_listen_instead_of_warnings(char *text, size_t size) {
    return listen_instead(text, size, LOG_WARN);
}

void log_listen_restore(struct log_listener other) {
    listener = other;
}

static void store_for_listener(enum log_level level, const char *line) {
    if (!*listener.text || level < listener.heard) {
        snprintf(listener.text, listener.size, "%s", line);
        listener.heard = level;
    }
    if (listener.count)
        ++*listener.count;
}

/* C1 control characters have two bytes. */
size_t log_shown_length(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80)
        return c[0] >= 0x20 && c[0] != 0x7f;
    const size_t length = c[0] >= 0xf5   ? 0
                          : c[0] >= 0xf0 ? 4
                          : c[0] >= 0xe0 ? 3
                          : c[0] >= 0xc2 ? 2
                                         : 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    const bool outside = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
    const bool control = c[0] == 0xc2 && c[1] < 0xa0;
    return overlong || outside || control ? 0 : length;
}

void log_escape(char *out, size_t size, const char *text) {
    size_t used = 0;
    while (*text && used + 5 < size) {
        const size_t length = log_shown_length(text);
        if (length > 0)
            memcpy(out + used, text, length);
        else
            snprintf(out + used, size - used, "\\x%02x", (unsigned char)*text);
        used += length > 0 ? length : 4;
        text += length > 0 ? length : 1;
    }
    out[used] = '\0';
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
    log_escape(line, sizeof line, text);
    if (listener.text && level <= listener.level)
        store_for_listener(level, line);
    if (!listener.instead || level > listener.level)
        fprintf(stderr, "fathom: %s%s\n", prefixes[level], line);
}
