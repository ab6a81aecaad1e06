/* Explorer: the scene on the screen and the motion to it. Uses neither GL nor the backend. Other
 * modules read the members and change them only by the functions below. The scene is the target:
 * the end of any animation. Pictures are drawn of the target, and the camera maps a picture to the
 * screen, in pixels. */
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

#define EXPLORER_SAMPLES 16 /* default samples of a pixel at rest */
struct explorer {
    struct scene scene;
    struct similarity camera;
    int width_px, height_px; /* size of the picture */
    double pointer_x_px, pointer_y_px;
    bool changed;                /* the scene is newer than the last request */
    struct backend_info backend; /* capabilities; zero before they are known */
    bool tone_changed;           /* only the tone of the density picture is newer */
    double time_ms;              /* total time passed */
    double quiet_ms;             /* time since the target moved */
    struct motion motion;
    struct history history;
    double zoom_speed;       /* of a held zoom, as a multiple of the usual speed */
    bool inertia;            /* drags glide on */
    uint64_t generation;     /* of the last request */
    struct plan plan;        /* of the last request */
    uint32_t samples;        /* samples of a pixel if anti-aliasing is switched on */
    unsigned shortcuts;      /* enum shortcuts */
    unsigned random_palette; /* key of the last random palette */
    struct plan_speed speed; /* of the backend */
    struct auto_limit auto_limit;
    struct auto_frequency auto_frequency;
};

/* Findings of a picture about the target since the last call; zero: none. The picture owns
 * pointers. */
struct findings {
    bool news;                           /* there are new pixels to show */
    const struct backend_report *report; /* on the last request */
    const struct statistics *statistics; /* of the complete picture, to judge the limit and ranks */
    const struct glimpse *glimpse;       /* counts to judge the colours */
    bool toned;                          /* the density picture has the target's tone */
    bool lost;                           /* it must be drawn again by another device */
    bool no_density;                     /* no remaining backend counts orbits */
    const char *refused;   /* why no backend draws the request, static text; NULL: one does */
    bool no_samples;       /* several samples of a pixel cannot be drawn */
    double samples_per_ms; /* new samples that pictures in motion deliver; 0: unknown */
};

/* Takes ownership of the scene; no automatic limit, all shortcuts, inertia. Pairs with
 * explorer_finish. */
void explorer_init(struct explorer *explorer, struct scene *scene, int width_px, int height_px);
/* Sets options, before the first request. Zoom speed 0: 1, or slower if pictures cannot keep up. */
void explorer_configure(struct explorer *explorer, unsigned shortcuts, bool auto_limit,
                        bool auto_frequency, bool inertia, double zoom_speed);
void explorer_finish(struct explorer *explorer);

/* Returns true for the home view, fitted to this shape (home.h), and for the initial view of
 * scenes. */
bool explorer_at_home(const struct view *view, const struct fractal *fractal, int width_px,
                      int height_px);
/* Sets the picture's size; a home view is fitted to the new shape. */
void explorer_resize(struct explorer *explorer, int width_px, int height_px);
/* Applies an action of the explorer's table; other actions are the caller's. */
void explorer_apply(struct explorer *explorer, const struct action *action);
/* Returns why an action is impossible now, as a message, or NULL. Static text. */
const char *explorer_refusal(const struct explorer *explorer, const struct action *action);
/* Goes to another scene, including limit and colours, and takes ownership of it. */
void explorer_set_scene(struct explorer *explorer, struct scene *scene);
/* Takes ownership of a scene of the same view. `adapts`: colours follow the picture from now on. */
void explorer_update(struct explorer *explorer, struct scene *scene, bool adapts);
/* Sets a setting from a text, as field_set does. A changed view is one undo step. */
bool explorer_set(struct explorer *explorer, enum setting_id id, const char *text,
                  struct setting_problem *problem);
/* Takes ownership of a reference to a palette. `step`: as an undo step, unlike a continued edit. */
void explorer_set_palette(struct explorer *explorer, const struct palette *palette, bool step);
/* Sets the capabilities of the backend. */
void explorer_set_backend(struct explorer *explorer, const struct backend_info *info);
void explorer_set_inertia(struct explorer *explorer, bool on);
/* Resets the remembered settings to the program's defaults. */
void explorer_reset_preferences(struct explorer *explorer);
/* Requests the same scene again, from another backend. */
void explorer_redraw(struct explorer *explorer, bool forget_speed);

/* Advances by a time. May set `changed`, because pictures in motion are not good enough at rest. */
void explorer_advance(struct explorer *explorer, double elapsed_ms);
/* Stores the view that the screen shows now, where the camera is, in an initialised view. */
void explorer_screen_view(const struct explorer *explorer, struct view *view);
/* Returns true while the picture moves on the screen. */
bool explorer_animating(const struct explorer *explorer);
/* Returns true if pictures must be quick now; at rest they are exact. */
bool explorer_moving(const struct explorer *explorer);

/* Returns the plan of the target in motion or at rest. */
struct plan explorer_plan(const struct explorer *explorer, bool moving);
/* Returns the e-folds to the end of precision or of the zoom range; < 0: the target is too deep. */
double explorer_room(const struct explorer *explorer);
/* Begins a request: new generation and plan; the automatic limit follows the zoom. */
void explorer_begin_request(struct explorer *explorer);
/* Stores the target in an initialised request, after explorer_begin_request. */
void explorer_request(const struct explorer *explorer, struct frame_req *req);
/* Stores the request that a held zoom inwards will need, and the view that it shows soon, both
 * initialised. Returns false if nothing needs to be prefetched. */
bool explorer_request_ahead(const struct explorer *explorer, struct frame_req *req,
                            struct view *soon);
/* Stores a density request except samples, cells and start; `req` gets the common members. */
void explorer_density_request(const struct explorer *explorer, struct frame_req *req,
                              struct density_req *density);
/* Applies findings to speed, limit and colours; leaves a target that cannot be drawn. */
void explorer_learn(struct explorer *explorer, const struct findings *found);
bool explorer_limit_message(struct explorer *explorer, char *text, size_t size);

#endif
