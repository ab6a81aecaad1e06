/* Motion of the explorer's target and camera: steps by events, and held zooms and glides, which
 * continue without events. Part of the explorer. */
#ifndef FATHOM_APP_EXPLORE_MOTION_MOTION_H
#define FATHOM_APP_EXPLORE_MOTION_MOTION_H

#include "app/explore/motion/course.h"
#include "app/explore/motion/gesture.h"
#include "app/explore/motion/hold_speed.h"
#include "app/explore/similarity.h"
#include "app/input/input.h"
#include "render/view.h"
#include <complex.h>
#include <stdbool.h>

struct explorer;

/* Kinds of motion. Motion of one kind without a rest is one undo step. */
enum motion_kind {
    MOTION_NONE,
    MOTION_ZOOM,
    MOTION_DRAG,
    MOTION_SLIDE,
    MOTION_TURN,
    MOTION_PINCH,
    MOTION_STEER, /* everything that a gamepad does at the same time */
    MOTION_HOLD,
};

struct motion {
    enum motion_kind kind; /* of the current undo step */
    bool dragging, spinning;
    double hold;                 /* [e-folds/ms] zoom; 0: nothing is held */
    struct hold_speed speed;     /* factor of explorer.zoom_speed, except in flight */
    double held_ms;              /* duration of the held zoom so far */
    bool flown;                  /* the zoom is held by ACTION_FLY, and no hand has taken over */
    double fly_x_px, fly_y_px;   /* place that it zooms about */
    const struct course *course; /* followed until a hand takes over; NULL: none */
    double course_left_ms;       /* time until the screen shows the target of the course */
    double glide_x, glide_y;     /* [px/ms] velocity; 0: no glide */
    double remainder_x_px,
        remainder_y_px;      /* fractions of pixels that the glide has not moved yet */
    double since_request_ms; /* time since the last request */
    bool seen;               /* the first pass of the requested picture is on the screen */
    bool complete;           /* the requested picture is complete */
    double took_ms; /* duration of the last picture in motion, or time until it was replaced */
    bool renew;     /* the target has moved, and a request is due soon */
    bool boxing;    /* a box is drawn */
    double box_x0, box_y0, box_x1, box_y1; /* [px] its corners */
    struct gesture gesture;
};

/* Advances by a time: the camera approaches the target; held zooms and glides continue. */
void motion_advance(struct explorer *explorer, double ms);
/* Returns the expected camera after that time. */
struct similarity motion_camera_after(const struct explorer *explorer, double ms);
/* Stores the view of a held zoom inwards after that time, with its target in the middle, or of a
 * course inwards, in an initialised view. Returns false if there is no such zoom. */
bool motion_view_after(const struct explorer *explorer, double ms, struct view *view);
/* Records that the target has been requested. */
void motion_requested(struct explorer *explorer);
/* Records the progress of the requested picture, 0 .. 1. */
void motion_note_progress(struct explorer *explorer, double progress);
/* Returns true during a drag, a rotation, a held zoom or a glide, on a course that does not rest,
 * and if a request is due. */
bool motion_active(const struct explorer *explorer);
/* Returns true if nothing moves the target and the camera has almost reached it. */
bool motion_ends(const struct explorer *explorer);
/* Returns the place of a held zoom: the pointer, or that of the flight. In pixels from the top
 * left. */
double complex motion_place(const struct explorer *explorer);
/* Returns true during a held zoom, a glide or steering. */
bool motion_continues(const struct motion *motion);
/* Returns true if the view may zoom without end: during a held zoom or on a course. */
bool motion_zooms(const struct motion *motion);
/* Returns true if the target is zoomed out as far as possible. An opened view may be farther
 * out. */
bool motion_at_bound(const struct explorer *explorer);
/* Returns the zoom factor that does not exceed that bound; 1: no zoom. */
double motion_within_bound(const struct explorer *explorer, double factor);
/* Ends a held zoom, a flight, a pinch and a glide, before the view changes. */
void motion_end(struct explorer *explorer);

/* Begins an undo step, unless a step of that kind continues; MOTION_NONE always begins a step. Call
 * it before the target changes. */
void motion_begin(struct explorer *explorer, enum motion_kind kind);
/* Keeps what the screen shows, and moves it from `before` to the target. Call it after the target
 * has changed. */
void motion_follow(struct explorer *explorer, const struct view *before);
/* Requests a target that has changed together with the screen. */
void motion_target_changed(struct explorer *explorer);
/* Requests it soon: motion changes it all the time, to pictures that share no pixels. */
void motion_request_soon(struct explorer *explorer);

/* Zooms the target by `factor` as a step of that kind. The point that the screen shows at (x, y)
 * stays there all the time. */
void motion_zoom(struct explorer *explorer, enum motion_kind kind, double factor, double x_px,
                 double y_px);
/* Moves the point that the screen shows at `place` [px] to the middle and zooms there, as one
 * step. */
void motion_zoom_to(struct explorer *explorer, double complex place, double factor);
void motion_stop_glide(struct motion *motion);
/* Drags the picture by that many pixels. */
void motion_drag(struct explorer *explorer, double x_px, double y_px);
/* Holds a zoom at the pointer at `speed` times the usual speed; < 0: outwards, 0: ends it. A held
 * zoom is one undo step. */
void motion_hold(struct explorer *explorer, double speed);

/* Returns the speed of a held zoom or flight as a multiple of the usual one. */
double motion_zoom_speed(const struct explorer *explorer);
/* Sets the speed of held zooms, including the present one, whether or not pictures keep up. It is
 * clamped to ZOOM_SPEED_MIN .. ZOOM_SPEED_MAX. */
void motion_set_zoom_speed(struct explorer *explorer, double speed);

#endif
