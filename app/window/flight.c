/* Flight: lets the autopilot fly the explorer by actions, ends it when the user takes over, and
 * restarts it in a kiosk. */
#include "app/window/flight.h"
#include "app/window/loop.h"
#include "render/base/clock.h"
#include <math.h>

#define PATIENCE_MS 2000.0   /* wait for a survey while a script has stopped time: flights repeat */
#define ESCAPES     4        /* Esc keys that close everything in the gallery */
#define AT_HOME     0.5      /* [e-folds] depth at which the whole set is visible */
#define NEXT_COURSE 1000003u /* difference between the seeds of two flights */

static double zoom_rate(const struct explorer *explorer) {
    return AUTOPILOT_USUAL * explorer->zoom_speed;
}

static void steer_autopilot(struct loop *loop) {
    const struct autopilot *autopilot = &loop->flight.autopilot;
    const struct explorer *explorer = loop->explorer;
    const struct action action = {
        .kind = ACTION_FLY,
        .x = explorer->width_px / 2.0 + creal(autopilot->at) * explorer->height_px,
        .y = explorer->height_px / 2.0 + cimag(autopilot->at) * explorer->height_px,
        .amount = autopilot->speed,
    };
    explorer_apply(loop->explorer, &action);
}

/* --- beginning and end --- */

static void begin_flight(struct loop *loop) {
    struct flight *flight = &loop->flight;
    autopilot_init(&flight->autopilot, flight->seed + NEXT_COURSE * flight->flights++);
    flight->turns = 0;
    flight->on = true;
    SDL_ShowCursor(flight->kiosk ? SDL_DISABLE : SDL_ENABLE);
    loop->redraw = true;
    steer_autopilot(loop);
}

static void end_flight(struct loop *loop) {
    static const struct action stop = {.kind = ACTION_GLIDE_ZOOM};
    if (loop->explorer->motion.flown)
        explorer_apply(loop->explorer, &stop);
    survey_stop(&loop->flight.survey, loop->active);
    loop->flight.on = false;
    loop->flight.hand_ms = clock_ms();
    loop->redraw = true;
    SDL_ShowCursor(SDL_ENABLE);
}

void flight_toggle(struct loop *loop) {
    if (loop->flight.on) {
        end_flight(loop);
        messages_post(loop->messages, "autopilot off");
    } else if (loop->explorer->scene.orbit_density) {
        messages_post(loop->messages, "no autopilot in Buddhabrot view (D switches back)");
    } else {
        messages_post(loop->messages, "autopilot on: move to take over");
        begin_flight(loop);
    }
}

void flight_begin(struct loop *loop, const struct options *options) {
    struct flight *flight = &loop->flight;
    flight->kiosk = options->kiosk;
    flight->pause_ms = 1e3 * options->kiosk_pause;
    flight->changes = (enum autopilot_changes)options->autopilot_changes;
    flight->seed = options->seed >= 0 ? (uint64_t)options->seed
                   : loop->script     ? 0
                                      : (uint64_t)(1e3 * clock_ms());
    flight->hand_ms = clock_ms();
    if (flight->kiosk)
        SDL_DisableScreenSaver();
    if (options->autopilot || options->kiosk)
        flight_toggle(loop);
}

void flight_follow_edit(struct loop *loop, int item, int index) {
    if (item == PANEL_AUTOPILOT)
        flight_toggle(loop);
    else if (item == PANEL_CHANGES && index >= 0 && index < AUTOPILOT_CHANGES_COUNT)
        loop->flight.changes = (enum autopilot_changes)index;
}

void flight_finish(struct loop *loop) {
    survey_finish(&loop->flight.survey, loop->active);
}

/* --- turning points --- */

static void step_setting(struct loop *loop, enum setting_id id) {
    const struct action next = {.kind = ACTION_STEP, .setting = id, .amount = 1};
    explorer_apply(loop->explorer, &next);
}

/* Changes the palette where the flight turns inwards, and the formula if the whole set is
 * visible. */
static void handle_turning_points(struct loop *loop) {
    struct flight *flight = &loop->flight;
    const struct autopilot *autopilot = &flight->autopilot;
    if (flight->turns == autopilot->turns)
        return;
    flight->turns_in_all += autopilot->turns - flight->turns;
    flight->turns = autopilot->turns;
    if (autopilot->out)
        return;
    if (flight->changes & AUTOPILOT_PALETTES)
        step_setting(loop, SETTING_PALETTE);
    if (flight->changes & AUTOPILOT_FORMULAS && autopilot->depth < AT_HOME)
        step_setting(loop, SETTING_FORMULA);
}

/* --- turns of the loop --- */

static bool paused(const struct loop *loop) {
    return loop->screenshot || collection_open(&loop->collection) || !window_visible(loop->window);
}

/* Closes everything that a visitor may have left open. */
static void clear_screen(struct loop *loop) {
    const SDL_Event escape = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_ESCAPE}}};
    for (int i = 0; i < ESCAPES && collection_open(&loop->collection); i++)
        collection_event(&loop->collection, &escape);
    loop->help = 0;
    loop->panel.open = false;
    if (loop->explorer->scene.orbit_density)
        step_setting(loop, SETTING_ORBIT_DENSITY);
}

