/* The explorer's state: the scene that is wanted, and the way there. It uses neither GL nor the backend: actions, time
 * and findings go in, a request and the camera for its picture come out. Others read the state, and change it by the
 * functions here alone. The scene is the target, the end of any animation; it is drawn. The camera says where a picture
 * of the target lies on the screen now, in pixels of that picture. */
#ifndef FATHOM_APP_EXPLORE_EXPLORER_H
#define FATHOM_APP_EXPLORE_EXPLORER_H

#include "app/explore/auto_frequency.h"
#include "app/explore/auto_limit.h"
#include "app/explore/field_text.h"
#include "app/explore/motion/motion.h"
#include "app/explore/orbits.h"
#include "app/explore/undo/history.h"
#include "render/backend.h"
#include "render/files/scene.h"

#define EXPLORER_SAMPLES 16 /* of a pixel at rest, by default */
struct explorer {
    struct scene scene;
    struct similarity camera;
    int width_px, height_px; /* of the picture */
    double pointer_x_px, pointer_y_px;
    bool changed;                /* the scene is newer than the last request */
    struct backend_info backend; /* what it can do; nothing, before that is known */
    bool tone_changed;           /* only the tone of its density picture is newer */
    double time_ms;              /* that was let pass, in all */
    double quiet_ms;             /* since the target moved */
    struct motion motion;        /* of the target and the camera */
    struct history history;
    double zoom_speed;       /* of a held zoom, in times the usual one */
    bool inertia;            /* what is let go in motion glides on */
    uint64_t generation;     /* of the last request */
    struct plan plan;        /* of the last request */
    uint32_t samples;        /* of a pixel, that ACTION_ANTIALIAS asks for */
    unsigned shortcuts;      /* enum shortcuts */
    unsigned random_palette; /* the key of the last one */
    struct plan_speed speed; /* of the backend */
    struct auto_limit auto_limit;
    struct auto_frequency auto_frequency;
};

/* What a picture has found out about the target since it was asked last; zero-initialised: nothing.
 * Pointers are the picture's and hold until it is asked again. */
struct findings {
    bool news;                           /* there are new pixels to show */
    const struct backend_report *report; /* about the last request */
    const struct statistics *statistics; /* of the complete picture, to be judged */
    const struct glimpse *glimpse;       /* to be judged for its colours */
    bool toned;                          /* the density picture has the target's tone */
    bool lost;                           /* it is to be drawn again, by another device */
    bool no_density;                     /* no backend that is left counts orbits */
    const char *refused;   /* why no backend draws the request; NULL: one does. Static text */
    bool no_samples;       /* more than one sample of a pixel cannot be drawn */
    double samples_per_ms; /* new ones that pictures in motion deliver; 0: nothing new is known */
};

/* Takes the scene over: no automatic limit, all shortcuts, inertia, a zoom speed of 1. Pairs with explorer_finish. */
void explorer_init(struct explorer *explorer, struct scene *scene, int width_px, int height_px);
/* Sets what the options say, before the first request. A zoom speed of 0: 1, or what pictures keep up with. */
void explorer_configure(struct explorer *explorer, unsigned shortcuts, bool auto_limit,
                        bool auto_frequency, bool inertia, double zoom_speed);
void explorer_finish(struct explorer *explorer);

/* Whether the view is the fractal's home, fitted to this shape (home.h), or the one that scenes begin
 * with. */
bool explorer_at_home(const struct view *view, const struct fractal *fractal, int width_px,
                      int height_px);
/* Of the picture; a view that is home is fitted to the new shape. */
void explorer_resize(struct explorer *explorer, int width_px, int height_px);
/* Applies what concerns the scene; other actions are the caller's. */
void explorer_apply(struct explorer *explorer, const struct action *action);
/* Why an action would change nothing now, as a message; NULL: it may. Static text. */
const char *explorer_refusal(const struct explorer *explorer, const struct action *action);
/* Goes to another scene, which is taken over: view, limit, colours and all. */
void explorer_goto(struct explorer *explorer, struct scene *scene);
/* Takes over a scene of the same view, with other settings; `adapts`: from now on colours follow the picture. */
void explorer_update(struct explorer *explorer, struct scene *scene, bool adapts);
/* Sets a setting from a text, as field_set does; a changed view is gone to as a step to undo. */
bool explorer_set(struct explorer *explorer, enum setting_id id, const char *text,
                  struct setting_problem *problem);
/* Takes a palette's share over; `step`: as one to undo, which an edit that goes on is not. */
void explorer_set_palette(struct explorer *explorer, const struct palette *palette, bool step);
/* What the backend can do. */
void explorer_set_backend(struct explorer *explorer, const struct backend_info *info);
void explorer_set_inertia(struct explorer *explorer, bool on);
/* Sets what is remembered from run to run to the program's defaults. */
void explorer_reset_preferences(struct explorer *explorer);
/* The same scene is to be drawn again, by another backend. */
void explorer_redraw(struct explorer *explorer, bool forget_speed);

/* Lets time pass; may set `changed`, as what was drawn for motion is no picture for rest. */
void explorer_advance(struct explorer *explorer, double elapsed_ms);
/* Into an initialised view: the one whose picture the screen shows now, where the camera is. */
void explorer_screen_view(const struct explorer *explorer, struct view *view);
/* Whether the picture still moves on the screen. */
bool explorer_animating(const struct explorer *explorer);
/* Whether quick pictures are wanted now; at rest they are exact. */
bool explorer_moving(const struct explorer *explorer);

/* How the target is drawn in motion, or at rest. */
struct plan explorer_plan(const struct explorer *explorer, bool moving);
/* e-folds that the target can be zoomed in by until numbers end, or zooms do; below 0: too far. */
double explorer_room(const struct explorer *explorer);
/* Before requests: a new generation and plan, an automatic limit follows the zoom, no change. */
void explorer_begin_request(struct explorer *explorer);
/* Into an initialised request: the target as explorer_begin_request left it. */
void explorer_request(const struct explorer *explorer, struct frame_req *req);
/* Into both, initialised: what a held zoom inwards will ask for, and before that show soon, with what it
 * zooms at in the middle. False: nothing needs to be prepared for that. */
bool explorer_request_ahead(const struct explorer *explorer, struct frame_req *req,
                            struct view *soon);
/* For a density picture: all but samples, cells and start; `req` gets what both kinds have. */
void explorer_density_request(const struct explorer *explorer, struct frame_req *req,
                              struct density_req *density);
/* Learns speed and progress, raises an automatic limit that was too low, leaves what cannot be drawn; sets `changed`
 * where that leads to another picture. */
void explorer_learn(struct explorer *explorer, const struct findings *found);
bool explorer_tell_limit(struct explorer *explorer, char *text, size_t size);

#endif
