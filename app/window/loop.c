/* Event loop: each turn handles events, advances the explorer, polls the picture, draws a frame. */
#include "app/picture/gl.h"
#include "app/process_age.h"
#include "app/window/loop_parts.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <math.h>

#define FRAMES_KEPT    240    /* about four seconds in the HUD's graph */
#define TURNS_KEPT     100000 /* for the script's statistics */
#define MEASURES_KEPT  20000
#define EVENTS_MAX     20000 /* maximum number of events in one turn */
#define PROGRESS_SHARE 3     /* a frame of mere progress waits for this multiple of its cost */
#define KEEPING_SHARE  8     /* polling replaced pictures waits for this multiple of its cost */
#define KEEPING_MS     2.0   /* a longer poll has a turn of its own */
#define HUD_MS         200   /* interval of the HUD's numbers while a picture is drawn */
#define REFINE_MS      2.0   /* interval between checks for events while samples are drawn */
#define BACKGROUND_MS  50    /* interval between checks for thumbnails and a larger picture */
#define SCRIPT_STEP_MS 10.0  /* step of the time of a script */
#define MOVING_MS      2.0   /* interval between polls of a picture in motion */
#define STEADY         0.3   /* share of a frame by which a turn of about one frame may differ */
#define PACE_SLACK_MS  1.0   /* a turn begins this early, so that the display never waits for it */

bool loop_init(struct loop *loop) {
    loop->redraw = loop->unsettled = true;
    opening_init(&loop->opening, loop->messages);
    return frame_clock_init(&loop->clock) && stats_init(&loop->frames, FRAMES_KEPT) &&
           stats_init(&loop->turns, TURNS_KEPT) && stats_init(&loop->measured, MEASURES_KEPT) &&
           stats_init(&loop->measured_device, MEASURES_KEPT);
}

void loop_finish(struct loop *loop) {
    flight_finish(loop);
    path_control_finish(loop);
    greeting_finish(&loop->greeting);
    location_search_finish(loop);
    insets_finish(loop);
    screenshot_finish(&loop->writer);
    enlarge_finish(&loop->enlarge);
    verification_finish(&loop->verification);
    opening_finish(&loop->opening);
    collection_finish(&loop->collection);
    gamepads_finish(&loop->input.gamepads);
    title_finish(&loop->title);
    panel_model_finish(&loop->panel);
    frame_clock_finish(&loop->clock);
    stats_finish(&loop->frames);
    favourites_finish(&loop->favourites);
    style_control_finish(&loop->style_control);
    stats_finish(&loop->turns);
    stats_finish(&loop->measured);
    stats_finish(&loop->measured_device);
}

static bool fail(struct loop *loop) {
    loop->failed = loop->quit = true;
    return false;
}

/* --- events --- */

static struct panel_model_context panel_context(struct loop *loop) {
    return (struct panel_model_context){
        loop->explorer,          loop->active,      loop->picture,        loop->recent,
        loop->messages,          &loop->collection, &loop->enlarge,       &loop->preferences,
        &loop->style_control,    loop->flight.on,   loop->flight.changes, path_control_shown(loop),
        loop->verification.shown};
}

static const struct panel_rows *fill_panel(struct loop *loop) {
    const struct panel_model_context context = panel_context(loop);
    return loop->panel.open && panel_model_fill(&loop->panel, &context) ? &loop->panel.model : NULL;
}

static void apply_edits(struct loop *loop) {
    const struct panel_model_context context = panel_context(loop);
    struct panel_edit edit;
    while (hud_take_edit(loop->hud, &edit)) {
        panel_model_apply(&loop->panel, &context, &edit);
        preferences_follow_edit(&loop->preferences, edit.item, loop->explorer);
        flight_follow_edit(loop, edit.item, edit.index);
        path_control_follow_edit(loop, edit.item, edit.index);
        location_search_follow_edit(loop, edit.item, edit.index);
        loop->redraw = true;
    }
    loop->redraw |= collection_take_click(&loop->collection);
}

