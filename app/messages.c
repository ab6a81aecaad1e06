/* Messages: keeps the short list of messages with their expiry times. */
#include "app/messages.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_MS 4000

static void remove_at(struct messages *messages, size_t i) {
    messages->count--;
    memmove(messages->list + i, messages->list + i + 1,
            (messages->count - i) * sizeof *messages->list);
}

static bool remove_text(struct messages *messages, const char *text) {
    for (size_t i = 0; i < messages->count; i++)
        if (strcmp(messages->list[i].text, text) == 0) {
            remove_at(messages, i);
            return true;
        }
    return false;
}

/* Removes an older message on the same topic, as "precision: float" before "precision: double". */
static void remove_topic(struct messages *messages, const char *text) {
    const char *colon = strstr(text, ": ");
    const size_t length = colon ? (size_t)(colon + 2 - text) : 0;
    for (size_t i = 0; length > 0 && i < messages->count; i++)
        if (strncmp(messages->list[i].text, text, length) == 0) {
            remove_at(messages, i);
            return;
        }
}

void messages_post(struct messages *messages, const char *format, ...) {
    struct message message;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.text, sizeof message.text, format, arguments);
    va_end(arguments);
    message.until_ms = clock_ms() + SHOWN_MS;
    if (!remove_text(messages, message.text))
        log_info("%s", message.text);
    remove_topic(messages, message.text);
    if (messages->count == MESSAGES_MAX)
        remove_at(messages, 0);
    messages->list[messages->count++] = message;
}

double messages_expire(struct messages *messages) {
    const double now = clock_ms();
    while (messages->count > 0 && messages->list[0].until_ms <= now)
        remove_at(messages, 0);
    return messages->count > 0 ? messages->list[0].until_ms : INFINITY;
}
