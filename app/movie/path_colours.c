/* Path colours: joins the colour frequencies or the ranks of pictures to one mapping. */
#include "app/movie/path_colours.h"
#include "app/movie/glance.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/light/ranks.h"
#include "render/palette.h"
#include <math.h>
#include <stdlib.h>

#define STOPS_MOST   48
#define STOP_OCTAVES 1.5  /* distance of stops, if there are not too many */
#define UNKNOWN_MS   5000 /* time of a small picture, if this process has drawn none */
#define ALIKE        1.25 /* ratio of frequencies up to which the view's own suits all depths */

/* A depth on the way: the lowest count there, as the number of the last knot below it, the
 * frequency that suits the picture, and its ranks. */
struct stop {
    int lowest;
    double frequency;
    struct colour_ranks ranks;
};

/* Glances at the places of a way, and which of them are there. */
struct looks {
    struct glance glance[STOPS_MOST];
    bool made[STOPS_MOST];
    int drawn; /* by this process, and the time that it took */
    double drawn_ms;
};

struct stops {
    struct looks looks;
    int count;
    struct stop stop[STOPS_MOST];
    double most;   /* highest count of all pictures */
    double colour; /* of the lowest counts at the last stop (auto_frequency.h) */
};

/* --- the pictures --- */

/* Frames contain each other, so the lowest count does not fall. */
static void add_stop(struct stops *stops, const struct glance *glance) {
    struct stop *stop = &stops->stop[stops->count];
    if (!(glance->frequency > 0) || glance->least > glance->most)
        return;
    *stop = (struct stop){stops->count > 0 ? stop[-1].lowest : 0, glance->frequency, glance->ranks};
    while (stop->lowest + 2 < COLOUR_KNOTS && ranks_count_at(stop->lowest + 1) <= glance->least)
        stop->lowest++;
    stops->count++;
    stops->colour = glance->colour;
    stops->most = fmax(stops->most, (double)glance->most);
}

/* Depth of a shot's leg at which a small picture is drawn. */
struct place {
    const struct shot *shot;
    double depth;
};

/* Makes the glance at a place in the colours of a scene. */
static enum ring_making look(const struct path_colours *colours, const struct scene *of,
                             const struct place *place, bool insist, struct glance *glance) {
    const struct shot *shot = place->shot;
    struct scene scene;
    scene_init_copy(&scene, of);
    leg_view(&shot->leg, place->depth, &scene.view);
    if (shot->from->scene.limit > scene.limit)
        scene.limit = shot->from->scene.limit;
    if (shot->to->scene.limit > scene.limit)
        scene.limit = shot->to->scene.limit;
    const enum ring_making made =
        glance_make(colours->drawing, colours->folder, &scene, insist, glance);
    scene_finish(&scene);
    return made;
}

static int compare_places(const void *a, const void *b) {
    const double x = ((const struct place *)a)->depth, y = ((const struct place *)b)->depth;
    return (x > y) - (x < y);
}

