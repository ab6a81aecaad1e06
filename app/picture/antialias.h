/* Anti-aliasing of a picture at rest: once it is complete, more samples of each pixel are drawn,
 * added up and shown whenever their number is a power of two. What is shown of n samples is what
 * `fathom render --samples n` makes. Nothing here waits; a few milliseconds of work go into a
 * step. */
#ifndef FATHOM_APP_PICTURE_ANTIALIAS_H
#define FATHOM_APP_PICTURE_ANTIALIAS_H

#include "app/picture/present.h"
#include "render/accumulate.h"

/* Zero-initialised. */
struct antialias {
    uint64_t generation; /* of the picture that this is about; 0: none */
    struct frame_req req;
    uint32_t wanted;    /* samples in all */
    uint32_t submitted; /* to the backend, ... */
    uint32_t drawn;     /* ... which is done with those */
    uint32_t added;     /* to the sums; of the next one `rows` rows are */
    /* how many samples are being copied to the presenter, `rows` rows are; 0: none */
    uint32_t showing;
    uint32_t shown; /* how many it shows; 1: the picture as it was */
    int rows;
    uint32_t *targets[2], *slice; /* sample number n goes into targets[n % 2] */
    int width_px, height_px;      /* that there is memory for; 0: none */
    struct accumulator sums;
};

void antialias_finish(struct antialias *antialias);
/* Forgets the picture; its backend has been cancelled. */
void antialias_stop(struct antialias *antialias);

enum antialias_state {
    ANTIALIAS_WORKS,
    ANTIALIAS_DONE,   /* all samples are shown; nothing is left to do */
    ANTIALIAS_LOST,   /* the backend lost its device */
    ANTIALIAS_FAILED, /* no memory, or the backend refused; logged */
};

/* Does the next bit of work for `req`, which is drawn and complete, towards `samples` of them.
 * *news: the presenter shows more. It has the first sample, too; the others are drawn by `backend`,
 * which need not be the one that drew the picture. */
enum antialias_state antialias_step(struct antialias *antialias, struct backend *backend,
                                    struct presenter *presenter, const struct frame_req *req,
                                    uint32_t samples, bool *news);
/* Ends what is being shown: some 10 ms a megapixel at most. */
void antialias_settle(struct antialias *antialias, struct presenter *presenter);
/* Whether what the presenter shows is the picture of one number of samples. */
bool antialias_whole(const struct antialias *antialias);

#endif