/* Sends an event to the gallery, the panel and the insets. Returns true if one of them uses it. */
static bool send_to_overlays(struct loop *loop, const SDL_Event *event) {
    if (collection_event(&loop->collection, event)) {
        loop->redraw = true;
        return true;
    }
    const bool covered = collection_open(&loop->collection);
    const struct panel_rows *panel = covered ? NULL : fill_panel(loop);
    const bool taken = hud_event(loop->hud, event, panel) || insets_take_event(loop, event);
    apply_edits(loop);
    loop->redraw = loop->redraw || panel || covered || event->type == SDL_WINDOWEVENT;
    return taken;
}

/* Sends the first finger to the overlays as a mouse. Returns true if one of them uses it, and thus
 * all fingers. */
static bool send_finger_to_overlays(struct loop *loop, const SDL_Event *event) {
    SDL_Event mouse[2];
    const int count = input_finger_as_mouse(&loop->input, event, mouse);
    bool taken = false;
    for (int i = 0; i < count; i++)
        taken = send_to_overlays(loop, &mouse[i]) || taken;
    if (count > 0 && event->type == SDL_FINGERUP) /* the mouse has left the window */
        send_to_overlays(loop, &(SDL_Event){.window = {.type = SDL_WINDOWEVENT,
                                                       .event = SDL_WINDOWEVENT_LEAVE}});
    return taken && event->type == SDL_FINGERDOWN;
}

static void handle_event(struct loop *loop, const SDL_Event *event) {
    SDL_Event key;
    if (collection_open(&loop->collection) && input_button_as_key(event, &key)) {
        send_to_overlays(loop, &key);
        return;
    }
    if (greeting_take_event(loop, event))
        return;
    flight_record_input(&loop->flight, event);
    const bool finger = send_finger_to_overlays(loop, event), taken = send_to_overlays(loop, event);
    loop->unsettled |= event->type == SDL_WINDOWEVENT && window_is_reshaped_by(&event->window);
    if (event->type == SDL_WINDOWEVENT)
        window_follow(loop->window, &event->window);
    if (taken)
        return;
    struct action action = input_translate(&loop->input, event);
    if (finger)
        input_ignore_fingers(&loop->input);
    else
        actions_apply(loop, &action);
    action_finish(&action);
}

static bool advance_moving(struct loop *loop);

/* Returns clock_ms of the next turn if no event arrives. */
static double due_ms(const struct loop *loop, double pace_ms) {
    double due = fmin(messages_expire(loop->messages), quit_due_ms(loop));
    due = fmin(due, fmin(greeting_due_ms(loop, pace_ms), path_control_due_ms(loop, pace_ms)));
    if (loop->script)
        due = fmin(due, script_due_ms(loop->script));
    due = fmin(due, fmin(flight_due_ms(loop, pace_ms), insets_due_ms(loop, pace_ms)));
    if (active_backend_starting(loop->active) || screenshot_busy(&loop->writer) ||
        explorer_moving(loop->explorer) ||
        auto_frequency_changing(&loop->explorer->auto_frequency) || loop->explorer->changed ||
        picture_busy(loop->picture))
        due = fmin(due, pace_ms);
    if ((loop->redraw || loop->news) && window_visible(loop->window))
        due = fmin(due, pace_ms);
    if (collection_busy(&loop->collection) || opening_waits(&loop->opening) ||
        enlarge_busy(&loop->enlarge) || location_search_busy(loop) ||
        verification_busy(&loop->verification))
        due = fmin(due, clock_ms() + BACKGROUND_MS);
    return due;
}

/* Returns true if the next frame shows the effect of this input. */
static bool shows_effect(const struct loop *loop, const SDL_Event *event) {
    return event->type >= SDL_KEYDOWN && event->type < SDL_CLIPBOARDUPDATE && loop->redraw &&
           window_visible(loop->window);
}

/* Returns when the next frame begins at the display's rate, or earlier if frames wait for it. */
static double next_pace_ms(const struct loop *loop) {
    const double frame = window_frame_ms(loop->window);
    return window_waits_for_display(loop->window) ? loop->turn_start_ms + frame - PACE_SLACK_MS
                                                  : loop->pace_ms + frame;
}

