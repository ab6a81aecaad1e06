/* Presenting: the picture that a backend fills, the one that was on the screen before, and how both
 * are drawn; or, in motion, one of lines (line_picture.h) instead of both. The context must be
 * current in every function.
 *
 * A picture is a texture, row 0 on top, whose alpha says how fine it is there (lattice_fill.h). The
 * current one gets pixels as they are finished. The old one holds what the screen showed when the
 * current one was started. Drawing takes the finer of the two at every pixel
 * (shaders/picture_two.frag), and where neither is, the backdrop (backdrop.h). */
#ifndef FATHOM_APP_PICTURE_PRESENT_H
#define FATHOM_APP_PICTURE_PRESENT_H

#include "app/explore/similarity.h"
#include "app/picture/targets.h"

struct backdrop;
struct presenter;

/* NULL: logged why. */
struct presenter *presenter_create(void);
void presenter_destroy(struct presenter *presenter);
/* Makes software renderers compile their programs now, not during the first zoom. Draws into the
 * bound framebuffer, the screen's, what the first frame will hide. */
void presenter_warm_up(struct presenter *presenter);
/* Afterwards the current picture may be drawn into its target again. */
void presenter_settle(struct presenter *presenter);
/* The current picture gets this look, of its kind, in its target and all that follows. */
void presenter_recolour(struct presenter *presenter, const struct look *look);
/* What lies behind the pictures; the presenter's. */
struct backdrop *presenter_backdrop(struct presenter *presenter);
/* From the size of a window to that of its picture: smaller where textures cannot be so large. */
void presenter_fit(const struct presenter *presenter, int *width_px, int *height_px);

/* Starts a picture for `req`, in that look, which a backend draws next; nothing may be in flight to
 * the last one's target. What the screen showed becomes the old picture: `camera` is where the new
 * picture lies on the screen. The target is of the `kind` wanted, or host memory if OpenGL has none
 * of that; it belongs to the presenter and lives until the next start. False: no memory, logged.
 * Where the motion `ends`, lines that are shown stay until the picture is complete or the camera
 * rests.
 *
 * Of a picture of lines that are not even nothing is seen, or read from host memory, before
 * presenter_complete: until then, or until another start, the screen goes on showing what it does.
 * Then the lines take the place of all of that at once. The target of such a picture, and that of
 * the one right before it, live until the next start but one. */
bool presenter_start(struct presenter *presenter, const struct frame_req *req,
                     const struct look *look, struct similarity camera, bool ends,
                     enum target_kind kind, struct target *target);
/* So many of the current picture's pixels have been drawn, not kept: once that is its coarse lattice, or it is complete, it
 * takes the place of an old picture of another fractal or other planes, until when only that one is seen. */
void presenter_note_drawn(struct presenter *presenter, double pixels);
/* The current picture is a density picture, of whose pixels this share shows a point. As long as those are few beside what
 * the backdrop lets expect, that, or a density picture before it, shines through it, and it is little by little that it
 * hides them; with that, old pictures of other kinds are not seen any more. Returns how much shines through, 0 .. 1: 0, nothing. */
double presenter_note_hit(struct presenter *presenter, double hit);
/* Takes what a poll reported as news, and copies it to the texture; begins no further part of that
 * once budget_ms are over, but with the next call, `dirty` being empty then. False: there is
 * more. */
bool presenter_upload(struct presenter *presenter, struct rect dirty, double budget_ms);
/* Copies the complete current picture's pixels as they were drawn: not those that were put in their
 * place by presenter_replace. Room for width_px * height_px of the request. */
void presenter_copy(const struct presenter *presenter, uint32_t *rgba);
/* Puts other pixels into rows of the complete current picture: `rows` of them from number `first`
 * on. */
void presenter_replace(struct presenter *presenter, int first, int rows, const uint32_t *rgba);
/* The current picture is complete, all of it was copied. One of lines is copied here, as a whole:
 * each time that presenter_upload was told of news. */
void presenter_complete(struct presenter *presenter);
/* Whether that is what the screen shows: it cannot be copied, replaced or read. */
bool presenter_shows_lines(const struct presenter *presenter);
/* Whether the last frame was the complete picture, or complete lines, and nothing else. */
bool presenter_shows_one(const struct presenter *presenter);

/* Where the screen is: `camera` is where a picture of `view`, of that size, lies on it. */
struct presenter_camera {
    const struct view *view;
    int height_px;
    struct similarity camera;
};

/* Draws into the bound framebuffer, which has the given size; pictures of the camera's height fill
 * it. */
void presenter_draw(struct presenter *presenter, const struct presenter_camera *shown, int width_px,
                    int height_px);

/* How true the last frame was, in parts of its pixels: how many showed a sample of that very point,
 * and one within half a pixel of it, each way. Of a picture of the view's grid that is incomplete
 * none count. Takes some 0.1 ms. */
struct presenter_accuracy {
    double exact, near;
};
struct presenter_accuracy presenter_accuracy(const struct presenter *presenter);

/* The current picture's pixels, exactly, unless it is of lines; room for width_px * height_px of the request. */
void presenter_read(struct presenter *presenter, uint32_t *rgba);

#endif
