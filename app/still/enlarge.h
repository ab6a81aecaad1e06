/* Enlarging: draws a picture of the window's location that is larger than the window, on a
 * thread with a backend of its own, and writes it. Meanwhile the window stays in use. The bytes
 * equal those of `fathom render`. */
#ifndef FATHOM_APP_STILL_ENLARGE_H
#define FATHOM_APP_STILL_ENLARGE_H

#include "app/explore/explorer.h"
#include "app/messages.h"
#include "render/files/image.h"
#include <SDL.h>

#define ENLARGE_SIZES   3 /* factors 2, 4 and 8 of the window's size */
#define ENLARGE_SAMPLES 5 /* 1, 4, 16, 64 and 256 samples per pixel */

struct enlarge_job;

/* The caller sets the first three members; all others are zero. Pairs with enlarge_finish. */
struct enlarge {
    const char *folder; /* folder of the file, as in screenshot.h */
    struct backend_options options;
    struct messages *messages;

    int size, samples; /* indices of the chosen factor and number of samples */
    enum image_format format;
    int quality;
    struct enlarge_job *job; /* NULL: nothing is being drawn */
    int shown;               /* displayed progress [1/1000] */
};

int enlarge_factor(int size);
int enlarge_sample_count(int samples);

/* Starts drawing the explorer's location with the chosen settings; nothing may be in progress.
 * Posts a message, also on failure. */
void enlarge_start(struct enlarge *enlarge, const struct explorer *explorer);
/* Cancels the picture; no file is left. Soon afterwards enlarge_update reports that, and
 * enlarge_busy returns false. */
void enlarge_cancel(struct enlarge *enlarge);
bool enlarge_busy(const struct enlarge *enlarge);
/* Posts a message when the picture has ended; called once per iteration. Returns true if there
 * is something new to show. *saved: the file was written. */
bool enlarge_update(struct enlarge *enlarge, bool *saved);
/* Returns the progress, 0 .. 1, and writes it as text with the remaining time. */
double enlarge_progress(const struct enlarge *enlarge, char *text, size_t size);
/* Cancels the picture and waits for the thread. */
void enlarge_finish(struct enlarge *enlarge);

#endif
