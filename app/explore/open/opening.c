/* Opening: keeps a view or an image that waits for its image to be read. */
#include "app/explore/open/opening.h"
#include "render/base/clock.h"
#include "render/interned/trap_image_reader.h"
#include <stdlib.h>
#include <string.h>

#define PROGRESS_MS 400 /* interval between progress messages; quicker images post none */

void opening_init(struct opening *opening, struct messages *messages) {
    *opening = (struct opening){.messages = messages, .reader = trap_image_reader_create()};
}

static void clear_request(struct opening *opening) {
    free(opening->what);
    opening->what = NULL;
    opening->try = NULL;
}

void opening_finish(struct opening *opening) {
    clear_request(opening);
    trap_image_reader_destroy(opening->reader);
    opening->reader = NULL;
}

/* Tries to open `what`, and takes ownership of it. */
static void attempt(struct opening *opening, opening_try *try, void *user, char *what) {
    trap_image_clear_pending();
    trap_image_set_reader(opening->reader);
    try(user, what);
    trap_image_set_reader(NULL); /* other code waits for its images */
    opening->what = what;
    if (opening->reader && trap_image_has_pending()) {
        opening->try = try;
        opening->user = user;
    } else {
        clear_request(opening);
    }
}

void opening_attempt(struct opening *opening, opening_try *try, void *user, const char *what) {
    char *copy = what ? strdup(what) : NULL;
    clear_request(opening);
    if (!copy) {
        messages_post(opening->messages, "not enough memory to open this");
        return;
    }
    attempt(opening, try, user, copy);
    opening->shown_ms = clock_ms();
    opening->progress_shown = false;
    if (opening->reader && !opening->try)
        trap_image_reader_stop(opening->reader);
}

bool opening_waits(const struct opening *opening) {
    return opening->try != NULL;
}

bool opening_is_due(const struct opening *opening) {
    double done;
    return opening->try && !trap_image_reader_busy(opening->reader, &done);
}

static bool post_progress(struct opening *opening) {
    double done;
    if (!opening->try || clock_ms() < opening->shown_ms + PROGRESS_MS ||
        !trap_image_reader_busy(opening->reader, &done))
        return false;
    opening->shown_ms = clock_ms();
    opening->progress_shown = true;
    messages_post(opening->messages, "reading the image: %.0f %%; Esc gives it up", 100 * done);
    return true;
}

bool opening_advance(struct opening *opening) {
    if (!opening_is_due(opening))
        return post_progress(opening);
    opening_try *try = opening->try;
    char *what = opening->what;
    opening->what = NULL;
    if (opening->progress_shown) /* replaces the progress */
        messages_post(opening->messages, "reading the image: done");
    attempt(opening, try, opening->user, what);
    return true;
}

bool opening_give_up(struct opening *opening) {
    if (!opening->try)
        return false;
    clear_request(opening);
    trap_image_reader_stop(opening->reader);
    messages_post(opening->messages, "reading the image: given up");
    return true;
}
