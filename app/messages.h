/* Messages: texts in the window, each shown for some seconds. */
#ifndef FATHOM_APP_MESSAGES_H
#define FATHOM_APP_MESSAGES_H

#include <stddef.h>

#define MESSAGES_MAX     4
#define MESSAGE_TEXT_MAX 200

struct messages {
    struct message {
        char text[MESSAGE_TEXT_MAX];
        double until_ms;
    } list[MESSAGES_MAX]; /* oldest first */
    size_t count;
};

/* Adds a message and logs it as LOG_INFO if it is new. It replaces a message with the same text,
 * or with the same words before ": "; if there are too many, the oldest is removed. */
void messages_post(struct messages *messages, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Removes expired messages. Returns when the next one expires, or infinity if there is none. */
double messages_expire(struct messages *messages);

#endif
