/* The event loop: events in, frames out. It never waits for a picture; at rest it sleeps. */
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
#include "app/title.h"
#include "app/window/flight.h"
#include "app/window/frame_clock.h"
#include "app/window/greeting.h"
#include "app/window/location_search.h"
#include "app/window/loop_watch.h"
#include "app/window/window.h"

struct loop {
    /* The caller's; they outlive the loop. */
    struct window *window;
    struct hud *hud;
    struct active_backend *active;
    struct explorer *explorer;
    struct picture *picture;
    struct messages *messages;
    struct script *script;          /* NULL: none */
    const char *folder;             /* of screenshots and captures */
    enum image_format format;       /* of screenshots */
    int quality;                    /* likewise */
    struct recent *recent;          /* NULL: none are kept */
    const struct loop_watch *watch; /* NULL: none */

    struct input input;
    struct readout readout;
    int width_px, height_px; /* of the drawable */
    enum hud_numbers numbers;
    int help;                 /* its page; 0: none */
    struct panel_model panel; /* the panel */
    struct minimap map;
    struct julia_inset julia;
    struct under_pointer under_pointer;
    struct preferences preferences;
    struct favourites favourites;
    struct opening opening; /* of views and images */
    struct wardrobe wardrobe;
    struct collection collection; /* the gallery; its pointers are the caller's */
    struct enlarge enlarge;       /* likewise */
    struct flight flight;
    struct location_search location_search;
    bool redraw;     /* the screen is out of date */
    bool unsettled;  /* the frame drawn next may still go by the window's earlier size */
    bool news;       /* as is the picture on it, which is less urgent */
    bool screenshot; /* one is to be taken of the complete picture, ... */
    struct screenshot_order order; /* so, ... */
    bool screenshot_now;           /* ... without waiting for more samples of each pixel */
    bool png_told;                 /* how to get a PNG */
    struct screenshot_writer writer;
    struct greeting greeting;
    struct title title;
    double escaped_ms;    /* when Esc was pressed in the bare window; 0: not yet */
    bool at_bound;        /* the view was as far out as zooming goes */
    const char *capture;  /* the frame drawn next goes into this file */
    double quit_asked_ms; /* when quitting was asked for while a screenshot waits; 0: it was not */
    bool quit, failed;
    double frame_start_ms, frame_end_ms; /* of the last turn that drew */
    double turn_start_ms, pace_ms; /* it began; it was due, or began where that was long ago */
    double first_complete_ms;      /* from the program's start to the first one on the screen */
    double time_owed_ms;           /* to the explorer; below 0: it was let pass too early */
    bool held;                     /* the density picture counts no further, as nobody sees it */
    bool kept; /* the picture about to be replaced was polled in an earlier turn */
    double kept_ms, keeping_cost_ms; /* when the last such poll ended, and what it took */
    size_t messages_shown;

    struct stats frames;                    /* ms of the frames of the last seconds */
    struct frame_clock clock;               /* what they went into */
    struct stats turns;                     /* ms of turns with a picture in flight */
    struct stats measured, measured_device; /* ms of complete pictures, for the script */
    unsigned long long turn_count, frame_count;
    int screenshot_count;
};

/* `loop` has the caller's members set, all others zero. False: logged why. */
bool loop_init(struct loop *loop);
void loop_finish(struct loop *loop);
/* Fits the pictures that are requested to the window's size, as far as textures allow. */
void loop_fit_window(struct loop *loop);
/* Submits the explorer's target, or what the explorer makes of it. False: as picture_submit. */
bool loop_submit(struct loop *loop, bool reuse);
/* Takes news of the picture, as picture_poll does. What it found goes to the explorer. */
bool loop_poll(struct loop *loop, double budget_ms);
void loop_learn(struct loop *loop, const struct findings *found);
/* Draws a frame with what there is, before the first turn. False: failed, logged. */
bool loop_show_first(struct loop *loop);
/* Runs until it is quit or the script ends. False: something failed, logged. */
bool loop_run(struct loop *loop);

#endif
