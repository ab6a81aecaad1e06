/* Tells the first start by a file in the state folder that every later start finds, and dives by a held zoom about the one
 * point that is the same in the first picture and in the last. */
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

#define SPEED   0.45   /* of a held zoom's */
#define SLOWEST 0.01   /* at both ends of the way */
#define EASE_MS 4000.0 /* until it is that fast */
#define BRAKE   1.5    /* e-folds before the end, where it slows down */
#define ARRIVED 0.02   /* likewise, where it ends */

/* The two that people like best, then where to find the rest; the wheel and drags are what everybody tries. The blanks
 * behind the colons break no line. */
static const char keys[] =
    "hold\u00a0Z:\u00a0zoom\u00a0in   A:\u00a0autopilot   G:\u00a0gallery   L:\u00a0panel   "
    "F1:\u00a0all\u00a0keys";

/* Where the dive ends, and the look on the way: a spiral among the seahorses. A text of its own, since the look of an
 * example may be one that suits its place alone. */
static const char dive[] = "[view]\n"
                           "re = -0.77568377\n"
                           "im = 0.13646737\n"
                           "zoom = 3e5\n"
                           "[colour]\n"
                           "palette = dusk\n"
                           "layer = light\n"
                           "layer_mode = multiply\n"
                           "layer_strength = 0.85\n";

bool greeting_due(void) {
    char *path = user_state_path("greeted"), *folder = path ? paths_make_folder_of(path) : NULL;
    const int file = folder ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (file >= 0)
        close(file);
    free(folder);
    free(path);
    return file >= 0;
}

/* --- beginning and end --- */

void greeting_tell(struct greeting *greeting) {
    greeting->tells = true;
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
    return greeting->tells ? keys : NULL;
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

/* --- the way --- */

/* A picture of the goal on the screen. */
static struct similarity goal_on_screen(const struct loop *loop) {
    const struct explorer *explorer = loop->explorer;
    const int height = explorer->height_px;
    return similarity_compose(explorer->camera, similarity_between(&explorer->scene.view, height,
                                                                   &loop->greeting.goal, height));
}

/* e-folds to go. */
static double left(struct similarity goal) {
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
        fmin(fmin(greeting->dived_ms / EASE_MS, sqrt(fmax(left(goal), 0) / BRAKE)), 1);
    const struct action fly = {.kind = ACTION_FLY,
                               .x = explorer->width_px / 2.0 + creal(fixed),
                               .y = explorer->height_px / 2.0 + cimag(fixed),
                               .amount = seen ? fmax(SPEED * ease, SLOWEST) : 0};
    explorer_apply(loop->explorer, &fly);
}

void greeting_follow(struct loop *loop) {
    struct greeting *greeting = &loop->greeting;
    if (greeting->under_way && greeting->dives &&
        (!loop->explorer->motion.flown || left(goal_on_screen(loop)) < ARRIVED))
        end_dive(loop);
    if (!greeting->tells || greeting->dives)
        return;
    if (greeting->until_ms == 0 || collection_open(&loop->collection))
        greeting->until_ms = clock_ms() + GREETING_MS;
    if (clock_ms() < greeting->until_ms)
        return;
    greeting->tells = false;
    loop->redraw = true;
}

double greeting_due_ms(const struct loop *loop, double pace_ms) {
    const struct greeting *greeting = &loop->greeting;
    if (greeting->dives)
        return window_visible(loop->window) ? pace_ms : INFINITY;
    return greeting->tells ? greeting->until_ms : INFINITY;
}
