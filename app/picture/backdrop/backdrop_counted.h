/* What lies behind density pictures: one of the whole set that was counted for a moment. Its counts are kept, so it has
 * any tone at once, and is as bright, seen magnified, as a picture of that part becomes. Plain memory, no OpenGL. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTED_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTED_H

#include "app/explore/similarity.h"
#include "render/density/density_counts.h"

/* Zero-initialised. */
struct backdrop_counted {
    struct density_req req;       /* what was counted, */
    struct density_counts counts; /* and how often; without any there is nothing */
    /* Of the part that was looked at last: */
    double hit; /* share of a picture of it that shows points, */
    struct tone_levels
        levels[TONE_CHANNELS_MAX]; /* and how they are distributed once there are some */
};

void backdrop_counted_finish(struct backdrop_counted *counted);

/* Initialises a request for what density pictures like `like` should have behind them, with its samples. False: it is
 * there. */
bool backdrop_counted_wanted(const struct backdrop_counted *counted, const struct density_req *like,
                             struct density_req *level);
/* Takes over the counts of that request, in place of others; *counts is empty afterwards. */
void backdrop_counted_take(struct backdrop_counted *counted, const struct density_req *level,
                           struct density_counts *counts);

/* Looks at the part that a picture of this size shows, which lies in the counted one at `place`; about a millisecond. There
 * must be counts in this and the next. */
void backdrop_counted_look(struct backdrop_counted *counted, struct similarity place, int width_px,
                           int height_px);
/* The counted picture, as large as its request, with its edge empty, which it is; some 10 ms. */
void backdrop_counted_paint(const struct backdrop_counted *counted, const struct tone *tone,
                            uint32_t *rgba);

#endif
