/* How a hand moves the explorer's target, and what goes on by itself meanwhile and afterwards: a zoom that
 * is held, a drag that glides on. Part of the explorer, for explorer.c alone. */
#ifndef FATHOM_APP_EXPLORE_MOTION_H
#define FATHOM_APP_EXPLORE_MOTION_H

#include "app/explore/input.h"
#include "render/view.h"
#include <stdbool.h>

struct explorer;

/* What moves the view; as long as one kind goes on without a rest, it is one step to undo. */
enum motion_kind {
    MOTION_NONE,
    MOTION_ZOOM,
    MOTION_DRAG,
    MOTION_SLIDE,
    MOTION_TURN,
    MOTION_HOLD,
};

struct motion {
    enum motion_kind kind; /* of the step that is not over */
    bool dragging, spinning;
    double hold;                 /* zoom, e-folds per ms; 0: nothing is held */
    double glide_x, glide_y;     /* px/ms; 0: nothing glides */
    double owed_x_px, owed_y_px; /* parts of pixels that gliding has not moved yet */
    double unasked_ms;           /* since the last request */
    bool seen, complete;         /* the first pass of what was asked for is there; all of it */
    double took_ms; /* the last one in motion to be complete; what it got, if it was not */
    bool renew;     /* the target has moved, and is to be asked for soon */
    bool boxing;    /* a box is drawn between these corners, px: */
    double box_x0, box_y0, box_x1, box_y1;
};

/* False: the action is none that moves. */
bool motion_apply(struct explorer *explorer, const struct action *action);
/* Lets time pass: the camera comes nearer to the target, and what moves by itself moves on. */
void motion_advance(struct explorer *explorer, double ms);
/* The target was asked for. */
void motion_asked(struct explorer *explorer);
/* So much of it is there, 0 .. 1. */
void motion_see(struct explorer *explorer, double progress);
/* More is to come, from a hand or by itself. */
bool motion_goes_on(const struct explorer *explorer);
/* By itself, that is. */
bool motion_shows(const struct motion *motion);
/* What moves by itself does no more: the view is about to be another one. */
/* Whether the target is as far out as zooming goes; a view that was opened may be farther. */
bool motion_at_bound(const struct explorer *explorer);
void motion_end(struct explorer *explorer);

/* To be called before the target changes: it is a step to undo, if it does not belong to the one of that
 * kind which goes on; MOTION_NONE always is one. `whole`: more than the view will change. */
void motion_begin(struct explorer *explorer, enum motion_kind kind, bool whole);
/* And after it has: the screen is as it was, and finds its way to the target, from `before`. */
void motion_follow(struct explorer *explorer, const struct view *before);
/* The same where the screen moves with the target: it only is to be asked for. */
void motion_touch(struct explorer *explorer);

/* How fast a held zoom is, one that is under way too; kept within ZOOM_SPEED_MIN and ZOOM_SPEED_MAX. */
void motion_set_zoom_speed(struct explorer *explorer, double speed);

#endif
