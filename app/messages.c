/* Messages: a short list with the time when each one goes. */
#include "app/messages.h"
#include "render/clock.h"
#include "render/log.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_MS 4000

static void remove_first(struct messages *messages) {
    messages->count--;
    memmove(messages->list, messages->list + 1, messages->count * sizeof *messages->list);
}

void messages_post(struct messages *messages, const char *format, ...) {
    if (messages->count == MESSAGES_MAX)
        remove_first(messages);
    struct message *message = &messages->list[messages->count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    message->until_ms = clock_ms() + SHOWN_MS;
    log_info("%s", message->text);
}

double messages_expire(struct messages *messages) {
    const double now = clock_ms();
    while (messages->count > 0 && messages->list[0].until_ms <= now)
        remove_first(messages);
    return messages->count > 0 ? messages->list[0].until_ms : INFINITY;
}
