/* The event loop: events in, frames out. It never waits for a picture; at rest it sleeps. */
#ifndef FATHOM_APP_WINDOW_LOOP_H
#define FATHOM_APP_WINDOW_LOOP_H

#include "app/explore/recent.h"
#include "app/explore/title.h"
#include "app/gallery/collection.h"
#include "app/hud/hud.h"
#include "app/hud/hud_text.h"
#include "app/hud/panel_model.h"
#include "app/hud/preferences.h"
#include "app/input/input.h"
#include "app/picture/picture.h"
#include "app/script/script.h"
#include "app/stats.h"
#include "app/still/enlarge.h"
#include "app/still/screenshot.h"
#include "app/window/frame_clock.h"
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
    struct recent *recent;          /* NULL: none are kept */
    const struct loop_watch *watch; /* NULL: nobody looks on */

    struct input input;
    struct readout readout;
    int width_px, height_px; /* of the drawable */
    enum hud_numbers numbers;
    int help;                 /* its page; 0: none */
    struct panel_model panel; /* the panel */
    struct preferences preferences;
    struct collection collection; /* the gallery; its pointers are the caller's */
    struct enlarge enlarge;       /* likewise */
    bool redraw;                  /* the screen is out of date */
    bool unsettled;  /* the frame drawn next may still go by the window's earlier size */
    bool news;       /* as is the picture on it, which is less urgent */
    bool screenshot; /* one is to be taken of the complete picture, ... */
    enum image_format screenshot_format; /* so, ... */
    bool screenshot_now;                 /* ... without waiting for more samples of each pixel */
    bool png_told;                       /* how to get a PNG */
    struct screenshot_writer writer;
    double hint_until_ms; /* the line for beginners is shown; 0: not */
    struct title title;
    double escaped_ms;   /* when Esc was pressed in the bare window; 0: not yet */
    bool at_bound;       /* the view was as far out as zooming goes */
    const char *capture; /* the frame drawn next goes into this file */
    double leaving_ms;   /* when quitting was asked for while a screenshot waits; 0: it was not */
    bool quit, failed;
    double frame_start_ms, frame_end_ms; /* of the last turn that drew */
    double turn_start_ms, pace_ms; /* it began; it was due, or began where that was long ago */
    double first_complete_ms;      /* from the program's start to the first one on the screen */
    double time_owed_ms;           /* to the explorer; below 0: it was let pass too early */
    bool kept; /* the picture about to be replaced was polled in an earlier turn */
    double kept_ms, keeping_cost_ms; /* when the last such poll ended, and what it took */
    size_t messages_shown;

    struct stats frames;      /* ms of the frames of the last seconds */
    struct frame_clock clock; /* what they went into */
    struct stats turns;       /* ms of turns with a picture in flight */
    struct stats measured;    /* ms of complete pictures, measured for the script */
    struct stats measured_device;
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
/* Takes news of the picture, as picture_poll does, and tells the explorer. */
bool loop_poll(struct loop *loop, double budget_ms);
/* Runs until it is quit or the script ends. False: something failed, logged. */
bool loop_run(struct loop *loop);

/* --- its parts, in files of their own --- */

/* Carries out an action, which comes from keys, the pointer or a script, with a message where it
 * cannot be seen or is not possible. The action stays the caller's. */
void actions_apply(struct loop *loop, const struct action *action);

/* Quitting was asked for: ends the loop at once, or the second time, or once the screenshot that
 * waits has been taken, with the samples that its picture has by then. */
void leave_ask(struct loop *loop);
/* A signal asks for that; the second signal (interrupt.h) counts as the second time. A script then
 * counts as not carried out. */
void leave_interrupted(struct loop *loop);
bool leave_asked(const struct loop *loop);
/* When the loop has to look again at the latest, by clock_ms; INFINITY: it was not. */
double leave_due_ms(const struct loop *loop);
/* Once a turn: ends the loop when the screenshot is there, or has taken too long. */
void leave_advance(struct loop *loop);
/* After the loop: logs that a screenshot which was asked for was not taken. False: there is one. */
bool leave_tell(const struct loop *loop);

/* Writes what the bound framebuffer shows into the file `loop->capture`. Where that fails the loop
 * ends, logged. */
void shots_capture(struct loop *loop);
/* To be called while the view rests: takes the screenshot that waits once its picture is complete,
 * with all samples of each pixel unless it is wanted now. False: failed, logged; the loop ends. */
bool shots_advance(struct loop *loop);
/* Before anything is done to the view: one that waits for samples is taken with those shown. */
void shots_before_change(struct loop *loop);
/* Posts what became of the screenshot that was being written. */
void shots_finish(struct loop *loop);

#endif
