/* Tours: joins the stops of a path by legs, and computes times and speeds. */
#include "app/movie/path/tour.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

#define LEVEL     1e-4  /* [octaves] views at a smaller distance have the same depth */
#define PAN_MOST  3.0   /* [frame heights] longest way of the centre across the wider frame */
#define PASS_MOST 2.0   /* [octaves] longest zoom past a pivot that no frame shows */
#define PAN_S     1.5   /* default time for a frame's height */
#define CHANGE_S  5.0   /* default time for a change of settings alone */
#define TURNED    1e-4  /* [radians] smaller rotations are none */
#define SHOTS     3     /* most shots between two stops, with the rest */
#define OPPOSITE  0.999 /* cosine between a way and the one back, at least */

void tour_finish(struct tour *tour) {
    for (size_t i = 0; i < tour->count; i++) {
        leg_finish(&tour->shots[i].leg);
        free((struct timeline *)tour->shots[i].timeline.parts);
    }
    free(tour->shots);
    *tour = (struct tour){0};
}

static mpfr_prec_t bits_of_both(mpfr_srcptr a, mpfr_srcptr b) {
    const mpfr_prec_t first = mpfr_get_prec(a), second = mpfr_get_prec(b);
    return first > second ? first : second;
}

/* --- legs --- */

/* Returns the distance of the centres [frame heights of the view `unit`] in an initialised
 * number. */
static void distance_of(mpfr_t distance, const struct view *a, const struct view *b,
                        const struct view *unit) {
    mpfr_t im;
    mpfr_init2(im, VIEW_ZOOM_BITS);
    mpfr_sub(distance, b->re, a->re, MPFR_RNDN);
    mpfr_sub(im, b->im, a->im, MPFR_RNDN);
    mpfr_hypot(distance, distance, im, MPFR_RNDN);
    mpfr_mul(distance, distance, unit->zoom, MPFR_RNDN);
    mpfr_div_ui(distance, distance, 4, MPFR_RNDN);
    mpfr_clear(im);
}

/* Stores the view between two others that shows both frames, with the angle of the first one. */
static void view_of_both(const struct view *a, const struct view *b, double aspect,
                         struct view *both) {
    const struct view *shallow = mpfr_cmp(a->zoom, b->zoom) < 0 ? a : b;
    const mpfr_prec_t bits = bits_of_both(a->re, b->re) + 1;
    mpfr_t size;
    mpfr_init2(size, VIEW_ZOOM_BITS);
    distance_of(size, a, b, shallow);
    mpfr_add_d(size, size, hypot(aspect, 1), MPFR_RNDN);
    mpfr_div_d(size, size, fmin(aspect, 1), MPFR_RNDN);
    mpfr_div(both->zoom, shallow->zoom, size, MPFR_RNDN);
    mpfr_set_prec(both->re, bits);
    mpfr_set_prec(both->im, bits);
    mpfr_add(both->re, a->re, b->re, MPFR_RNDN);
    mpfr_div_ui(both->re, both->re, 2, MPFR_RNDN);
    mpfr_add(both->im, a->im, b->im, MPFR_RNDN);
    mpfr_div_ui(both->im, both->im, 2, MPFR_RNDN);
    both->angle = a->angle;
    mpfr_clear(size);
}

/* Returns true if two views lie a few frames of the shallower one apart. */
static bool is_near(const struct view *shallow, const struct view *deep) {
    mpfr_t distance;
    mpfr_init2(distance, VIEW_ZOOM_BITS);
    distance_of(distance, shallow, deep, shallow);
    const bool near = mpfr_get_d(distance, MPFR_RNDN) <= PAN_MOST;
    mpfr_clear(distance);
    return near;
}

/* Adds a shot for a leg that zooms. Returns false if frames would pass too far from the pivot. */
static bool add_zoom(struct tour *tour, const struct view *from, const struct view *to,
                     double aspect, double turns) {
    struct shot *shot = &tour->shots[tour->count];
    const bool out = mpfr_cmp(from->zoom, to->zoom) > 0;
    const struct view *deep = out ? from : to;
    struct view shallow;
    view_init_copy(&shallow, out ? to : from);
    if (out) /* the leg begins at the deep view's own angle */
        shallow.angle += 2 * M_PI * turns;
    const bool found = leg_init(&shot->leg, &shallow, deep, out ? 0 : turns);
    view_finish(&shallow);
    if (!found)
        return false;
    if (!leg_shows_pivot(&shot->leg, aspect) &&
        !(shot->leg.to - shot->leg.from <= PASS_MOST && is_near(out ? to : from, deep))) {
        leg_finish(&shot->leg);
        return false;
    }
    shot->timeline.from = out ? shot->leg.to : shot->leg.from;
    shot->timeline.to = out ? shot->leg.from : shot->leg.to;
    tour->count++;
    return true;
}

