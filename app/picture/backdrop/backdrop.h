/* The backdrop: small, coarse pictures of what lies around the view, each four times wider than the
 * one before, out to the whole set and beyond. They are drawn where nothing better is, so that a
 * window never has a hole. Part of the presenter; its OpenGL context must be current in every
 * function but backdrop_wanted.
 *
 * A level is one such picture: level k shows zoom 4^k. Levels are drawn by a backend when it has
 * nothing else to do (backdrop_maker.h); those keep their samples, so other colours and lower
 * limits show at once. A level that was not drawn yet is what the screen showed on the way in, as
 * long as the colours are the same. Behind density pictures lies one of the whole set, counted for
 * that (backdrop_counted.h), however much it has to be magnified. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_H

#include "app/picture/backdrop/backdrop_counted.h"
#include "app/picture/layers.h"
#include "render/frame.h"
#include "render/planes.h"

#define BACKDROP_LEVELS                                                                            \
    22 /* about 1.2 MB each for a window of 1280x720, a third of it on the GPU */

/* What pictures look like, whatever they show. */
struct backdrop_look {
    uint64_t fractal; /* its digest */
    uint32_t limit;
    struct look look;
};

struct backdrop;

/* NULL: no memory, logged. */
struct backdrop *backdrop_create(void);
void backdrop_destroy(struct backdrop *backdrop);

/* From now on what the screen shows has this look. */
void backdrop_set_look(struct backdrop *backdrop, const struct backdrop_look *look);
/* From now on it lies behind pictures of this view and size. */
void backdrop_set_view(struct backdrop *backdrop, const struct view *view, int width_px,
                       int height_px);
/* Fills the output. `place` is where a picture of the view lies on it. False: hardly anything is known, and it is
 * filled with the background. */
bool backdrop_draw(struct backdrop *backdrop, const struct drawn_layers *layers,
                   struct similarity place, const struct output *output);

/* A texture to be drawn into, because there is no level like the view yet, whose pictures have this
 * size. It becomes that level with backdrop_kept. NULL: there is one, or no memory. */
const struct gl_texture *backdrop_keep(struct backdrop *backdrop, int width_px, int height_px);
void backdrop_kept(struct backdrop *backdrop);

/* Initialises a request for the next level that a picture of `req` at rest should have behind it.
 * False: it has all of them. */
bool backdrop_wanted(const struct backdrop *backdrop, const struct frame_req *req,
                     struct frame_req *level);
/* Likewise of density pictures: initialises a request for the one that `like` should have behind
 * it, with as many samples as `like`. False: it is there. */
bool backdrop_wants_counts(const struct backdrop *backdrop, const struct density_req *like,
                           struct density_req *level);
/* Takes over the counts of that request, all 0 where nothing could be counted; *counts is empty afterwards. */
void backdrop_take_counts(struct backdrop *backdrop, const struct density_req *level,
                          struct density_counts *counts);
/* The share of a density picture's pixels that will show a point, by what was counted, 0 .. 1; 0 also where nothing was. */
double backdrop_expects(struct backdrop *backdrop);
/* Takes over the samples of that request, which malloc gave; *planes is empty afterwards. */
void backdrop_take(struct backdrop *backdrop, const struct frame_req *level,
                   struct sample_planes *planes);

#endif
