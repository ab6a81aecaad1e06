/* Panel statistics: formats the counts of the last complete picture and their histogram. */
#include "app/hud/panel/panel_statistics.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define BAR_DECADES 4    /* number of decades that the histogram's height shows */
#define BAR_LEAST   0.02 /* minimum height, at which a bar of one pixel is visible */

/* Copies the statistics of each picture as soon as it is complete. */
static void look_at_picture(struct panel_model *panel, const struct panel_model_context *context) {
    const struct statistics *statistics = picture_statistics(context->picture);
    const uint64_t generation = context->picture->req.generation;
    if (!statistics || panel->statistics_of == generation)
        return;
    panel->statistics = *statistics;
    panel->statistics_of = generation;
    const double share = (double)statistics->interior / (double)statistics->pixels;
    snprintf(panel->least, sizeof panel->least, "%" PRIu32, statistics->least);
    snprintf(panel->most, sizeof panel->most, "%" PRIu32, statistics->most);
    snprintf(panel->counts, sizeof panel->counts, "%" PRIu32 " to %" PRIu32, statistics->least,
             statistics->most);
    if (statistics->least > statistics->most)
        snprintf(panel->counts, sizeof panel->counts, "no point escapes");
    snprintf(panel->inside, sizeof panel->inside, "%.*f %%", share < 0.1 ? 2 : 1, 100 * share);
}

/* Returns the height of a bar, 0 to 1: logarithmic, from 1/10000 of the tallest. */
static float bar_height(uint64_t pixels, uint64_t tallest) {
    if (pixels == 0)
        return 0;
    return (float)fmax(1 + log10((double)pixels / (double)tallest) / BAR_DECADES, BAR_LEAST);
}

static int fill_bars(float *bars, const struct statistics *statistics) {
    const unsigned first = statistics_bucket(statistics->least);
    const unsigned last = statistics_bucket(statistics->most);
    uint64_t tallest = 1;
    for (unsigned i = first; i <= last; i++)
        tallest = statistics->histogram[i] > tallest ? statistics->histogram[i] : tallest;
    for (unsigned i = first; i <= last; i++)
        bars[i - first] = bar_height(statistics->histogram[i], tallest);
    return (int)(last - first) + 1;
}

void panel_fill_statistics(struct panel_model *panel, const struct panel_model_context *context) {
    struct panel_row *rows = panel->model.rows;
    look_at_picture(panel, context);
    const struct statistics *statistics = &panel->statistics;
    const bool any = panel->statistics_of > 0 && !context->explorer->scene.orbit_density;
    for (int item = PANEL_STATISTICS; item <= PANEL_HISTOGRAM && !any; item++)
        rows[item].kind = PANEL_ABSENT;
    rows[PANEL_COUNTS].text = panel->counts;
    rows[PANEL_INSIDE].text = panel->inside;
    rows[PANEL_VERIFIED].text = context->verified;
    if (!context->verified || !*context->verified)
        rows[PANEL_VERIFIED].kind = PANEL_ABSENT;
    if (!any || statistics->least >= statistics->most) {
        rows[PANEL_HISTOGRAM].kind = PANEL_ABSENT;
        return;
    }
    panel->ends[0] = panel->least;
    panel->ends[1] = panel->most;
    rows[PANEL_HISTOGRAM].names = panel->ends;
    rows[PANEL_HISTOGRAM].bars = panel->bars;
    rows[PANEL_HISTOGRAM].count = fill_bars(panel->bars, statistics);
}
