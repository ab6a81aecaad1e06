/* Event loop: handles events and draws frames. It never waits for a picture; at rest it sleeps. */
#ifndef FATHOM_APP_WINDOW_LOOP_H
#define FATHOM_APP_WINDOW_LOOP_H

#include "app/explore/open/opening.h"
#include "app/explore/recent.h"
#include "app/gallery/collection.h"
#include "app/hud/favourites.h"
#include "app/hud/hud.h"
#include "app/hud/hud_text.h"
#include "app/hud/insets/julia_inset.h"
#include "app/hud/insets/minimap.h"
#include "app/hud/panel_model.h"
#include "app/hud/preferences.h"
#include "app/input/input.h"
#include "app/picture/picture.h"
#include "app/script/script.h"
#include "app/stats.h"
#include "app/still/enlarge.h"
#include "app/still/screenshot.h"
#include "app/still/verification.h"
#include "app/title.h"
#include "app/window/flight.h"
#include "app/window/frame_clock.h"
#include "app/window/greeting.h"
#include "app/window/location_search.h"
#include "app/window/loop_watch.h"
#include "app/window/path/path_control.h"
#include "app/window/window.h"

struct loop {
    /* Set by the caller; they outlive the loop. */
    struct window *window;
    struct hud *hud;
    struct active_backend *active;
    struct explorer *explorer;
    struct picture *picture;
    struct messages *messages;
    struct script *script;          /* NULL: none */
    const char *folder;             /* for screenshots and captures */
    enum image_format format;       /* of screenshots */
    int quality;                    /* of screenshots */
    struct recent *recent;          /* NULL: locations are not recorded */
    const struct loop_watch *watch; /* NULL: none */

    struct input input;
    struct readout readout;
    int width_px, height_px; /* size of the drawable */
    enum hud_numbers numbers;
    int help; /* page; 0: hidden */
    struct panel_model panel;
    struct minimap map;
    struct julia_inset julia;
    struct under_pointer under_pointer;
    struct preferences preferences;
    struct favourites favourites;
    struct opening opening; /* views and images */
    struct style_control style_control;
    struct collection collection;     /* gallery; the caller owns its pointers */
    struct enlarge enlarge;           /* the caller owns its pointers */
    struct verification verification; /* the caller sets its options */
    struct flight flight;
    struct location_search location_search;
    struct path_control path_control; /* the caller sets its job's members */
    bool redraw;                      /* the screen is out of date */
    bool unsettled;                   /* the next frame may still have the window's earlier size */
    bool news;       /* the picture on the screen is out of date, which is less urgent */
    bool screenshot; /* a screenshot of the complete picture is ordered */
    struct screenshot_order order;
    bool screenshot_now; /* the screenshot does not wait for more samples of each pixel */
    bool png_told;       /* the message about PNG was posted */
    struct screenshot_writer writer;
    struct greeting greeting;
    struct title title;
    double escaped_ms;    /* clock_ms of Esc in the bare window; 0: none yet */
    bool at_bound;        /* the view was zoomed out as far as possible */
    const char *capture;  /* file for the next frame; NULL: none */
    double quit_asked_ms; /* clock_ms of the request to quit with a waiting screenshot; 0: none */
    bool quit, failed;
    double frame_start_ms, frame_end_ms; /* of the last turn with a frame */
    double turn_start_ms;                /* beginning of the turn */
    double pace_ms;                      /* when it was due, or its beginning if it is very late */
    double first_complete_ms; /* from the program's start to the first complete picture */
    double time_owed_ms;      /* time that the explorer is behind; < 0: ahead */
    bool held;                /* the density picture is paused because the window is invisible */
    bool kept;                /* the picture that will be replaced was polled in an earlier turn */
    double kept_ms;           /* end of the last such poll */
    double keeping_cost_ms;   /* its duration */
    size_t messages_shown;

    struct stats frames;                    /* [ms] frames of the last seconds */
    struct frame_clock clock;               /* their parts */
    struct stats turns;                     /* [ms] turns with a picture in flight */
    struct stats measured, measured_device; /* [ms] complete pictures, for the script */
    unsigned long long turn_count, frame_count;
    int screenshot_count;
};

/* Initialises a loop whose caller's members are set and all others zero. Returns false if that
 * fails; logged. */
bool loop_init(struct loop *loop);
void loop_finish(struct loop *loop);
/* Fits the requested pictures to the window's size, as far as textures permit. */
void loop_fit_window(struct loop *loop);
/* Submits the explorer's target, or the scene that replaces a target without a backend. Returns
 * false as picture_submit. */
bool loop_submit(struct loop *loop, bool reuse);
/* Polls the picture, as picture_poll, and passes its findings to the explorer. */
bool loop_poll(struct loop *loop, double budget_ms);
void loop_learn(struct loop *loop, const struct findings *found);
/* Draws a first frame before the first turn. Returns false if that fails; logged. */
bool loop_show_first(struct loop *loop);
/* Runs until it is quit or the script ends. Returns false if something failed; logged. */
bool loop_run(struct loop *loop);

#endif
