/* Explorer: learns from findings of pictures the speed, the next limit and the next colours. */
#include "app/explore/undo/steps.h"
#include "render/light/ranks.h"
#include "render/locate/home.h"
#include <string.h>

#define LEARN_MS 2.0 /* minimum duration of a picture whose speed is learned */

/* Returns the learned speed of the planned route and number type, iterations per ms. */
static double *speed(struct explorer *explorer) {
    return &explorer->speed.per_ms[explorer->plan.route][explorer->plan.type];
}

static void learn_speed(struct explorer *explorer, const struct backend_report *report) {
    if (report->generation == explorer->generation)
        motion_note_progress(explorer, report->progress);
    if (explorer->scene.orbit_density || report->generation != explorer->generation ||
        report->iterations + report->skipped == 0 || report->elapsed_ms < LEARN_MS)
        return;
    const enum route route =
        report->reference.decided ? report->reference.route : explorer->plan.route;
    const enum number_type type =
        report->reference.decided ? report->reference.type : explorer->plan.type;
    explorer->speed.per_ms[route][type] =
        (double)(report->iterations + report->skipped) / report->elapsed_ms;
}

/* Updates the ranks: completely at rest, and by a quarter per picture in motion. */
static void judge_ranks(struct explorer *explorer, const struct statistics *statistics) {
    struct colour_ranks *ranks = &explorer->scene.ranks;
    const struct colour_ranks last = *ranks;
    const bool known = !ranks_are_initial(ranks);
    if (explorer->scene.mapping != MAPPING_HISTOGRAM || (known && !explorer->auto_frequency.on) ||
        !scene_set_ranks(&explorer->scene, statistics))
        return;
    for (int k = 0; known && explorer_moving(explorer) && k < COLOUR_KNOTS; k++)
        ranks->knot[k] = last.knot[k] - last.knot[k] / 4 + ranks->knot[k] / 4;
    explorer->changed |= memcmp(ranks, &last, sizeof last) != 0;
}

/* Judges the colours by the counts of a survey. Ranks at rest require a complete picture
 * instead. */
static void judge_glimpse(struct explorer *explorer, const struct glimpse *glimpse) {
    const struct scene *scene = &explorer->scene;
    if (scene->orbit_density)
        return;
    if (scene->mapping == MAPPING_HISTOGRAM) {
        struct statistics statistics;
        statistics_init(&statistics);
        statistics_add(&statistics, glimpse->count, glimpse->samples, 1, glimpse->samples);
        judge_ranks(explorer, &statistics);
        return;
    }
    const struct auto_frequency_colours now = {scene->frequency, scene->offset};
    const struct auto_frequency_choice choice =
        auto_frequency_choose(glimpse, scene->by, scene->mapping);
    auto_frequency_judge(&explorer->auto_frequency, &choice, scene->palette->period, &now,
                         explorer_moving(explorer));
}

static void judge_statistics(struct explorer *explorer, const struct statistics *statistics) {
    struct scene *scene = &explorer->scene;
    if (scene->orbit_density || explorer->changed)
        return;
    const uint32_t limit = auto_limit_judge(&explorer->auto_limit, statistics, scene->limit,
                                            auto_limit_depth(&scene->view), *speed(explorer),
                                            explorer_moving(explorer));
    explorer->changed = limit != scene->limit;
    scene->limit = limit;
    if (!explorer->changed)
        judge_ranks(explorer, statistics);
}

/* Leaves a target that no backend draws: undoes the last step, or else goes to the Mandelbrot
 * set. */
static void leave_refused(struct explorer *explorer) {
    struct scene *scene = &explorer->scene;
    motion_end(explorer);
    if (!steps_undo_at_once(explorer)) {
        if (fractal_is_mandelbrot(&scene->fractal))
            return;
        fractal_finish(&scene->fractal);
        fractal_init(&scene->fractal);
        home_view(&scene->view, &scene->fractal, explorer->width_px, explorer->height_px);
    }
    motion_target_changed(explorer);
}

void explorer_learn(struct explorer *explorer, const struct findings *found) {
    const double pixels = (double)explorer->width_px * explorer->height_px;
    if (found->report)
        learn_speed(explorer, found->report);
    if (found->samples_per_ms > 0)
        hold_speed_learn(&explorer->motion.speed, found->samples_per_ms, pixels);
    if (found->statistics)
        judge_statistics(explorer, found->statistics);
    if (found->glimpse)
        judge_glimpse(explorer, found->glimpse);
    if (found->toned)
        explorer->tone_changed = false;
    if (found->refused)
        leave_refused(explorer);
    if (found->no_density)
        explorer->scene.orbit_density = false;
    if (found->no_samples)
        explorer->scene.pixel_samples = 1;
    if (found->lost || found->no_density || found->no_samples)
        explorer_redraw(explorer, found->lost);
}

bool explorer_limit_message(struct explorer *explorer, char *text, size_t size) {
    return auto_limit_message(&explorer->auto_limit, text, size);
}
