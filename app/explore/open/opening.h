/* What opens views and images goes on at once, but for those whose image is not read yet: that takes a thread
 * (trap_image_reader.h), while the picture that is there stays, and is tried again when the image is there. The last one
 * that was tried counts. Of the window's thread. */
#ifndef FATHOM_APP_EXPLORE_OPEN_OPENING_H
#define FATHOM_APP_EXPLORE_OPEN_OPENING_H

#include "app/messages.h"
#include <stdbool.h>

struct trap_image_reader;

/* Opens `what`, a path or a text. Where trap_image_unanswered says afterwards that an image is still to come, it has
 * changed nothing and told nothing, and will be called again. */
typedef void opening_try(void *user, const char *what);

struct opening {
    struct messages *messages; /* the caller's */
    struct trap_image_reader *reader;
    opening_try *try; /* that waits; NULL: none does */
    void *user;
    char *what;
    double told_ms; /* when it was told of, by clock_ms, or began */
    bool told;
};

/* Pairs with opening_finish. Without memory for a reader, images are read at once. */
void opening_init(struct opening *opening, struct messages *messages);
void opening_finish(struct opening *opening);
/* Tries it, in place of what still waits; copies `what`. */
void opening_attempt(struct opening *opening, opening_try *try, void *user, const char *what);
bool opening_waits(const struct opening *opening);
/* Whether what waits can be tried again now, which opening_advance does. */
bool opening_is_due(const struct opening *opening);
/* Once a turn: tries it again, or tells how far reading is. True: there is something new to show. */
bool opening_advance(struct opening *opening);
/* Gives up what waits, with a message. False: nothing does. */
bool opening_give_up(struct opening *opening);

#endif
