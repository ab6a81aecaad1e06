/* Backdrop: small, coarse pictures of the view's surroundings, each four times as wide as the
 * previous one, out to the whole set and beyond. They are drawn where nothing better is known, so
 * that a window never has a hole. Part of the presenter; except in backdrop_wanted, its OpenGL
 * context must be current.
 *
 * Each such picture is a level: level k shows zoom 4^k. An idle backend draws levels
 * (backdrop_maker.h); they keep their samples, so other colours and lower limits show at once. A
 * level that is not drawn yet is a snapshot of the screen from the way in, valid while the
 * colours are the same. Density pictures have one counted picture of the whole set behind them
 * (backdrop_counted.h), however much it is magnified. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_H

#include "app/picture/backdrop/backdrop_counted.h"
#include "app/picture/layers.h"
#include "render/frame.h"
#include "render/planes.h"

#define BACKDROP_LEVELS                                                                            \
    22 /* about 1.2 MB each for a window of 1280x720, a third of it on the GPU */

/* The look of pictures, independent of their view. */
struct backdrop_look {
    uint64_t fractal; /* digest of the fractal */
    uint32_t limit;
    struct look look;
};

struct backdrop;

/* Returns NULL if there is no memory; that is logged. */
struct backdrop *backdrop_create(void);
void backdrop_destroy(struct backdrop *backdrop);

/* Sets the look of the pictures on the screen. */
void backdrop_set_look(struct backdrop *backdrop, const struct backdrop_look *look);
/* Sets the view and size of the pictures that the backdrop lies behind. */
void backdrop_set_view(struct backdrop *backdrop, const struct view *view, int width_px,
                       int height_px);
/* Fills the output. `place` is the place of a picture of the view on it. Returns false if hardly
 * anything is known; the output is then filled with the background. */
bool backdrop_draw(struct backdrop *backdrop, const struct drawn_layers *layers,
                   struct similarity place, const struct output *output);

/* Returns a texture for a snapshot of the screen if there is no level like the view yet, or
 * NULL. width_px x height_px is the size of the view's pictures. After drawing into the texture,
 * backdrop_end_snapshot makes it that level. */
const struct gl_texture *backdrop_begin_snapshot(struct backdrop *backdrop, int width_px,
                                                 int height_px);
void backdrop_end_snapshot(struct backdrop *backdrop);

/* Initialises a request for the next missing level behind a resting picture of `req`. Returns
 * false if none is missing. */
bool backdrop_wanted(const struct backdrop *backdrop, const struct frame_req *req,
                     struct frame_req *level);
/* Initialises a request for the counted picture behind density pictures like `like`, with as
 * many samples. Returns false if it is not missing. */
bool backdrop_wants_counts(const struct backdrop *backdrop, const struct density_req *like,
                           struct density_req *level);
/* Takes over the counts of that request, all 0 if counting failed; *counts is empty afterwards. */
void backdrop_take_counts(struct backdrop *backdrop, const struct density_req *level,
                          struct density_counts *counts);
/* Returns the share of a density picture's pixels that will show a point, predicted from the
 * counted picture, 0 .. 1; 0 if there is none. */
double backdrop_expected_hit(struct backdrop *backdrop);
/* Takes over the samples of a level's request, allocated with malloc; *planes is empty
 * afterwards. */
void backdrop_add_level(struct backdrop *backdrop, const struct frame_req *level,
                        struct sample_planes *planes);

#endif
