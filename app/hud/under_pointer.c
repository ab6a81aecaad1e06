/* Point under the pointer: searches for the cycle of that pixel's orbit, and starts again for
 * another pixel. */
#include "app/hud/under_pointer.h"
#include "render/base/clock.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define BUDGET_MS 0.5
#define SLICE     8192 /* steps between two checks of the clock */

/* Finds the sample of the pixel. Returns false if its numbers exceed doubles, or it will not
 * stay for long. */
static bool find_sample(const struct explorer *explorer, double *re, double *im) {
    const struct scene *scene = &explorer->scene;
    const int width = explorer->width_px, height = explorer->height_px;
    if (scene->orbit_density || explorer_moving(explorer) ||
        !plan_resolves(TYPE_DOUBLE, &scene->fractal, &scene->view, width, height))
        return false;
    struct view view;
    view_init_copy(&view, &scene->view);
    view_pan(&view, floor(explorer->pointer_x_px) + 0.5 - width / 2.0,
             floor(explorer->pointer_y_px) + 0.5 - height / 2.0, height);
    *re = mpfr_get_d(view.re, MPFR_RNDN);
    *im = mpfr_get_d(view.im, MPFR_RNDN);
    view_finish(&view);
    return true;
}

static bool continue_search(struct cycle_search *search) {
    const double until = clock_ms() + BUDGET_MS;
    while (search->state == CYCLE_SEARCHED && clock_ms() < until)
        cycle_search(search, SLICE);
    return search->state != CYCLE_SEARCHED;
}

bool under_pointer_update(struct under_pointer *point, const struct explorer *explorer,
                          bool wanted) {
    struct cycle_search *search = &point->search;
    const struct fractal *fractal = &explorer->scene.fractal;
    const bool told = point->on && search->state != CYCLE_SEARCHED;
    double re, im;
    if (!wanted || !find_sample(explorer, &re, &im)) {
        point->on = false;
        return told;
    }
    const uint64_t digest = fractal_digest(fractal);
    const bool same = point->on && point->digest == digest && point->re == re && point->im == im;
    if (same && told)
        return false;
    if (!same)
        cycle_begin(search, fractal, re, im);
    point->on = true;
    point->digest = digest;
    point->re = re;
    point->im = im;
    return continue_search(search) || told;
}

bool under_pointer_busy(const struct under_pointer *point) {
    return point->on && point->search.state == CYCLE_SEARCHED;
}

void under_pointer_print(const struct under_pointer *point, char text[UNDER_POINTER_TEXT_MAX]) {
    const struct cycle_search *search = &point->search;
    *text = '\0';
    if (point->on && search->state == CYCLE_PERIOD)
        snprintf(text, UNDER_POINTER_TEXT_MAX, "period %" PRIu32, search->number);
    else if (point->on && search->state == CYCLE_ESCAPES)
        snprintf(text, UNDER_POINTER_TEXT_MAX, "escapes after %" PRIu32, search->number);
}