void flight_record_input(struct flight *flight, const SDL_Event *event) {
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
    case SDL_TEXTINPUT:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
    case SDL_FINGERDOWN:
    case SDL_FINGERUP:
    case SDL_FINGERMOTION:
    case SDL_CONTROLLERAXISMOTION:
    case SDL_CONTROLLERBUTTONDOWN:
        flight->hand_ms = clock_ms();
        break;
    default:
        break;
    }
}

static void resume_flight(struct loop *loop) {
    struct flight *flight = &loop->flight;
    if (flight->on || !flight->kiosk || clock_ms() < flight->hand_ms + flight->pause_ms)
        return;
    clear_screen(loop);
    begin_flight(loop);
}

/* Adapts the colours to the last survey. */
static void judge_colours(struct loop *loop) {
    const struct scene *scene = &loop->explorer->scene;
    const struct glimpse glimpse = survey_glimpse(&loop->flight.survey);
    loop->flight.judged = (struct judged){scene->by, scene->mapping, scene->palette->period,
                                          explorer_moving(loop->explorer)};
    loop_learn(loop, &(struct findings){.glimpse = &glimpse});
}

static void update_course(struct loop *loop) {
    static const struct action home = {.kind = ACTION_HOME};
    struct flight *flight = &loop->flight;
    struct autopilot_field field;
    const double patience_ms = loop->script && script_stopped(loop->script) ? PATIENCE_MS : 0;
    if (paused(loop) ||
        !survey_poll(&flight->survey, loop->active, loop->explorer, patience_ms, &field))
        return;
    judge_colours(loop);
    autopilot_update(&flight->autopilot, &field, flight->changes & AUTOPILOT_FORMULAS);
    handle_turning_points(loop);
    if (!flight->autopilot.lost)
        return;
    explorer_apply(loop->explorer, &home);
    steer_autopilot(loop);
}

/* Returns true if colours adapt to a survey of the target and it can be drawn: at rest only after
 * the picture's first pixels, when there is a reference orbit. Ranks at rest follow the complete
 * picture. */
static bool colours_need_survey(const struct loop *loop) {
    const struct explorer *explorer = loop->explorer;
    const struct picture *picture = loop->picture;
    const bool complete = picture_complete(picture);
    return explorer->auto_frequency.on && !explorer->scene.orbit_density &&
           !active_backend_starting(loop->active) && window_visible(loop->window) &&
           (explorer_moving(explorer) || picture->report.progress > 0) &&
           !(complete && explorer->scene.mapping == MAPPING_HISTOGRAM);
}

/* Returns true if the colours of the last survey are still valid: no setting has changed, and the
 * view was at rest. */
static bool colours_judged(const struct loop *loop) {
    const struct explorer *explorer = loop->explorer;
    const struct judged *last = &loop->flight.judged;
    const struct scene *scene = &explorer->scene;
    return explorer->auto_frequency.judged && last->by == scene->by &&
           last->mapping == scene->mapping && last->period == scene->palette->period &&
           (!last->moving || explorer_moving(explorer));
}

bool flight_colours_due(const struct loop *loop) {
    const struct flight *flight = &loop->flight;
    return !flight->on && !flight->survey.failed && colours_need_survey(loop) &&
           !(survey_is_current(&flight->survey, loop->explorer) && colours_judged(loop));
}

/* Surveys the target for its colours while the autopilot is off. */
static void survey_for_colours(struct loop *loop) {
    struct survey *survey = &loop->flight.survey;
    struct autopilot_field field;
    if (!colours_need_survey(loop))
        survey_stop(survey, loop->active);
    else if (!survey_is_current(survey, loop->explorer)) {
        if (survey_poll(survey, loop->active, loop->explorer, 0, &field))
            judge_colours(loop);
    } else if (!colours_judged(loop))
        judge_colours(loop);
}

void flight_follow(struct loop *loop) {
    struct flight *flight = &loop->flight;
    const struct explorer *explorer = loop->explorer;
    if (flight->on && (!explorer->motion.flown || explorer->scene.orbit_density)) {
        end_flight(loop);
        messages_post(loop->messages, "autopilot off: you have control (A: on)");
    }
    resume_flight(loop);
    if (flight->on)
        update_course(loop);
    else
        survey_for_colours(loop);
}

void flight_advance(struct loop *loop, double ms) {
    struct flight *flight = &loop->flight;
    if (!flight->on || !loop->explorer->motion.flown)
        return;
    autopilot_advance(&flight->autopilot, ms, zoom_rate(loop->explorer), paused(loop));
    steer_autopilot(loop);
}

double flight_due_ms(const struct loop *loop, double pace_ms) {
    const struct flight *flight = &loop->flight;
    if (flight->on)
        return window_visible(loop->window) ? pace_ms : INFINITY;
    if (flight_colours_due(loop))
        return pace_ms;
    return flight->kiosk ? flight->hand_ms + flight->pause_ms : INFINITY;
}

bool flight_bare(const struct flight *flight) {
    return flight->kiosk && flight->on;
}
