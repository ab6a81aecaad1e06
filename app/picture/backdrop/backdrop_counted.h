/* Counted backdrop: a picture of the whole set behind density pictures, counted for a moment.
 * The counts are kept, so that any tone applies at once; magnified, it is as bright as a
 * complete picture of the magnified part. Plain memory, no OpenGL. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTED_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTED_H

#include "app/explore/similarity.h"
#include "render/density/density_counts.h"

/* Zero-initialised. */
struct backdrop_counted {
    struct density_req req;       /* request of the counted picture */
    struct density_counts counts; /* its counts; empty: none */
    /* Analysis of the part that was examined last: */
    double hit;                                   /* share of the part's pixels that show points */
    struct tone_levels levels[TONE_CHANNELS_MAX]; /* distribution of the expected counts */
};

void backdrop_counted_finish(struct backdrop_counted *counted);

/* Initialises a request for the picture behind density pictures like `like`, with as many
 * samples. Returns false if that picture exists. */
bool backdrop_counted_wanted(const struct backdrop_counted *counted, const struct density_req *like,
                             struct density_req *level);
/* Takes over the counts of that request, which replace earlier ones; *counts is empty
 * afterwards. */
void backdrop_counted_take(struct backdrop_counted *counted, const struct density_req *level,
                           struct density_counts *counts);

/* Analyses the part of the counted picture that a picture of this size shows; `place` is the
 * place of that picture. Takes about a millisecond. This function and the next one need counts. */
void backdrop_counted_look(struct backdrop_counted *counted, struct similarity place, int width_px,
                           int height_px);
/* Paints the counted picture in the size of its request, with an empty edge. Takes about 10 ms. */
void backdrop_counted_paint(const struct backdrop_counted *counted, const struct tone *tone,
                            uint32_t *rgba);

#endif