static void add_level(struct tour *tour, const struct view *from, const struct view *to,
                      double turns) {
    struct shot *shot = &tour->shots[tour->count++];
    leg_init_level(&shot->leg, from, to, turns);
    shot->timeline.from = 0;
    shot->timeline.to = 1;
}

/* Returns true if two views have the same depth and lie so near that the camera moves straight
 * on. */
static bool is_pan(const struct view *from, const struct view *to) {
    mpfr_t ratio;
    mpfr_init2(ratio, VIEW_ZOOM_BITS);
    mpfr_div(ratio, from->zoom, to->zoom, MPFR_RNDN);
    mpfr_log2(ratio, ratio, MPFR_RNDN);
    const bool level = fabs(mpfr_get_d(ratio, MPFR_RNDN)) < LEVEL;
    mpfr_clear(ratio);
    return level && is_near(from, to);
}

/* Adds the legs between two views. Returns false if there are none. */
static bool add_legs_between(struct tour *tour, const struct view *from, const struct view *to,
                             double aspect, double turns) {
    struct view both;
    if (is_pan(from, to)) {
        add_level(tour, from, to, turns);
        return true;
    }
    if (add_zoom(tour, from, to, aspect, turns))
        return true;
    view_init(&both);
    view_of_both(from, to, aspect, &both);
    const bool ok =
        add_zoom(tour, from, &both, aspect, 0) && add_zoom(tour, &both, to, aspect, turns);
    view_finish(&both);
    return ok;
}

/* Adds the legs from the stop before to a stop. The camera keeps the turns of earlier stops. */
static bool add_legs(struct tour *tour, const struct path_stop *stop, double aspect) {
    struct view from, to;
    view_init_copy(&from, &stop[-1].scene.view);
    view_init_copy(&to, &stop->scene.view);
    from.angle += 2 * M_PI * tour->turned;
    to.angle += 2 * M_PI * tour->turned;
    const bool ok = add_legs_between(tour, &from, &to, aspect, stop->turns);
    tour->turned += stop->turns;
    view_finish(&from);
    view_finish(&to);
    return ok;
}

/* --- times --- */

static double octaves_of(const struct shot *shot) {
    return shot->leg.to - shot->leg.from;
}

/* Returns the time that the shots `first` to `last` take by default. */
static double usual_seconds(const struct shot *first, const struct shot *last, double speed,
                            double ease_s) {
    double octaves = 0;
    for (const struct shot *shot = first; shot <= last; shot++)
        octaves += octaves_of(shot);
    if (octaves > 0)
        return octaves / speed + ease_s * (double)(last - first + 1);
    const double way = hypot(first->leg.pan_re, first->leg.pan_im);
    return way > 0 || first->leg.turn != 0 ? fmax(way * PAN_S, PAN_S) : CHANGE_S;
}

/* Sets stops, durations and shares of the shots from `first` to the last one. */
static void set_way(struct tour *tour, size_t first, const struct path_stop *from,
                    const struct path_stop *to, const struct tour_options *options) {
    struct shot *shot = &tour->shots[first], *last = &tour->shots[tour->count - 1];
    const double speed = to->speed > 0 ? to->speed : options->speed;
    const double seconds =
        to->seconds > 0 ? to->seconds : usual_seconds(shot, last, speed, options->ease_s);
    const double share =
        shot == last ? 1 : octaves_of(shot) / (octaves_of(shot) + octaves_of(last));
    for (struct shot *at = shot; at <= last; at++) {
        at->from = from;
        at->to = to;
        at->from_share = at == shot ? 0 : share;
        at->to_share = at == last ? 1 : share;
        at->seconds = seconds * (at->to_share - at->from_share);
    }
}

static void add_rest(struct tour *tour, const struct path_stop *stop) {
    struct shot *shot = &tour->shots[tour->count];
    if (!(stop->hold > 0))
        return;
    add_level(tour, &stop->scene.view, &stop->scene.view, 0);
    shot->leg.angle += 2 * M_PI * tour->turned;
    shot->from = shot->to = stop;
    shot->to_share = 1;
    shot->seconds = stop->hold;
}

