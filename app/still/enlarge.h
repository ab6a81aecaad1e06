/* Enlarging: draws a picture of the window's location that is larger than the window, on a
 * thread with a backend of its own, and writes it. Meanwhile the window stays in use. The bytes
 * equal those of `fathom render`. */
#ifndef FATHOM_APP_STILL_ENLARGE_H
#define FATHOM_APP_STILL_ENLARGE_H

#include "app/explore/explorer.h"
#include "app/messages.h"
#include "app/picture/picture.h"
#include "render/files/image.h"
#include <SDL.h>

#define ENLARGE_SIZES       10 /* 2, 4 and 8 times the window's size, and sizes of paper */
#define ENLARGE_RESOLUTIONS 3  /* 150, 300 and 600 dpi */
#define ENLARGE_SAMPLES     5  /* 1, 4, 16, 64 and 256 samples per pixel */

/* Formats: enum image_format, and posters. */
enum { ENLARGE_TIFF = IMAGE_FORMATS, ENLARGE_DEEP_ZOOM, ENLARGE_FORMATS };

struct enlarge_job;

/* The caller sets the first three members; all others are zero. Pairs with enlarge_finish. */
struct enlarge {
    const char *folder; /* folder of the file, as in screenshot.h */
    struct backend_options options;
    struct messages *messages;

    int size, resolution, samples, format; /* indices of the choices */
    int quality;
    /* GPU that is idle while the window's backend of that name and ordinal draws. */
    struct enlarge_idle {
        const char *window;             /* name of the window's backend; NULL: not looked for */
        int ordinal;                    /* of the window's GPU */
        const struct backend_impl *gpu; /* the window's backend; NULL: a processor draws */
        bool other;                     /* it has another GPU */
        char device[16];                /* name of that GPU for backend_options */
    } idle;
    struct enlarge_job *job; /* NULL: nothing is being drawn */
    int shown;               /* displayed progress [1/1000] */
};

struct enlarge_size {
    const char *name; /* "2x", "A4"; static text */
    bool paper;       /* the resolution matters */
    int width_px, height_px;
    double zoom; /* factor of the zoom, at most 1, with which all that the window shows remains */
};

/* Estimated cost of a picture. */
struct enlarge_cost {
    double ms; /* 0: unknown */
    double memory_bytes;
    double disk_bytes; /* most space; files usually take a part of it */
};

/* Returns a size for the window's picture; paper has its orientation. */
struct enlarge_size enlarge_size(const struct enlarge *enlarge, int size,
                                 const struct explorer *explorer);
int enlarge_dpi(int resolution);
int enlarge_sample_count(int samples);
/* Returns the cost of the chosen picture, judged by the window's pictures. Looks for an idle GPU if
 * the window's backend is another than before, which may load the driver. */
struct enlarge_cost enlarge_cost(struct enlarge *enlarge, const struct picture *picture);

/* Starts drawing the explorer's location with the chosen settings; nothing may be in progress.
 * Posts a message, also on failure. */
void enlarge_start(struct enlarge *enlarge, const struct explorer *explorer);
/* Cancels the picture. Only a poster leaves its unfinished part; a message then names the command
 * that continues it. enlarge_update reports that soon, and enlarge_busy returns false then. */
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