/* Begins a turn. A slight delay does not shift the following turns. */
static void begin_turn(struct loop *loop) {
    const double pace = next_pace_ms(loop), frame = window_frame_ms(loop->window);
    loop->turn_start_ms = clock_ms();
    loop->pace_ms = loop->turn_start_ms < pace + frame / 2 && loop->turn_start_ms > pace - 1
                        ? pace
                        : loop->turn_start_ms;
}

/* Handles events until the next turn is due. Events make it due as soon as the display can show
 * it. */
static void handle_events(struct loop *loop) {
    const double pace = next_pace_ms(loop);
    double until = fmax(due_ms(loop, pace), pace);
    if (refine_busy(loop))
        until = fmin(until, loop->turn_start_ms + REFINE_MS);
    for (int taken = 0; taken < EVENTS_MAX && !loop->quit;) {
        SDL_Event event;
        const double start = clock_ms(), left = fmax(until - start, 0);
        const bool moving = picture_wants_motion(loop->picture);
        const bool came = window_wait(loop->window, moving ? fmin(left, MOVING_MS) : left, &event);
        frame_clock_add_wait(&loop->clock, clock_ms() - start, picture_busy(loop->picture));
        if (came) {
            handle_event(loop, &event);
            if (shows_effect(loop, &event))
                frame_clock_input(&loop->clock, event.common.timestamp);
            until = pace;
            taken++;
        } else if (left < 1 || (moving && !advance_moving(loop))) {
            break;
        }
        if (interrupt_requested())
            quit_interrupted(loop);
    }
}

void loop_fit_window(struct loop *loop) {
    int width, height, window_width, window_height;
    window_size(loop->window, &width, &height);
    loop->redraw = loop->redraw || width != loop->width_px || height != loop->height_px;
    loop->width_px = width;
    loop->height_px = height;
    int picture_width = width, picture_height = height;
    presenter_fit(loop->picture->presenter, &picture_width, &picture_height);
    explorer_resize(loop->explorer, picture_width, picture_height);
    SDL_GetWindowSize(window_sdl(loop->window), &window_width, &window_height);
    input_set_size(&loop->input, picture_width, picture_height, window_width, window_height);
}

/* --- frames --- */

static void draw_hud(struct loop *loop) {
    const bool open = collection_open(&loop->collection);
    const struct hud_text_input input = {
        .frames = &loop->frames,
        .parts = loop->clock.parts,
        .latency = &loop->clock.latency,
        .messages = loop->messages,
        .picture = loop->picture,
        .under_pointer = &loop->under_pointer,
        .verified = loop->verification.shown,
        .screenshot_waits = loop->screenshot && !loop->picture->orbit_density,
        .numbers = loop->numbers,
        .help = loop->help,
        .pointing = loop->input.inside,
        .hint = loop->help == 0 && !open ? greeting_line(&loop->greeting) : NULL,
    };
    struct hud_model model;
    hud_text_fill(&loop->readout, &input, &model);
    insets_show(loop, &model);
    model.collection = &loop->collection;
    model.panel = open ? NULL : fill_panel(loop);
    if (flight_bare(&loop->flight))
        model =
            (struct hud_model){.numbers = HUD_NONE, .progress = 1, .collection = model.collection};
    model.recording = loop->path_control.recording;
    hud_draw(loop->hud, &model, window_text_scale(loop->window));
    const bool thumbnails =
        loop->collection.gallery.open || (model.panel && hud_lists_locations(loop->hud));
    loop->unsettled |= collection_begin_frame(&loop->collection, thumbnails);
}

static void draw_picture(const struct loop *loop) {
    const struct explorer *explorer = loop->explorer;
    const struct presenter_camera shown = {&explorer->scene.view, explorer->height_px,
                                           explorer->camera};
    presenter_draw(loop->picture->presenter, &shown, loop->width_px, loop->height_px);
}