/* Returns -1, 0 or 1 for a zoom outwards, a level leg or a zoom inwards. */
static int direction(const struct shot *shot) {
    return leg_is_level(&shot->leg) ? 0 : shot->timeline.to > shot->timeline.from ? 1 : -1;
}

static bool is_number(const struct setting *setting) {
    return setting->invalidates == SETTING_COLOURS &&
           (setting->kind == SETTING_KIND_NUMBER || setting->kind == SETTING_KIND_TURNS);
}

static double number_in(const struct setting *setting, const struct scene *scene) {
    return *(const double *)((const char *)scene + setting->offset);
}

/* Returns true if two scenes have the same constants, limits and numbers of the look. */
static bool same_numbers(const struct scene *a, const struct scene *b) {
    bool same =
        fractal_equal(&a->fractal, &b->fractal) && a->limit == b->limit && a->samples == b->samples;
    for (int id = 0; id < SETTING_COUNT; id++)
        same = same && (!is_number(&setting_table[id]) ||
                        number_in(&setting_table[id], a) == number_in(&setting_table[id], b));
    return same;
}

/* Returns true if a level shot leads back on the way of the one before. */
static bool turns_back(const struct shot *before, const struct shot *after) {
    const struct leg *a = &before->leg, *b = &after->leg;
    const struct scene *first = &before->from->scene, *middle = &before->to->scene;
    const double dot = a->pan_re * b->pan_re + a->pan_im * b->pan_im;
    const double both = hypot(a->pan_re, a->pan_im) * hypot(b->pan_re, b->pan_im);
    return dot < -OPPOSITE * both ||
           (a->turn * b->turn < 0 && fmin(fabs(a->turn), fabs(b->turn)) > TURNED) ||
           before->to->cycles * after->to->cycles < 0 ||
           (same_numbers(first, &after->to->scene) && !same_numbers(first, middle));
}

/* Returns true if the camera has to be at rest between two shots, of which one may be NULL. */
static bool rests_between(const struct shot *before, const struct shot *after) {
    return !before || !after || before->from == before->to || after->from == after->to ||
           direction(before) != direction(after) ||
           (direction(before) == 0 && turns_back(before, after));
}

static void set_speeds(struct tour *tour, double ease_s) {
    for (size_t i = 0; i < tour->count; i++) {
        struct shot *shot = &tour->shots[i];
        if (shot->from == shot->to)
            continue;
        const bool in = rests_between(i > 0 ? shot - 1 : NULL, shot);
        const bool out = rests_between(shot, i + 1 < tour->count ? shot + 1 : NULL);
        const double share = fmin(ease_s / shot->seconds, in && out ? 0.5 : 1);
        shot->timeline.ease_in = in ? share : 0;
        shot->timeline.ease_out = out ? share : 0;
    }
}

/* Scales all times so that their sum is the given one. */
static void set_times(struct tour *tour, double seconds) {
    double sum = 0;
    for (size_t i = 0; i < tour->count; i++)
        sum += tour->shots[i].seconds;
    const double scale = seconds > 0 ? seconds / sum : 1;
    for (size_t i = 0; i < tour->count; i++) {
        struct shot *shot = &tour->shots[i];
        shot->seconds *= scale;
        shot->start_s = tour->seconds;
        tour->seconds += shot->seconds;
    }
}

bool tour_init(struct tour *tour, const struct path *path, const struct tour_options *options) {
    *tour = (struct tour){.shots = calloc(SHOTS * path->count + 1, sizeof *tour->shots)};
    if (!tour->shots) {
        log_error("not enough memory for a path");
        return false;
    }
    for (size_t i = 0; i < path->count; i++) {
        const struct path_stop *stop = &path->stops[i], *before = stop - 1;
        const size_t first = tour->count;
        if (i > 0 && !add_legs(tour, stop, options->aspect)) {
            log_error("no way leads from stop %zu to stop %zu of the path", i, i + 1);
            return false;
        }
        if (i > 0)
            set_way(tour, first, before, stop, options);
        add_rest(tour, stop);
    }
    if (tour->count == 0) {
        log_error("a path needs two stops, or one with a time to hold");
        return false;
    }
    set_times(tour, options->seconds);
    set_speeds(tour, options->ease_s);
    return true;
}

/* --- at a time --- */

const struct shot *tour_shot(const struct tour *tour, double second) {
    size_t i = 0;
    while (i + 1 < tour->count && second >= tour->shots[i + 1].start_s)
        i++;
    return &tour->shots[i];
}

