/* Messages in the window, each shown for some seconds. */
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

/* Adds one, in place of one of the same text, or with the same words before ": "; the oldest goes
 * when there are too many. The log gets new ones too, as LOG_INFO. */
void messages_post(struct messages *messages, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Drops those whose time is over. Returns when the next one goes, infinity when none is left. */
double messages_expire(struct messages *messages);

#endif