/* Stores places along all zooms, by depth, on ways there and back once. Returns their number. */
static int find_places(const struct tour *tour, struct place places[STOPS_MOST]) {
    double all = 0;
    int count = 0;
    for (size_t i = 0; i < tour->count; i++)
        if (tour->shots[i].files == i)
            all += tour->shots[i].leg.to - tour->shots[i].leg.from;
    for (size_t i = 0; i < tour->count; i++) {
        if (tour->shots[i].files != i)
            continue;
        const struct leg *leg = &tour->shots[i].leg;
        const double octaves = leg->to - leg->from, share = octaves / all * (STOPS_MOST - 1);
        const int last = (int)fmax(fmin(ceil(octaves / STOP_OCTAVES), floor(share)), 1);
        for (int at = 0; octaves > 0 && at <= last && count < STOPS_MOST; at++)
            places[count++] = (struct place){&tour->shots[i], leg->from + octaves * at / last};
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    return count;
}

/* Makes the missing glances that no other process makes, or with `insist` all. Returns the number
 * of those that are there, or -1 on failure. */
static int look_once(const struct path_colours *colours, const struct scene *of, int count,
                     const struct place *places, bool insist, struct looks *looks) {
    int there = 0;
    for (int i = 0; i < count; i++) {
        if (!looks->made[i]) {
            const double start = clock_ms();
            const enum ring_making made = look(colours, of, &places[i], insist, &looks->glance[i]);
            if (made == RING_FAILED)
                return -1;
            looks->made[i] = made != RING_TAKEN;
            looks->drawn += made == RING_MADE;
            looks->drawn_ms += made == RING_MADE ? clock_ms() - start : 0;
        }
        there += looks->made[i];
    }
    return there;
}

static bool find_stops(const struct path_colours *colours, const struct scene *of,
                       struct stops *stops) {
    struct place places[STOPS_MOST];
    struct looks *looks = &stops->looks;
    const int count = find_places(colours->tour, places);
    const double start = clock_ms();
    double pause = 0;
    for (int there = 0; there < count;) {
        const double own_ms = looks->drawn > 0 ? looks->drawn_ms / looks->drawn : UNKNOWN_MS;
        const double waited_ms = clock_ms() - start - looks->drawn_ms;
        there = look_once(colours, of, count, places, work_list_is_late(waited_ms, own_ms), looks);
        if (there < 0 || interrupt_requested())
            return false;
        pause = there < count ? work_list_pause(pause) : 0;
    }
    for (int i = 0; i < count; i++)
        add_stop(stops, &looks->glance[i]);
    return true;
}

/* --- the mapping --- */

/* Returns the number of the last stop whose counts include those at a knot. */
static int stop_at(const struct stops *stops, int knot) {
    int i = 0;
    while (i + 1 < stops->count && stops->stop[i + 1].lowest <= knot)
        i++;
    return i;
}

/* Returns the frequency between a knot and the next one. */
static double frequency_at(const struct stops *stops, int knot) {
    const int i = stop_at(stops, knot);
    const struct stop *stop = &stops->stop[i];
    if (i + 1 == stops->count || knot < stop->lowest)
        return stop->frequency;
    const double part = (double)(knot - stop->lowest) / (stop[1].lowest - stop->lowest);
    return stop->frequency * pow(stop[1].frequency / stop->frequency, part);
}

/* Returns true if the frequency of the last stop suits all. */
static bool alike(const struct stops *stops) {
    const double frequency = stops->stop[stops->count - 1].frequency;
    for (int i = 0; i < stops->count; i++)
        if (stops->stop[i].frequency > frequency * ALIKE)
            return false;
    return true;
}

/* Sets the offset for which a phase has a colour; both are in counts of the palette's own
 * period. */
static void set_offset(struct scene *scene, double colour, double phase) {
    const double turns = (colour - phase) / scene->palette->period;
    scene->offset = fmin(turns - floor(turns), 0.9999999);
}

/* Sets a mapping by its phases at the knots, and the colour at the lowest knot of the last stop;
 * both are in counts of the palette's own period. */
static void set_mapping(struct scene *scene, const double phase[COLOUR_KNOTS], int knot,
                        double colour) {
    const double all = phase[COLOUR_KNOTS - 1];
    for (int k = 0; all > 0 && k < COLOUR_KNOTS; k++)
        scene->ranks.knot[k] = (uint32_t)(phase[k] / all * COLOUR_RANKS);
    scene->mapping = MAPPING_HISTOGRAM;
    scene->frequency = fmin(fmax(all / (COLOUR_RANKS >> 16), 1e-6), 1e6);
    set_offset(scene, colour, phase[knot]);
}

/* Past the highest count of all pictures the colour stays. */
static void set_linear(struct stops *stops, struct scene *scene, bool own) {
    double phase[COLOUR_KNOTS] = {0};
    const struct stop *last = &stops->stop[stops->count - 1];
    const double ratio = own ? scene->frequency / last->frequency : 1;
    const double lowest = ranks_count_at(last->lowest), period = scene->palette->period;
    for (int i = 0; i < stops->count; i++)
        stops->stop[i].frequency *= ratio;
    const double colour = own ? scene->offset * period + lowest * scene->frequency
                              : scene->offset * period + stops->colour;
    if (alike(stops)) {
        scene->frequency = last->frequency;
        set_offset(scene, colour, lowest * last->frequency);
        return;
    }
    for (int k = 1; k < COLOUR_KNOTS; k++) {
        const double from = ranks_count_at(k - 1), width = ranks_count_at(k) - from;
        phase[k] = phase[k - 1];
        if (from < 2 * stops->most)
            phase[k] += width * frequency_at(stops, k - 1);
    }
    set_mapping(scene, phase, last->lowest, colour);
}

/* Joins the ranks of the pictures. */
static void set_ranks(const struct stops *stops, struct scene *scene) {
    double phase[COLOUR_KNOTS] = {0};
    const struct stop *last = &stops->stop[stops->count - 1];
    for (int k = 1; k < COLOUR_KNOTS; k++) {
        const uint32_t *knot = stops->stop[stop_at(stops, k - 1)].ranks.knot;
        phase[k] = phase[k - 1] + scene->frequency * (knot[k] - knot[k - 1]) / 65536;
    }
    const double colour = scene->offset * scene->palette->period +
                          scene->frequency * last->ranks.knot[last->lowest] / 65536;
    set_mapping(scene, phase, last->lowest, colour);
}

bool path_colours_find(const struct path_colours *colours, struct scene *scene) {
    const bool linear = scene->mapping == MAPPING_LINEAR && scene->by == BY_COUNT;
    struct stops *stops = calloc(1, sizeof *stops);
    bool ok = stops;
    if (!stops)
        log_error("not enough memory for the colours of a movie");
    if (ok && (linear || scene_wants_ranks(scene))) {
        ok = find_stops(colours, scene, stops);
        if (ok && stops->count > 0 && linear)
            set_linear(stops, scene, colours->own);
        else if (ok && stops->count > 0)
            set_ranks(stops, scene);
    }
    free(stops);
    return ok;
}