static void draw_frame(struct loop *loop) {
    loop->frame_start_ms = clock_ms();
    if (!window_begin(loop->window)) {
        fail(loop);
        return;
    }
    if (loop->watch && !loop->watch->paints(loop->watch->user, loop))
        glEnable(GL_RASTERIZER_DISCARD);
    draw_picture(loop);
    draw_hud(loop);
    glDisable(GL_RASTERIZER_DISCARD);
    if (loop->capture)
        screenshots_capture(loop);
    const double drawn_ms = clock_ms();
    if (loop->watch)
        loop->watch->drawn(loop->watch->user, loop);
    if (!window_present(loop->window)) {
        fail(loop);
        return;
    }
    const double last_ms = loop->frame_end_ms;
    loop->frame_end_ms = clock_ms();
    picture_presented(loop->picture, loop->frame_end_ms - last_ms);
    frame_clock_add(&loop->clock, FRAME_DRAW, drawn_ms - loop->frame_start_ms);
    frame_clock_add(&loop->clock, FRAME_SWAP, loop->frame_end_ms - drawn_ms);
    frame_clock_shown(&loop->clock, loop->frame_end_ms);
    if (loop->first_complete_ms == 0 && picture_complete(loop->picture)) {
        loop->first_complete_ms = process_age_ms();
        process_age_log("the first complete picture");
        gamepads_start();
    }
    loop->redraw = loop->unsettled;
    loop->unsettled = loop->news = false;
    apply_edits(loop);
    loop->messages_shown = loop->messages->count;
    loop->frame_count++;
    stats_add(&loop->frames, loop->frame_end_ms - loop->turn_start_ms);
    if (loop->watch)
        loop->watch->shown(loop->watch->user, loop);
}

/* Returns true if a frame is needed: at once for input, for mere progress only if it is cheap. */
static bool frame_wanted(const struct loop *loop) {
    if (!window_visible(loop->window))
        return loop->capture != NULL;
    if (loop->redraw || loop->capture || explorer_animating(loop->explorer) ||
        loop->messages_shown != loop->messages->count)
        return true;
    const bool busy = picture_busy(loop->picture);
    const double now = clock_ms(), cost = loop->frame_end_ms - loop->frame_start_ms;
    if (loop->news)
        return !busy || now >= loop->frame_end_ms + PROGRESS_SHARE * cost;
    const bool counts = busy || (loop->numbers != HUD_NONE && refine_busy(loop));
    return counts && now >= loop->frame_end_ms + HUD_MS;
}

/* --- measurements, scripts --- */

void loop_learn(struct loop *loop, const struct findings *found) {
    explorer_learn(loop->explorer, found);
    loop->news = loop->news || found->news;
}

bool loop_poll(struct loop *loop, double budget_ms) {
    struct findings found;
    const double start = clock_ms(), uploads = loop->picture->upload_ms;
    const bool ok = picture_poll(loop->picture, budget_ms, &found);
    const double upload = loop->picture->upload_ms - uploads;
    frame_clock_add(&loop->clock, FRAME_UPLOAD, upload);
    frame_clock_add(&loop->clock, FRAME_COMPUTE, clock_ms() - start - upload);
    loop_learn(loop, &found);
    return ok;
}

bool loop_submit(struct loop *loop, bool reuse) {
    struct findings found;
    bool ok;
    const struct backend_info info = active_backend_info(loop->active);
    explorer_set_backend(loop->explorer, &info);
    do {
        explorer_begin_request(loop->explorer);
        ok = picture_submit(loop->picture, reuse, &found);
        loop_learn(loop, &found);
        if (ok && found.refused) {
            log_error("cannot draw this picture: %s", found.refused);
            messages_post(loop->messages, "cannot draw this (%s); back to the last picture",
                          found.refused);
            ok = loop->explorer->changed; /* false: there is no other scene */
        }
    } while (ok && (found.no_density || found.refused));
    return ok;
}

/* Draws the picture again from the beginning to the screen, and waits for it. */
static bool measure_once(struct loop *loop) {
    const double start = clock_ms();
    const struct picture *picture = loop->picture;
    bool ok = !loop->explorer->scene.orbit_density && loop_submit(loop, false);
    while (ok && picture_busy(picture))
        ok = loop_poll(loop, 1);
    if (!ok || !picture_complete(picture) || !window_begin(loop->window))
        return false;
    draw_picture(loop);
    glFinish();
    stats_add(&loop->measured, clock_ms() - start);
    stats_add(&loop->measured_device, picture->report.device_ms);
    return true;
}

