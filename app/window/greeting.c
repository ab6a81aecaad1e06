/* Greeting: recognises the first start by a missing file in the state folder. The dive is a held
 * zoom about the point that has the same place in the first and in the last picture. */
#include "app/window/greeting.h"
#include "app/paths.h"
#include "app/window/loop.h"
#include "render/base/clock.h"
#include "render/base/user_data.h"
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPEED   0.45   /* as a multiple of a held zoom */
#define SLOWEST 0.01   /* minimum speed at both ends of the dive */
#define EASE_MS 4000.0 /* time of acceleration */
#define BRAKE   1.5    /* e-folds before the end at which it slows down */
#define ARRIVED 0.02   /* e-folds before the end at which it ends */

/* Keys for the first minutes. Users try the wheel and drags without a hint. The blanks after the
 * colons do not break lines. */
static const char keys[] =
    "hold\u00a0Z:\u00a0zoom\u00a0in   A:\u00a0autopilot   G:\u00a0gallery   L:\u00a0panel   "
    "F1:\u00a0all\u00a0keys";

/* Goal of the dive, a spiral among the seahorses, and its colours. An example's colours may suit
 * only its own place. */
static const char dive[] = "[view]\n"
                           "re = -0.77568377\n"
                           "im = 0.13646737\n"
                           "zoom = 3e5\n"
                           "[colour]\n"
                           "palette = dusk\n"
                           "layer = light\n"
                           "layer_mode = multiply\n"
                           "layer_strength = 0.85\n";

bool greeting_is_first_start(void) {
    char *path = user_state_path("greeted"), *folder = path ? paths_make_folder_of(path) : NULL;
    const int file = folder ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (file >= 0)
        close(file);
    free(folder);
    free(path);
    return file >= 0;
}

/* --- beginning and end --- */

void greeting_show_keys(struct greeting *greeting) {
    greeting->shows_keys = true;
}

void greeting_plan_dive(struct greeting *greeting, struct scene *scene) {
    if (!scene_parse(scene, "the first dive", dive, strlen(dive)))
        return;
    view_init_copy(&greeting->goal, &scene->view);
    greeting->dives = true;
}

void greeting_finish(struct greeting *greeting) {
    if (greeting->dives)
        view_finish(&greeting->goal);
    greeting->dives = false;
}

const char *greeting_line(const struct greeting *greeting) {
    return greeting->shows_keys ? keys : NULL;
}

static void end_dive(struct loop *loop) {
    static const struct action stop = {.kind = ACTION_GLIDE_ZOOM};
    if (loop->explorer->motion.flown)
        explorer_apply(loop->explorer, &stop);
    greeting_finish(&loop->greeting);
    loop->redraw = true;
}

bool greeting_take_event(struct loop *loop, const SDL_Event *event) {
    if (!loop->greeting.dives)
        return false;
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
    case SDL_FINGERDOWN:
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_DROPFILE:
        end_dive(loop);
        return event->type == SDL_KEYDOWN && event->key.keysym.sym == SDLK_ESCAPE;
    default:
        return false;
    }
}

/* --- the dive --- */

/* Returns the map from a picture of the goal to the screen. */
static struct similarity goal_on_screen(const struct loop *loop) {
    const struct explorer *explorer = loop->explorer;
    const int height = explorer->height_px;
    return similarity_compose(explorer->camera, similarity_between(&explorer->scene.view, height,
                                                                   &loop->greeting.goal, height));
}

/* Returns the e-folds that are left. */
static double efolds_left(struct similarity goal) {
    return -log(cabs(goal.factor));
}

void greeting_advance(struct loop *loop, double ms) {
    struct greeting *greeting = &loop->greeting;
    const struct explorer *explorer = loop->explorer;
    if (!greeting->dives || loop->first_complete_ms == 0)
        return;
    const struct similarity goal = goal_on_screen(loop);
    const double complex fixed = goal.offset / (1 - goal.factor);
    const bool seen = window_visible(loop->window);
    greeting->under_way = true;
    greeting->dived_ms += seen ? ms : 0;
    const double ease =
        fmin(fmin(greeting->dived_ms / EASE_MS, sqrt(fmax(efolds_left(goal), 0) / BRAKE)), 1);
    const struct action fly = {.kind = ACTION_FLY,
                               .x = explorer->width_px / 2.0 + creal(fixed),
                               .y = explorer->height_px / 2.0 + cimag(fixed),
                               .amount = seen ? fmax(SPEED * ease, SLOWEST) : 0};
    explorer_apply(loop->explorer, &fly);
}

void greeting_follow(struct loop *loop) {
    struct greeting *greeting = &loop->greeting;
    if (greeting->under_way && greeting->dives &&
        (!loop->explorer->motion.flown || efolds_left(goal_on_screen(loop)) < ARRIVED))
        end_dive(loop);
    if (!greeting->shows_keys || greeting->dives)
        return;
    if (greeting->until_ms == 0 || collection_open(&loop->collection))
        greeting->until_ms = clock_ms() + GREETING_MS;
    if (clock_ms() < greeting->until_ms)
        return;
    greeting->shows_keys = false;
    loop->redraw = true;
}

double greeting_due_ms(const struct loop *loop, double pace_ms) {
    const struct greeting *greeting = &loop->greeting;
    if (greeting->dives)
        return window_visible(loop->window) ? pace_ms : INFINITY;
    return greeting->shows_keys ? greeting->until_ms : INFINITY;
}
