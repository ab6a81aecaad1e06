/* A picture of the window's location that is larger than the window, drawn and written on a thread
 * of its own by a second backend, while the window goes on. It is what `fathom render` makes of it,
 * byte for byte. */
#ifndef FATHOM_APP_STILL_ENLARGE_H
#define FATHOM_APP_STILL_ENLARGE_H

#include "app/explore/explorer.h"
#include "app/messages.h"
#include "render/files/image.h"
#include <SDL.h>

#define ENLARGE_SIZES   3 /* 2, 4 and 8 times the window's */
#define ENLARGE_SAMPLES 5 /* 1, 4, 16, 64 and 256 of each pixel */

struct enlarge_job;

/* The caller sets the first three, all others are zero; pairs with enlarge_finish. */
struct enlarge {
    const char *folder; /* screenshot.h */
    struct backend_options options;
    struct messages *messages;

    int size, samples; /* what is chosen: indices */
    enum image_format format;
    int quality;
    struct enlarge_job *job; /* NULL: nothing is being drawn */
    int shown;               /* progress that was shown last, in thousandths */
};

int enlarge_factor(int size);
int enlarge_sample_count(int samples);

/* Begins with what is chosen and the explorer's location; nothing may be being drawn. Posts a
 * message, also where it does not begin. */
void enlarge_start(struct enlarge *enlarge, const struct explorer *explorer);
/* Gives the picture up; no file is left. A moment later enlarge_update says so, and enlarge_busy is
 * false. */
void enlarge_cancel(struct enlarge *enlarge);
bool enlarge_busy(const struct enlarge *enlarge);
/* Once a turn: says what became of it. True: there is something new to be seen. *saved: it was
 * written. */
bool enlarge_update(struct enlarge *enlarge, bool *saved);
/* How far it is, 0 .. 1, and in words with the time left. */
double enlarge_progress(const struct enlarge *enlarge, char *text, size_t size);
/* Gives up what is being drawn, and waits for that. */
void enlarge_finish(struct enlarge *enlarge);

#endif
