/* Chooses the search, says why one failed, and makes the view that shows what it found. */
#include "render/locate/locate.h"
#include "render/locate/misiurewicz.h"
#include "render/locate/nucleus.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define PART      3   /* of the height is filled by one of these */
#define WHOLE_SET 2.5 /* the extent of M; of a disc it is 1, by how its size is measured */
#define DEGREES   (180 / 0x1.921fb54442d18p+1)

const char *const locate_kind_names[] = {"minibrot", "misiurewicz", NULL};

void scaled_text(struct scaled x, char text[static SCALED_TEXT_MAX]) {
    mpfr_t size;
    mpfr_init2(size, 64);
    mpfr_set_d(size, hypot(x.re, x.im), MPFR_RNDN);
    mpfr_mul_2si(size, size, (long)x.exponent, MPFR_RNDN);
    mpfr_snprintf(text, SCALED_TEXT_MAX, "%.4Rg", size);
    mpfr_clear(size);
}

double scaled_degrees(struct scaled x) {
    return atan2(x.im, x.re) * DEGREES;
}

void located_text(const struct located *found, char text[static LOCATED_TEXT_MAX]) {
    char size[SCALED_TEXT_MAX];
    if (found->kind == LOCATE_MISIUREWICZ) {
        scaled_text(found->multiplier, size);
        snprintf(text, LOCATED_TEXT_MAX,
                 "Misiurewicz point of preperiod %" PRIu32 " and period %" PRIu32
                 ", multiplier %s at %.4g degrees",
                 found->preperiod, found->period, size, scaled_degrees(found->multiplier));
        return;
    }
    scaled_text(found->size, size);
    snprintf(text, LOCATED_TEXT_MAX, "%s of period %" PRIu32 ", %s in size",
             found->disc ? "disc" : "minibrot", found->period, size);
}

/* --- what goes wrong --- */

#define SAY(found, ...) snprintf((found)->why, sizeof(found)->why, __VA_ARGS__)

static void say_not_searched(const struct scene *scene, struct located *found) {
    char name[FRACTAL_NAME_SIZE];
    fractal_name(&scene->fractal, name, sizeof name);
    SAY(found, "only the Mandelbrot set can be searched, not '%.60s'", name);
}

static bool searchable(const struct scene *scene, struct located *found) {
    if (scene->orbit_density)
        SAY(found, "a density picture has no minibrots; search a view of the set itself");
    else if (!fractal_is_mandelbrot(&scene->fractal))
        say_not_searched(scene, found);
    return !scene->orbit_density && fractal_is_mandelbrot(&scene->fractal);
}

static void say_end(struct located *found, enum locate_end end, uint32_t limit, uint32_t reached) {
    if (end == LOCATE_TOO_DEEP)
        SAY(found, "what is there lies too deep: it takes more than %d bits", VIEW_BITS_MAX);
    else if (end == LOCATE_NO_MEMORY)
        SAY(found, "not enough memory for this search");
    else if (end == LOCATE_UNDECIDED)
        SAY(found,
            "the view is too crowded to decide what is in it beyond period %" PRIu32 "; zoom in",
            reached);
    else if (end == LOCATE_NONE && found->kind == LOCATE_MINIBROT)
        SAY(found,
            "no minibrot of a period up to %" PRIu32 ", the iteration limit, lies in this view",
            limit);
    else if (end == LOCATE_NONE)
        SAY(found, "no Misiurewicz point was found in this view within %" PRIu32 " iterations",
            limit);
}

/* --- the view --- */

/* The scene as it was, with that point in the middle, which is known to 2^-bits. */
static void centre(struct located *found, const struct scene *scene, const struct big *c,
                   long bits) {
    scene_init_copy(&found->scene, scene);
    struct view *view = &found->scene.view;
    mpfr_set_prec(view->re, bits + 2);
    mpfr_set_prec(view->im, bits + 2);
    mpfr_set(view->re, c->re, MPFR_RNDN);
    mpfr_set(view->im, c->im, MPFR_RNDN);
}

/* Zoom 1 is 4 high. False: there is no such zoom, said. */
static bool frame(struct located *found, bool upright) {
    const double extent = found->disc ? 1 : WHOLE_SET;
    const struct scaled size = scaled_abs(found->size);
    struct view *view = &found->scene.view;
    const char *why = NULL;
    char text[SCALED_TEXT_MAX];
    scaled_text(scaled_div(scaled_of(4 / (PART * extent), 0), size), text);
    const bool ok = view_set_zoom(view, text, &why) &&
                    (!upright || view_set_angle_degrees(view, scaled_degrees(found->size), &why));
    if (!ok)
        SAY(found, "zoom %s, which would show it, is %s", text, why);
    const uint64_t rounds = (uint64_t)LOCATE_ROUNDS * found->period;
    if (rounds > found->scene.limit)
        found->scene.limit = rounds < FRAME_LIMIT_MAX ? (uint32_t)rounds : FRAME_LIMIT_MAX;
    return ok;
}

static bool find_minibrot(const struct scene *scene, double aspect, bool upright,
                          struct locate_watch *watch, struct located *found) {
    struct nucleus nucleus;
    const enum locate_end end = nucleus_find(&scene->view, aspect, scene->limit, watch, &nucleus);
    if (end != LOCATE_FOUND) {
        say_end(found, end, scene->limit, atomic_load(&watch->reached));
        return false;
    }
    found->period = nucleus.period;
    found->size = nucleus.size;
    found->domain = nucleus.domain;
    found->disc = nucleus.disc;
    centre(found, scene, &nucleus.c, nucleus.bits);
    nucleus_finish(&nucleus);
    const bool ok = frame(found, upright);
    if (!ok)
        located_finish(found);
    return ok;
}

static bool find_misiurewicz(const struct scene *scene, double aspect, struct locate_watch *watch,
                             struct located *found) {
    struct misiurewicz point;
    const enum locate_end end = misiurewicz_find(&scene->view, aspect, scene->limit, watch, &point);
    if (end != LOCATE_FOUND) {
        say_end(found, end, scene->limit, atomic_load(&watch->reached));
        return false;
    }
    found->preperiod = point.preperiod;
    found->period = point.period;
    found->multiplier = point.multiplier;
    centre(found, scene, &point.c, point.bits);
    misiurewicz_finish(&point);
    return true;
}

bool locate(const struct scene *scene, int width_px, int height_px, enum locate_kind kind,
            bool upright, struct locate_watch *watch, struct located *found) {
    const double aspect = (double)width_px / height_px;
    *found = (struct located){.kind = kind};
    if (!searchable(scene, found))
        return false;
    return kind == LOCATE_MINIBROT ? find_minibrot(scene, aspect, upright, watch, found)
                                   : find_misiurewicz(scene, aspect, watch, found);
}

void located_finish(struct located *found) {
    scene_finish(&found->scene);
}