double shot_time(const struct shot *shot, double second) {
    return fmin(fmax((second - shot->start_s) / shot->seconds, 0), 1);
}

void tour_view(const struct tour *tour, double second, struct view *view) {
    const struct shot *shot = tour_shot(tour, second);
    leg_view(&shot->leg, timeline_at(&shot->timeline, shot_time(shot, second)), view);
}

double shot_share(const struct shot *shot, double time) {
    const struct timeline *timeline = &shot->timeline;
    const double way =
        (timeline_at(timeline, time) - timeline->from) / (timeline->to - timeline->from);
    return shot->from_share + (shot->to_share - shot->from_share) * way;
}

static bool same_kind(const struct fractal *a, const struct fractal *b) {
    return a->julia && b->julia && a->formula == b->formula;
}

bool shot_morphs(const struct shot *shot) {
    const struct fractal *a = &shot->from->scene.fractal, *b = &shot->to->scene.fractal;
    const bool still = leg_is_level(&shot->leg) && shot->leg.pan_re == 0 && shot->leg.pan_im == 0;
    return shot->from->scene.orbit_density ||
           (same_kind(a, b) && !(mpfr_equal_p(a->re, b->re) && mpfr_equal_p(a->im, b->im))) ||
           (still && shot->from->scene.limit != shot->to->scene.limit);
}

/* Stores a + (b - a) * share. */
static void mix(mpfr_t number, mpfr_srcptr a, mpfr_srcptr b, double share) {
    mpfr_set_prec(number, bits_of_both(a, b));
    mpfr_sub(number, b, a, MPFR_RNDN);
    mpfr_mul_d(number, number, share, MPFR_RNDN);
    mpfr_add(number, number, a, MPFR_RNDN);
}

/* Returns the number on an even rise from a to b. */
static double rise(double a, double b, double share) {
    return a > 0 && b > 0 ? a * pow(b / a, share) : a + (b - a) * share;
}

/* Sets constant and limit. Where the camera moves, the larger limit serves the whole way, so that
 * no edges show. */
static void mix_fractal(const struct shot *shot, double share, struct scene *scene) {
    const struct scene *a = &shot->from->scene, *b = &shot->to->scene;
    if (same_kind(&a->fractal, &b->fractal)) {
        mix(scene->fractal.re, a->fractal.re, b->fractal.re, share);
        mix(scene->fractal.im, a->fractal.im, b->fractal.im, share);
    }
    scene->limit = a->limit > b->limit ? a->limit : b->limit;
    if (shot_morphs(shot) && leg_is_level(&shot->leg))
        scene->limit = (uint32_t)lround(rise(a->limit, b->limit, share));
}

/* Sets samples and lengths of orbits. */
static void mix_orbits(const struct shot *shot, double share, struct scene *scene) {
    const struct scene *a = &shot->from->scene, *b = &shot->to->scene;
    if (!scene->orbit_density)
        return;
    scene->limit = (uint32_t)lround(rise(a->limit, b->limit, share));
    scene->samples = (uint64_t)rise((double)a->samples, (double)b->samples, share);
    scene->orbits.least = (uint32_t)lround(rise(a->orbits.least, b->orbits.least, share));
    for (int i = 0; i < scene->orbits.channels; i++)
        scene->orbits.limit[i] =
            (uint32_t)lround(rise(a->orbits.limit[i], b->orbits.limit[i], share));
}

void tour_mix_numbers(const struct scene *from, const struct scene *to, double cycles, double share,
                      struct scene *scene) {
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting *setting = &setting_table[id];
        if (!is_number(setting))
            continue;
        const double a = number_in(setting, from), b = number_in(setting, to);
        double number = a + (b - a) * share;
        if (setting->kind == SETTING_KIND_TURNS) {
            number = a + (b - a - round(b - a) + cycles) * share; /* the short way */
            number = fmin(number - floor(number), 0.9999999);
        }
        *(double *)((char *)scene + setting->offset) = number;
    }
}

void shot_scene(const struct shot *shot, double time, struct scene *scene) {
    const double share = shot_share(shot, time);
    scene_assign(scene, share < 1 ? &shot->from->scene : &shot->to->scene);
    leg_view(&shot->leg, timeline_at(&shot->timeline, time), &scene->view);
    mix_fractal(shot, share, scene);
    mix_orbits(shot, share, scene);
    tour_mix_numbers(&shot->from->scene, &shot->to->scene, shot->to->cycles, share, scene);
}
