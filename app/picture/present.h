/* Presenter: shows the picture that a backend fills, together with the picture that was on the
 * screen before; or, in motion, a picture of lines (line_picture.h) instead of both. The OpenGL
 * context must be current in every function.
 *
 * * A picture is a texture with row 0 on top, whose alpha indicates how fine each pixel is
 * (lattice_fill.h). The current picture gets pixels as they are finished. The old picture is a
 * snapshot of the screen at the start of the current picture. Each screen pixel shows the finer
 * of the two (shaders/picture_two.frag), or the backdrop (backdrop.h) if neither has a colour
 * there. */
#ifndef FATHOM_APP_PICTURE_PRESENT_H
#define FATHOM_APP_PICTURE_PRESENT_H

#include "app/explore/similarity.h"
#include "app/picture/targets.h"

struct backdrop;
struct presenter;

/* Returns NULL on failure; the reason is logged. */
struct presenter *presenter_create(void);
void presenter_destroy(struct presenter *presenter);
/* Draws once with every program, so that software renderers compile them now and not during the
 * first zoom. Draws into the bound framebuffer (the screen), which the first frame overwrites. */
void presenter_warm_up(struct presenter *presenter);
/* Waits until the current picture's target may be written again. */
void presenter_await_target(struct presenter *presenter);
/* Changes the look of the current picture in its target, within its kind, and in the backdrop. */
void presenter_recolour(struct presenter *presenter, const struct look *look);
/* Returns the backdrop, which belongs to the presenter. */
struct backdrop *presenter_backdrop(struct presenter *presenter);
/* Shrinks a window's size to that of its picture if textures cannot be so large. */
void presenter_fit(const struct presenter *presenter, int *width_px, int *height_px);

/* Starts a picture of `req` in `look`, which a backend draws next. Nothing may be in flight to the
 * previous target. The screen's content becomes the old picture; `camera` is the place of the new
 * picture on the screen. If the motion `ends`, visible lines stay until the picture is complete or
 * the camera rests. The target has the requested `kind`, or is host memory if OpenGL has no memory
 * of that kind. The presenter owns the target, which lives until the next start. Returns false if
 * there is no memory; that is logged.
 *
 * A picture whose lines differ from the view's grid (lines->even is false) is invisible before
 * presenter_complete, and is not read from host memory. Until then, or until another start, the
 * screen keeps its content; then the lines replace everything at once. The targets of such a
 * picture and of its predecessor live until the next start but one. */
bool presenter_start(struct presenter *presenter, const struct frame_req *req,
                     const struct look *look, struct similarity camera, bool ends,
                     enum target_kind kind, struct target *target);
/* Reports the number of pixels of the current picture that were drawn, not kept. An old picture
 * of another kind (fractal, or colouring) hides the current one until these pixels fill its
 * coarse lattice, or it is complete. */
void presenter_set_drawn(struct presenter *presenter, double pixels);
/* Reports the share of a density picture's pixels that show points. While the share is small
 * compared with the share that the backdrop predicts, the background shines through: the
 * backdrop, or the previous density picture. Old pictures of other kinds disappear once there is
 * a prediction. Returns how much shines through, 0 (nothing) to 1. */
double presenter_set_hit(struct presenter *presenter, double hit);
/* Uploads the reported rectangle to the texture. No further part is begun after budget_ms; the
 * next call continues, with an empty `dirty`. Returns false if there is more to upload. */
bool presenter_upload(struct presenter *presenter, struct rect dirty, double budget_ms);
/* Copies the complete current picture's pixels as they were drawn, without those that
 * presenter_replace put in. `rgba` has room for the request's width_px * height_px. */
void presenter_copy(const struct presenter *presenter, uint32_t *rgba);
/* Replaces `rows` rows of the complete current picture, from row `first` on. */
void presenter_replace(struct presenter *presenter, int first, int rows, const uint32_t *rgba);
/* Reports that the current picture is complete and fully uploaded. A picture of lines is
 * uploaded here as a whole, once after each presenter_upload that had news. */
void presenter_complete(struct presenter *presenter);
/* Returns true if the screen shows lines, which cannot be copied, replaced or read. */
bool presenter_shows_lines(const struct presenter *presenter);
/* Returns true if the last frame showed the complete picture, or complete lines, and nothing
 * else. */
bool presenter_shows_one(const struct presenter *presenter);

/* The camera: `camera` is the place of a picture of `view`, `height_px` high, on the screen. */
struct presenter_camera {
    const struct view *view;
    int height_px;
    struct similarity camera;
};

/* Draws a frame into the bound framebuffer of the given size, which a picture of the camera's
 * height fills. */
void presenter_draw(struct presenter *presenter, const struct presenter_camera *shown, int width_px,
                    int height_px);

/* Accuracy of the last frame, as shares of its pixels. exact: pixels that show a sample of
 * exactly their point; near: a sample within half a pixel each way. Both are 0 for an incomplete
 * picture of the view's grid. Takes about 0.1 ms. */
struct presenter_accuracy {
    double exact, near;
};
struct presenter_accuracy presenter_accuracy(const struct presenter *presenter);

/* Reads the current picture's pixels, unless it is one of lines. `rgba` has room for the
 * request's width_px * height_px. */
void presenter_read(struct presenter *presenter, uint32_t *rgba);

#endif
