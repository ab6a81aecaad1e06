/* Path colours: integrates colour frequencies over counts. */
#include "app/movie/path_colours.h"
#include "app/still/still.h"
#include "render/light/ranks.h"
#include "render/palette.h"
#include <math.h>

#define STOPS_MOST   48
#define STOP_OCTAVES 1.5  /* distance of stops, if there are not too many */
#define ALIKE        1.25 /* ratio of frequencies up to which the view's own suits all depths */
#define PARTS        8    /* of the interval between two knots, for the integral */

/* A depth on the way: the lowest count there, and the frequency that suits it. */
struct stop {
    double lowest, frequency;
};

struct stops {
    int count;
    struct stop stop[STOPS_MOST];
    double most;                /* highest count of all pictures */
    double colour;              /* of the lowest counts at the last stop (auto_frequency.h) */
    double knots[COLOUR_KNOTS]; /* sums of the ranks */
    int ranked;                 /* number of pictures with ranks */
};

/* --- the pictures --- */

static void add_stop(struct stops *stops, const struct auto_frequency_choice *choice,
                     const struct statistics *statistics) {
    struct stop stop = {choice->lowest, choice->frequency};
    if (!(choice->frequency > 0))
        return;
    if (stops->count > 0)
        stop.lowest = fmax(stop.lowest, stops->stop[stops->count - 1].lowest);
    stops->stop[stops->count++] = stop;
    stops->colour = choice->colour;
    if (statistics->least <= statistics->most)
        stops->most = fmax(stops->most, statistics->most);
}

static void add_ranks(struct stops *stops, struct scene *scene,
                      const struct statistics *statistics) {
    if (!scene_set_ranks(scene, statistics))
        return;
    for (int k = 0; k < COLOUR_KNOTS; k++)
        stops->knots[k] += scene->ranks.knot[k];
    stops->ranked++;
}

static bool glance(struct ring_source *source, const struct scene *of, double depth,
                   struct stops *stops) {
    struct scene scene;
    struct frame_req req;
    struct auto_frequency_choice choice;
    struct statistics statistics;
    scene_init_copy(&scene, of);
    leg_view(source->rings->leg, depth, &scene.view);
    frame_req_init(&req, 1, 1);
    still_request(&scene, source->shortcuts, &req);
    const bool ok = source->open(source->user, &req, &source->backend) &&
                    still_glance(source->backend, &scene, &req, &choice, &statistics);
    if (ok)
        add_stop(stops, &choice, &statistics);
    if (ok && scene.mapping == MAPPING_HISTOGRAM)
        add_ranks(stops, &scene, &statistics);
    frame_req_finish(&req);
    scene_finish(&scene);
    return ok;
}

static bool find_stops(struct ring_source *source, const struct scene *scene, struct stops *stops) {
    const struct leg *leg = source->rings->leg;
    const double octaves = leg->to - leg->from;
    const int last = (int)fmin(ceil(octaves / STOP_OCTAVES), STOPS_MOST - 1);
    bool ok = true;
    for (int i = 0; ok && i <= last; i++)
        ok = glance(source, scene, leg->from + octaves * i / last, stops);
    return ok;
}

/* --- the mapping --- */

/* Returns the count at which a knot lies (render/light/mapping.h). */
static double count_at(int knot) {
    return ldexp(4 + knot % 4, knot / 4) - 4;
}

/* Returns the frequency at a count. */
static double frequency_at(const struct stops *stops, double count) {
    const struct stop *stop = stops->stop;
    int i = 0;
    while (i + 1 < stops->count && stop[i + 1].lowest <= count)
        i++;
    if (i + 1 == stops->count || count <= stop[i].lowest)
        return stop[i].frequency;
    const double part = (count - stop[i].lowest) / (stop[i + 1].lowest - stop[i].lowest);
    return stop[i].frequency * pow(stop[i + 1].frequency / stop[i].frequency, part);
}

/* Returns the integral of the frequency between two counts. */
static double turned(const struct stops *stops, double from, double to) {
    double sum = 0;
    for (int i = 0; i < PARTS; i++)
        sum += frequency_at(stops, from + (to - from) * (i + 0.5) / PARTS);
    return sum * (to - from) / PARTS;
}

static bool alike(const struct stops *stops) {
    const double frequency = stops->stop[stops->count - 1].frequency;
    for (int i = 0; i < stops->count; i++)
        if (stops->stop[i].frequency > frequency * ALIKE)
            return false;
    return true;
}

/* Replaces the linear mapping. Past the highest count of all pictures the colour stays. */
static void set_mapping(const struct stops *stops, struct scene *scene, double colour) {
    double phase[COLOUR_KNOTS] = {0};
    const struct stop *last = &stops->stop[stops->count - 1];
    double before_last = 0;
    for (int k = 1; k < COLOUR_KNOTS; k++) {
        const double from = count_at(k - 1), to = count_at(k);
        phase[k] = phase[k - 1] + (from < 2 * stops->most ? turned(stops, from, to) : 0);
        if (from <= last->lowest && last->lowest < to)
            before_last = phase[k - 1] + turned(stops, from, last->lowest);
    }
    const double all = phase[COLOUR_KNOTS - 1];
    for (int k = 0; k < COLOUR_KNOTS; k++)
        scene->ranks.knot[k] = (uint32_t)(phase[k] / all * COLOUR_RANKS);
    scene->mapping = MAPPING_HISTOGRAM;
    scene->frequency = all / (COLOUR_RANKS >> 16);
    const double turns = (colour - before_last) / scene->palette->period;
    scene->offset = fmin(turns - floor(turns), 0.9999999);
}

/* Sets the frequencies of the stops relative to the view's own. */
static void set_linear(struct stops *stops, struct scene *scene, bool own) {
    const struct stop last = stops->stop[stops->count - 1];
    const double ratio = own ? scene->frequency / last.frequency : 1;
    const double period = scene->palette->period;
    for (int i = 0; i < stops->count; i++)
        stops->stop[i].frequency *= ratio;
    /* The colour of the lowest counts in the final view, in units of the palette's period. */
    const double colour =
        scene->offset * period + (own ? last.lowest * scene->frequency : stops->colour);
    if (!alike(stops)) {
        set_mapping(stops, scene, colour);
        return;
    }
    if (own)
        return;
    const double turns = (colour - last.lowest * last.frequency) / period;
    scene->frequency = last.frequency;
    scene->offset = fmin(turns - floor(turns), 0.9999999);
}

static void set_ranks(const struct stops *stops, struct scene *scene) {
    for (int k = 0; k < COLOUR_KNOTS; k++)
        scene->ranks.knot[k] = (uint32_t)(stops->knots[k] / stops->ranked);
}

bool path_colours_find(struct ring_source *source, struct scene *scene, bool own) {
    struct stops stops = {0};
    const bool linear = scene->mapping == MAPPING_LINEAR && scene->by == BY_COUNT;
    if (!linear && !scene_wants_ranks(scene))
        return true;
    if (!find_stops(source, scene, &stops))
        return false;
    if (linear && stops.count > 0)
        set_linear(&stops, scene, own);
    else if (stops.ranked > 0)
        set_ranks(&stops, scene);
    return true;
}
