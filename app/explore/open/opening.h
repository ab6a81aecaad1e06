/* Opening: opens views and images at once, unless their image is still to be read. Then a thread
 * reads the image (trap_image_reader.h) while the present picture stays, and the view is opened
 * again. Only the last request counts. Used by the window's thread. */
#ifndef FATHOM_APP_EXPLORE_OPEN_OPENING_H
#define FATHOM_APP_EXPLORE_OPEN_OPENING_H

#include "app/messages.h"
#include <stdbool.h>

struct trap_image_reader;

/* Opens `what`, a path or a text. If trap_image_has_pending reports afterwards that an image is
 * still to be read, the function has changed nothing and posted nothing, and is called again. */
typedef void opening_try(void *user, const char *what);

struct opening {
    struct messages *messages; /* not owned */
    struct trap_image_reader *reader;
    opening_try *try; /* waits for its image; NULL: nothing waits */
    void *user;
    char *what;
    double shown_ms; /* clock_ms of the last progress message, or of the beginning */
    bool progress_shown;
};

/* Pairs with opening_finish. Without memory for a reader, images are read at once. */
void opening_init(struct opening *opening, struct messages *messages);
void opening_finish(struct opening *opening);
/* Opens `what`, which is copied, and drops anything that still waits. */
void opening_attempt(struct opening *opening, opening_try *try, void *user, const char *what);
bool opening_waits(const struct opening *opening);
/* Returns true if the image has been read, so that opening_advance will open it. */
bool opening_is_due(const struct opening *opening);
/* Opens what is due, or posts the progress of reading. Call it once a turn. Returns true if there
 * is something new to show. */
bool opening_advance(struct opening *opening);
/* Cancels reading, with a message. Returns false if nothing waits. */
bool opening_give_up(struct opening *opening);

#endif