static void measure(struct loop *loop, int times) {
    for (int i = 0; i < times; i++) {
        if (measure_once(loop))
            continue;
        log_error("the script's measurement failed: the picture was never completed");
        fail(loop);
        return;
    }
    loop->redraw = true;
}

static bool find_in_panel(const void *user, const char *label, double part, double *x, double *y) {
    const struct loop *loop = user;
    return hud_find_in_panel(loop->hud, label, part, x, y);
}

static void step_script(struct loop *loop) {
    if (!loop->script || loop->capture || quit_asked(loop) ||
        clock_ms() < script_due_ms(loop->script))
        return;
    struct script_state state = {.window = window_sdl(loop->window),
                                 .scale_x = loop->input.scale_x,
                                 .scale_y = loop->input.scale_y,
                                 .width_px = loop->explorer->width_px,
                                 .height_px = loop->explorer->height_px,
                                 .find_in_panel = find_in_panel,
                                 .user = loop};
    if (loop_at_rest(loop) && !loop->screenshot && !screenshot_busy(&loop->writer)) {
        state.settled = picture_complete(loop->picture) && !picture_refining(loop->picture) &&
                        !collection_busy(&loop->collection) && !enlarge_busy(&loop->enlarge) &&
                        !location_search_busy(loop) && !insets_busy(loop) &&
                        !path_control_busy(loop) && !opening_waits(&loop->opening) &&
                        !verification_busy(&loop->verification) &&
                        !(loop->redraw && loop->panel.open && window_visible(loop->window));
        state.samples = picture_samples(loop->picture);
        state.points = state.samples > 0 ? picture_points(loop->picture) : 0;
    }
    switch (script_step(loop->script, &state)) {
    case SCRIPT_GO_ON:
        break;
    case SCRIPT_CAPTURE:
        loop->capture = script_text(loop->script);
        break;
    case SCRIPT_MEASURE:
        measure(loop, script_number(loop->script));
        break;
    case SCRIPT_MARK:
        if (loop->watch)
            loop->watch->marked(loop->watch->user, loop, script_text(loop->script));
        break;
    case SCRIPT_LOSE_DEVICE:
        active_backend_cancel(loop->active);
        if (active_backend_inject_loss(loop->active))
            explorer_redraw(loop->explorer, true);
        else
            fail(loop);
        break;
    case SCRIPT_FAILED:
        fail(loop);
        break;
    }
}

/* --- turns --- */

/* Rounds the time of a turn to whole frames if it is near. Motion is then steady, and the next
 * frame's camera predictable. */
static double steady_ms(struct loop *loop, double elapsed_ms, double frame_ms) {
    const double due = elapsed_ms + loop->time_owed_ms;
    const double frames = fmax(round(due / frame_ms), 1) * frame_ms;
    const double passes = fabs(due - frames) < STEADY * frame_ms ? frames : due;
    loop->time_owed_ms = due - passes;
    return passes;
}

static void advance_time(struct loop *loop, double ms) {
    flight_advance(loop, ms);
    greeting_advance(loop, ms);
    path_control_advance(loop, ms);
    explorer_advance(loop->explorer, ms);
}

/* Advances the explorer by the time of the turn. The first turn after a rest counts as at most one
 * frame. */
static void let_time_pass(struct loop *loop, double before_ms, bool rested) {
    const double elapsed = loop->turn_start_ms - before_ms, frame = window_frame_ms(loop->window);
    double passes;
    loop->redraw = loop->redraw || explorer_animating(loop->explorer); /* and its last frame */
    if (!loop->script || !script_stops_time(loop->script, &passes))
        advance_time(loop, steady_ms(loop, rested ? fmin(elapsed, frame) : elapsed, frame));
    else
        for (; passes > 0; passes -= SCRIPT_STEP_MS)
            advance_time(loop, fmin(passes, SCRIPT_STEP_MS));
}

/* Returns true if the picture is polled before it is replaced, so that its pixels stay on the
 * screen. While pictures replace each other, polling must not cost more than its share. */
static bool news_wanted(const struct loop *loop) {
    return !loop->explorer->changed ||
           clock_ms() >= loop->kept_ms + KEEPING_SHARE * loop->keeping_cost_ms;
}

