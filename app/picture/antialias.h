/* Anti-aliasing: refines a complete picture at rest. It draws more samples of each pixel, adds
 * them up, and shows their mean whenever the number of samples is a power of two. The mean of n
 * samples equals the picture of `fathom render --samples n`. No function waits; a step takes a
 * few milliseconds. */
#ifndef FATHOM_APP_PICTURE_ANTIALIAS_H
#define FATHOM_APP_PICTURE_ANTIALIAS_H

#include "app/picture/present.h"
#include "render/accumulate.h"

/* Zero-initialised. */
struct antialias {
    uint64_t generation; /* generation of the picture that is refined; 0: none */
    struct frame_req req;
    uint32_t wanted;    /* total number of samples per pixel */
    uint32_t submitted; /* number of samples submitted to the backend */
    uint32_t drawn;     /* number of samples that the backend has completed */
    uint32_t added;     /* number of samples in the sums, without `rows` rows of the next one */
    /* number of samples whose mean is being copied to the presenter, `rows` rows so far; 0: none */
    uint32_t showing;
    uint32_t shown; /* number of samples that the presenter shows; 1: the original picture */
    int rows;
    uint32_t *targets[2], *slice; /* sample n is drawn into targets[n % 2] */
    int width_px, height_px;      /* size of the allocated memory; 0: none */
    struct accumulator sums;
};

void antialias_finish(struct antialias *antialias);
/* Forgets the picture. The caller must have cancelled its backend. */
void antialias_stop(struct antialias *antialias);

enum antialias_state {
    ANTIALIAS_WORKS,
    ANTIALIAS_DONE,   /* all samples are shown */
    ANTIALIAS_LOST,   /* the backend lost its device */
    ANTIALIAS_FAILED, /* out of memory, or the backend refused; logged */
};

/* Does a few milliseconds of work towards `samples` samples per pixel of `req`, whose picture is
 * complete. The presenter holds the first sample; `backend` draws the others and may differ from
 * the backend that drew the picture. *news becomes true if the presenter shows more samples. */
enum antialias_state antialias_step(struct antialias *antialias, struct backend *backend,
                                    struct presenter *presenter, const struct frame_req *req,
                                    uint32_t samples, bool *news);
/* Finishes copying the current mean to the presenter, in at most about 10 ms per megapixel. */
void antialias_finish_copy(struct antialias *antialias, struct presenter *presenter);
/* Returns true if every pixel that the presenter shows has the same number of samples. */
bool antialias_whole(const struct antialias *antialias);

#endif
