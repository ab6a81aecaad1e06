/* Parts of the event loop in files of their own, for those alone: what actions do (actions.c), how
 * it ends (quit.c), pictures of the window (screenshots.c), what is shown beside its own (insets.c), and the image that the
 * first view waits for (pending_image.c). */
#ifndef FATHOM_APP_WINDOW_LOOP_PARTS_H
#define FATHOM_APP_WINDOW_LOOP_PARTS_H

#include "app/window/loop.h"

/* Carries out an action, which comes from keys, the pointer or a script, with a message where it
 * cannot be seen or is not possible. The action stays the caller's. */
void actions_apply(struct loop *loop, const struct action *action);

/* Quitting was asked for: ends the loop at once, or the second time, or once the screenshot that
 * waits has been taken, with the samples that its picture has by then. */
void quit_ask(struct loop *loop);
/* A signal asks for that; the second signal (interrupt.h) counts as the second time. A script then
 * counts as not carried out. */
void quit_interrupted(struct loop *loop);
bool quit_asked(const struct loop *loop);
/* When the loop has to look again at the latest, by clock_ms; INFINITY: it was not. */
double quit_due_ms(const struct loop *loop);
/* Once a turn: ends the loop when the screenshot is there, or has taken too long. */
void quit_advance(struct loop *loop);
/* After the loop: logs that a screenshot which was asked for was not taken. False: there is one. */
bool quit_report(const struct loop *loop);

/* Writes what the bound framebuffer shows into the file `loop->capture`. Where that fails the loop
 * ends, logged. */
void screenshots_capture(struct loop *loop);
/* Orders a screenshot of the picture, in that format, or a copy of it for the clipboard. */
void screenshots_order_file(struct loop *loop, enum image_format format);
void screenshots_order_copy(struct loop *loop);
/* To be called while the view rests: takes the screenshot that waits once its picture is complete,
 * with all samples of each pixel unless it is wanted now. False: failed, logged; the loop ends. */
bool screenshots_advance(struct loop *loop);
/* To be called before anything is done to the view: a screenshot that waits for more samples of
 * each pixel is taken with those that are shown. */
void screenshots_before_change(struct loop *loop);
/* Posts what became of the screenshot that was being written. */
void screenshots_report(struct loop *loop);

/* Nothing moves, and the target is requested. A starting device is not waited for by a density
 * picture, which would begin anew with it. */
bool loop_at_rest(const struct loop *loop);
/* More samples of each pixel are being drawn, as fast as possible: only what is shown follows the
 * display. */
bool refine_busy(const struct loop *loop);
/* Once a turn: goes on with more samples, or stops counting orbits while the window is not to be
 * seen. False: failed, logged. */
bool refine_advance(struct loop *loop);

/* Once a turn: asks for the minimap and the Julia set, and takes them. */
void insets_advance(struct loop *loop);
bool insets_busy(const struct loop *loop);
/* When that is due again, by clock_ms. */
double insets_due_ms(const struct loop *loop, double pace_ms);
void insets_show(const struct loop *loop, struct hud_model *model);
void insets_toggle_map(struct loop *loop);
/* An event that nothing else has taken: a click in the map goes there. True: it was taken. */
bool insets_take_event(struct loop *loop, const SDL_Event *event);
void insets_finish(struct loop *loop);

/* Whether the scene's image is not read yet; then no screenshot is taken. */
bool pending_image_missing(const struct loop *loop);
/* Once a turn: opens what can be opened now, else reads the image that the scene waits for. */
void pending_image_advance(struct loop *loop);
/* Gives up what is being read, as opening_give_up; an awaited image is the ball then. */
bool pending_image_give_up(struct loop *loop);

#endif
