/* Parts of the event loop, only for its own files: actions (actions.c), quitting (quit.c),
 * screenshots (screenshots.c), refinement at rest (refine.c), insets (insets.c), and the image of
 * the first view (pending_image.c). */
#ifndef FATHOM_APP_WINDOW_LOOP_PARTS_H
#define FATHOM_APP_WINDOW_LOOP_PARTS_H

#include "app/window/loop.h"

/* Carries out an action of a key, the pointer or a script. Posts a message if it is impossible or
 * its effect is not visible. The caller keeps the action. */
void actions_apply(struct loop *loop, const struct action *action);

/* Posts messages about a limit that is too low, and once that zooming out ends here. Call it once a
 * turn. */
void actions_report(struct loop *loop);

/* Quits: ends the loop at once, at the second request, or when the waiting screenshot has been
 * taken with the samples that its picture has by then. */
void quit_ask(struct loop *loop);
/* Quits at a signal; a second signal (interrupt.h) is a second request. A script then counts as
 * failed. */
void quit_interrupted(struct loop *loop);
bool quit_asked(const struct loop *loop);
/* Returns clock_ms of the latest next turn; INFINITY: quitting was not requested. */
double quit_due_ms(const struct loop *loop);
/* Ends the loop when the screenshot is saved or has taken too long. Call it once a turn. */
void quit_advance(struct loop *loop);
/* Logs a screenshot that was ordered and not taken, and returns false. Call it after the loop. */
bool quit_report(const struct loop *loop);

/* Writes the bound framebuffer into the file `loop->capture`. If that fails, the reason is logged
 * and the loop ends. */
void screenshots_capture(struct loop *loop);
/* Order a screenshot of the picture in that format, or a copy for the clipboard. */
void screenshots_order_file(struct loop *loop, enum image_format format);
void screenshots_order_copy(struct loop *loop);
/* Takes the waiting screenshot once its picture is complete, with all samples unless it is needed
 * now. Call it while the view is at rest. Returns false if that fails: the reason is logged and the
 * loop ends. */
bool screenshots_advance(struct loop *loop);
/* Takes a screenshot that waits for more samples with the present ones. Call it before any change
 * of the view. */
void screenshots_before_change(struct loop *loop);
/* Posts the result of the screenshot that was being written. */
void screenshots_report(struct loop *loop);

/* Returns true if nothing moves and the target is requested. A density picture does not wait for a
 * device that is starting, with which it would begin again. */
bool loop_at_rest(const struct loop *loop);
/* Returns true while more samples of each pixel are drawn as fast as possible, and only frames
 * follow the display. */
bool refine_busy(const struct loop *loop);
/* Draws more samples, or pauses a density picture while the window is invisible. Call it once a
 * turn. Returns false if that fails; logged. */
bool refine_advance(struct loop *loop);

/* Requests and collects the minimap and the Julia set. Call it once a turn. */
void insets_advance(struct loop *loop);
bool insets_busy(const struct loop *loop);
/* Returns clock_ms at which insets_advance is due again. */
double insets_due_ms(const struct loop *loop, double pace_ms);
void insets_show(const struct loop *loop, struct hud_model *model);
void insets_toggle_map(struct loop *loop);
/* Goes to a click in the map. Returns true if the event was such a click. Call it for events that
 * nothing else uses. */
bool insets_take_event(struct loop *loop, const SDL_Event *event);
void insets_finish(struct loop *loop);

/* Returns true if the scene's image is still to be read; then no screenshot is taken. */
bool pending_image_missing(const struct loop *loop);
/* Opens what is due, or else reads the image that the scene needs. Call it once a turn. */
void pending_image_advance(struct loop *loop);
/* Cancels reading, as opening_give_up does; the ball replaces a pending image. */
bool pending_image_give_up(struct loop *loop);

#endif
