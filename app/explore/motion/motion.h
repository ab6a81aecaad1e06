/* How the pointer and keys move the explorer's target, and what continues without events: a held
 * zoom, a drag that glides on. Part of the explorer, for explorer.c alone. */
#ifndef FATHOM_APP_EXPLORE_MOTION_MOTION_H
#define FATHOM_APP_EXPLORE_MOTION_MOTION_H

#include "app/explore/motion/gesture.h"
#include "app/explore/motion/hold_speed.h"
#include "app/explore/similarity.h"
#include "app/input/input.h"
#include "render/view.h"
#include <complex.h>
#include <stdbool.h>

struct explorer;

/* What moves the view; as long as one kind goes on without a rest, it is one step to undo. */
enum motion_kind {
    MOTION_NONE,
    MOTION_ZOOM,
    MOTION_DRAG,
    MOTION_SLIDE,
    MOTION_TURN,
    MOTION_PINCH,
    MOTION_STEER, /* all that a gamepad does at the same time */
    MOTION_HOLD,
};

struct motion {
    enum motion_kind kind; /* of the step that is not over */
    bool dragging, spinning;
    double hold;               /* zoom, e-folds per ms; 0: nothing is held */
    struct hold_speed speed;   /* of one that is not flown, beside explorer.zoom_speed */
    double held_ms;            /* for how long, so far */
    bool flown;                /* by ACTION_FLY, and by no hand since, */
    double fly_x_px, fly_y_px; /* about this point */
    double glide_x, glide_y;   /* px/ms; 0: nothing glides */
    double remainder_x_px, remainder_y_px; /* parts of pixels that gliding has not moved yet */
    double since_request_ms;               /* since the last request */
    /* the first pass of the requested picture is there; all of it is */
    bool seen, complete;
    double took_ms; /* what the last picture in motion took, or was given if it was not completed */
    bool renew;     /* the target has moved, and is to be requested soon */
    bool boxing;    /* a box is drawn between these corners, px: */
    double box_x0, box_y0, box_x1, box_y1;
    struct gesture gesture;
};

/* Lets time pass: the camera comes nearer to the target; held zooms and glides move on. */
void motion_advance(struct explorer *explorer, double ms);
/* Where a picture of the target will lie on the screen after that time, as far as is known now. */
struct similarity motion_camera_after(const struct explorer *explorer, double ms);
/* Into an initialised view: the one that a held zoom inwards shows after that time, with what it zooms
 * at in the middle. False: there is none. */
bool motion_view_after(const struct explorer *explorer, double ms, struct view *view);
/* The target has been requested. */
void motion_requested(struct explorer *explorer);
/* Notes how much of the requested picture is there, 0 .. 1. */
void motion_note_progress(struct explorer *explorer, double progress);
/* The view is still being moved: by a drag or a turn, by a held zoom or a glide, or a request is
 * due. */
bool motion_active(const struct explorer *explorer);
/* Only the last of the camera's way is left: the target is there to stay, as far as is known now,
 * and will be seen soon. */
bool motion_ends(const struct explorer *explorer);
/* Where a held zoom zooms: at the pointer, or where it is flown. In pixels from the top left. */
double complex motion_place(const struct explorer *explorer);
/* A held zoom or a glide is under way. */
bool motion_continues(const struct motion *motion);
/* Whether the target is as far out as zooming goes; a view that was opened may be farther. */
bool motion_at_bound(const struct explorer *explorer);
/* `factor`, a zoom of the target, as far as it is not beyond that; 1: not at all. */
double motion_within_bound(const struct explorer *explorer, double factor);
/* Ends a held zoom or a glide: the view is about to be another one. */
void motion_end(struct explorer *explorer);

/* To be called before the target changes: begins a step to undo, unless one of that kind is going
 * on; MOTION_NONE always begins one. */
void motion_begin(struct explorer *explorer, enum motion_kind kind);
/* To be called after the target has changed: the screen keeps what it shows, and moves from
 * `before` to the target. */
void motion_follow(struct explorer *explorer, const struct view *before);
/* The same where the screen moves with the target, which then only has to be requested: */
void motion_target_changed(struct explorer *explorer);
/* of motion that changes the target all the time, to pictures that have no pixels in common. */
void motion_request_soon(struct explorer *explorer);

/* Zooms the target by `factor` at (x, y) px, as a step of that kind. The point that the screen shows there stays there
 * all the way. */
void motion_zoom(struct explorer *explorer, enum motion_kind kind, double factor, double x_px,
                 double y_px);
/* Brings the point that the screen shows at `place`, px, to the middle and zooms there, as one step. */
void motion_zoom_to(struct explorer *explorer, double complex place, double factor);
void motion_stop_glide(struct motion *motion);
/* Moves the picture by so many pixels, as a drag. */
void motion_drag(struct explorer *explorer, double x_px, double y_px);
/* Zooms at the pointer from now on, at `speed` times the usual one, outwards where it is negative; 0
 * ends that. A zoom that goes on is one step. */
void motion_hold(struct explorer *explorer, double speed);

/* The speed in use: of a held zoom, or the one of a flight that is under way. In times the usual one. */
double motion_zoom_speed(const struct explorer *explorer);
/* Sets how fast a held zoom is from now on, one that is under way too, whatever pictures keep up with; kept
 * within ZOOM_SPEED_MIN and ZOOM_SPEED_MAX. */
void motion_set_zoom_speed(struct explorer *explorer, double speed);

#endif