static bool update_tone(struct loop *loop) {
    struct findings found;
    if (!loop->explorer->tone_changed || !loop->picture->orbit_density)
        return true;
    const bool ok = picture_change_tone(loop->picture, &found);
    loop_learn(loop, &found);
    return ok || fail(loop);
}

/* Polls the picture in motion and submits the next one when it is done. */
static bool advance_moving(struct loop *loop) {
    if (!window_visible(loop->window))
        picture_presented(loop->picture, 0); /* no frame shows it */
    picture_set_pace(loop->picture, window_frame_ms(loop->window),
                     clock_ms() - loop->turn_start_ms);
    if (!loop_poll(loop, 0))
        return fail(loop);
    if (active_backend_update(loop->active))
        explorer_redraw(loop->explorer, true);
    loop->kept = false;
    return picture_worth_finishing(loop->picture) || loop_submit(loop, true) || fail(loop);
}

/* Polls and submits the picture; after a slow poll it is submitted in the next turn. */
static bool advance_picture(struct loop *loop) {
    if (picture_wants_motion(loop->picture))
        return advance_moving(loop);
    if (picture_in_motion(loop->picture))
        explorer_redraw(loop->explorer, false);
    const double start = clock_ms();
    const bool keep = !loop->kept && news_wanted(loop);
    if (keep && !loop_poll(loop, 0))
        return fail(loop);
    if (active_backend_update(loop->active))
        explorer_redraw(loop->explorer, true);
    if (!loop->explorer->changed)
        return update_tone(loop);
    if (!picture_ready(loop->picture))
        return true;
    const double cost = clock_ms() - start;
    if (keep) {
        loop->keeping_cost_ms = cost;
        loop->kept = cost > KEEPING_MS;
        if (loop->kept)
            return true;
    }
    if (!loop_submit(loop, true))
        return fail(loop);
    if (keep || loop->kept) {
        loop->kept_ms = clock_ms();
        loop->keeping_cost_ms += loop->kept_ms - start;
    }
    loop->kept = false;
    return true;
}

static void update_background(struct loop *loop) {
    bool saved;
    const bool thumbnails = collection_update(&loop->collection, explorer_moving(loop->explorer));
    const bool enlarged = enlarge_update(&loop->enlarge, &saved);
    loop->redraw = loop->redraw || thumbnails || (enlarged && loop->panel.open);
    loop->screenshot_count += saved;
    location_search_advance(loop);
    pending_image_advance(loop);
}

static void show_title(struct loop *loop) {
    const struct explorer *explorer = loop->explorer;
    const struct view *view = &explorer->scene.view;
    const bool at_home =
        explorer_at_home(view, &explorer->scene.fractal, explorer->width_px, explorer->height_px);
    title_update(&loop->title, window_sdl(loop->window), view, at_home);
}

static void run_turn(struct loop *loop) {
    const bool rested = !explorer_moving(loop->explorer);
    const double before = loop->turn_start_ms;
    handle_events(loop);
    begin_turn(loop);
    const bool busy = picture_busy(loop->picture);
    loop_fit_window(loop);
    flight_follow(loop);
    let_time_pass(loop, before, rested);
    path_control_follow(loop);
    if (loop->quit || !advance_picture(loop))
        return;
    actions_report(loop);
    greeting_follow(loop);
    if (loop_at_rest(loop))
        show_title(loop);
    screenshots_report(loop);
    update_background(loop);
    insets_advance(loop);
    if (!refine_advance(loop) || (loop_at_rest(loop) && !screenshots_advance(loop)))
        return;
    if (frame_wanted(loop))
        draw_frame(loop);
    loop->turn_count++;
    if (busy)
        stats_add(&loop->turns, clock_ms() - loop->turn_start_ms);
    quit_advance(loop);
    step_script(loop);
}

bool loop_show_first(struct loop *loop) {
    loop->turn_start_ms = clock_ms();
    if (window_visible(loop->window))
        draw_frame(loop);
    return !loop->failed;
}

bool loop_run(struct loop *loop) {
    while (!loop->quit)
        run_turn(loop);
    return quit_report(loop) && !loop->failed;
}
