/* Locate: chooses a search, explains a failure, and sets up the view of the found place. */
#include "render/locate/locate.h"
#include "render/locate/misiurewicz.h"
#include "render/locate/nucleus.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define PART    3   /* a minibrot fills 1/PART of the height */
#define LARGEST 0.7 /* [heights] larger minibrots fill the view already */
#define DEEPER  1.5 /* ratio of a framed minibrot to the largest deeper one */
#define DEGREES (180 / 0x1.921fb54442d18p+1)

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

#define NUMBER_TEXT_MAX (SCALED_TEXT_MAX + 40)

/* Prints "multiplier 5.66 at 45 degrees". */
static void multiplier_text(const struct located *found, char text[static NUMBER_TEXT_MAX]) {
    char size[SCALED_TEXT_MAX];
    scaled_text(found->multiplier, size);
    if (found->turned)
        snprintf(text, NUMBER_TEXT_MAX, "multiplier %s at %.4g degrees", size,
                 scaled_degrees(found->multiplier));
    else
        snprintf(text, NUMBER_TEXT_MAX, "multiplier %s", size);
}

void located_text(const struct located *found, char text[static LOCATED_TEXT_MAX]) {
    char size[NUMBER_TEXT_MAX];
    if (found->kind == LOCATE_MISIUREWICZ) {
        multiplier_text(found, size);
        if (found->julia)
            snprintf(text, LOCATED_TEXT_MAX, "point of a repelling cycle of period %" PRIu32 ", %s",
                     found->period, size);
        else
            snprintf(text, LOCATED_TEXT_MAX,
                     "Misiurewicz point of preperiod %" PRIu32 " and period %" PRIu32 ", %s",
                     found->preperiod, found->period, size);
        return;
    }
    scaled_text(found->size, size);
    if (found->julia)
        snprintf(text, LOCATED_TEXT_MAX,
                 "copy of the Julia set's centre (0 is reached after %" PRIu32
                 " step%s), %s in size",
                 found->period, found->period == 1 ? "" : "s", size);
    else
        snprintf(text, LOCATED_TEXT_MAX, "%s of period %" PRIu32 ", %s in size",
                 found->disc ? "disc" : "minibrot", found->period, size);
}

/* --- errors --- */

#define SAY(found, ...) snprintf((found)->why, sizeof(found)->why, __VA_ARGS__)

static bool searchable(const struct scene *scene, enum locate_kind kind, struct located *found) {
    char name[FRACTAL_NAME_SIZE];
    fractal_name(&scene->fractal, name, sizeof name);
    if (scene->orbit_density)
        SAY(found, "a Buddhabrot has no minibrots; search an escape-time view");
    else if (fractal_is_map(&scene->fractal))
        SAY(found, "'%.60s' cannot be searched, only formulas that raise z to a power", name);
    else if (kind == LOCATE_MISIUREWICZ && !scene->fractal.julia &&
             !fractal_is_mandelbrot(&scene->fractal))
        SAY(found, "Misiurewicz points are found in the Mandelbrot set alone, not in '%.60s'",
            name);
    return !*found->why;
}

static const char *what(const struct located *found) {
    if (!found->julia)
        return "Misiurewicz point";
    return found->kind == LOCATE_MINIBROT ? "copy of the Julia set's centre"
                                          : "point of a repelling cycle";
}

static void explain_end(struct located *found, enum locate_end end, uint32_t limit,
                        uint32_t reached, bool passed) {
    const char *smaller = passed ? "smaller " : "";
    if (end == LOCATE_TOO_DEEP)
        SAY(found, "the target is too deep: it needs more than %d bits", VIEW_BITS_MAX);
    else if (end == LOCATE_NO_MEMORY)
        SAY(found, "not enough memory for this search");
    else if (end == LOCATE_UNDECIDED)
        SAY(found, "the view is too crowded to search beyond period %" PRIu32 "; zoom in", reached);
    else if (end == LOCATE_NONE && found->kind == LOCATE_MINIBROT && !found->julia)
        SAY(found,
            "no %sminibrot of a period up to %" PRIu32 ", the iteration limit, lies in this view",
            smaller, limit);
    else if (end == LOCATE_NONE)
        SAY(found, "no %s%s was found in this view within %" PRIu32 " iterations", smaller,
            what(found), limit);
}

/* --- the view --- */

/* Copies the scene with c in the middle, which is known to 2^-bits. */
static void centre(struct located *found, const struct scene *scene, const struct big *c,
                   long bits) {
    scene_init_copy(&found->scene, scene);
    struct view *view = &found->scene.view;
    mpfr_set_prec(view->re, bits + 2);
    mpfr_set_prec(view->im, bits + 2);
    mpfr_set(view->re, c->re, MPFR_RNDN);
    mpfr_set(view->im, c->im, MPFR_RNDN);
}

/* Raises the limit as the found place requires. A point of a Julia set that reaches 0 takes its own
 * steps, and then the steps of 0. */
static void raise_limit(struct located *found) {
    uint32_t *limit = &found->scene.limit;
    const uint64_t rounds =
        found->julia ? (uint64_t)*limit + found->period : (uint64_t)LOCATE_ROUNDS * found->period;
    if (rounds > *limit)
        *limit = rounds < FRAME_LIMIT_MAX ? (uint32_t)rounds : FRAME_LIMIT_MAX;
}

/* Sets the zoom at which `extent` fills 1/PART of the height; zoom 1 is 4 high. Returns false if
 * there is no such zoom; found->why contains the reason. */
static bool frame(struct located *found, const struct locate_request *request,
                  struct scaled extent) {
    struct view *view = &found->scene.view;
    const char *why = NULL;
    char text[SCALED_TEXT_MAX];
    scaled_text(scaled_div(scaled_of(4.0 / PART, 0), extent), text);
    if (!view_set_zoom(view, text, &why) ||
        (request->upright && found->turned &&
         !view_set_angle_degrees(view, scaled_degrees(found->size), &why)))
        SAY(found, "zoom %s, which would show it, is %s", text, why);
    raise_limit(found);
    return !*found->why;
}

static bool find_nucleus(const struct scene *scene, const struct view *view,
                         const struct locate_request *request, const struct nucleus_want *want,
                         struct locate_watch *watch, struct located *found) {
    const double aspect = (double)request->width_px / request->height_px;
    struct nucleus nucleus;
    uint32_t passed = 0;
    const enum locate_end end = nucleus_find(view, aspect, want, watch, &nucleus, &passed);
    if (end != LOCATE_FOUND) {
        explain_end(found, end, scene->limit, atomic_load(&watch->reached), passed > 0);
        return false;
    }
    found->period = nucleus.period;
    found->size = nucleus.size;
    found->domain = nucleus.domain;
    found->multiplier = nucleus.multiplier;
    found->disc = nucleus.disc;
    found->turned = !want->family->folded;
    centre(found, scene, &nucleus.c, nucleus.bits);
    const bool ok = want->returns || frame(found, request, nucleus_extent(&nucleus));
    nucleus_finish(&nucleus);
    if (!ok)
        located_finish(found);
    return ok;
}

static bool find_misiurewicz(const struct scene *scene, const struct view *view,
                             const struct locate_request *request, struct locate_watch *watch,
                             struct located *found) {
    const double aspect = (double)request->width_px / request->height_px;
    struct misiurewicz point;
    const enum locate_end end = misiurewicz_find(view, aspect, scene->limit, watch, &point);
    if (end != LOCATE_FOUND) {
        explain_end(found, end, scene->limit, atomic_load(&watch->reached), false);
        return false;
    }
    found->preperiod = point.preperiod;
    found->period = point.period;
    found->multiplier = point.multiplier;
    found->turned = true;
    centre(found, scene, &point.c, point.bits);
    misiurewicz_finish(&point);
    return true;
}

/* --- around a place --- */

/* Initialises the part of the view around the requested place, `times` times as small. */
static void part_of(struct view *part, const struct view *view,
                    const struct locate_request *request, double times) {
    view_init_copy(part, view);
    view_pan(part, request->x_px - request->width_px / 2.0,
             request->y_px - request->height_px / 2.0, request->height_px);
    view_zoom_at(part, times, request->width_px / 2.0, request->height_px / 2.0, request->width_px,
                 request->height_px);
}

/* Returns true if the view already frames the found place. */
static bool is_framed(const struct located *found, const struct view *view, int height_px) {
    const struct view_map map = view_map_from(view, &found->scene.view, height_px);
    return fabs(log2(map.scale)) < 0.25 && hypot(map.dx_px, map.dy_px) < 0.05 * height_px;
}

static bool find_in(const struct scene *scene, const struct view *view, double times,
                    const struct locate_request *request, double largest,
                    struct locate_watch *watch, struct located *found) {
    const struct family family = family_of(&scene->fractal);
    struct nucleus_want want = {.family = &family,
                                .returns = request->kind == LOCATE_MISIUREWICZ,
                                .shape = times > 1 ? NUCLEUS_CARDIOID : NUCLEUS_CARDIOID_FIRST,
                                .limit = scene->limit,
                                .largest = largest * times};
    found->why[0] = '\0';
    if (want.returns && !scene->fractal.julia)
        return find_misiurewicz(scene, view, request, watch, found);
    return find_nucleus(scene, view, request, &want, watch, found);
}

/* Searches as find_in, except for the place that the view already frames. */
static bool find_new(const struct scene *scene, const struct view *view, double times,
                     const struct locate_request *request, struct locate_watch *watch,
                     struct located *found) {
    const double largest = found->julia ? 1.0 / PART : LARGEST;
    if (!find_in(scene, view, times, request, largest, watch, found))
        return false;
    if (!request->near || request->kind != LOCATE_MINIBROT ||
        !is_framed(found, &scene->view, request->height_px))
        return true;
    located_finish(found);
    return find_in(scene, view, times, request, 1 / (PART * DEEPER), watch, found);
}

bool locate(const struct scene *scene, const struct locate_request *request,
            struct locate_watch *watch, struct located *found) {
    static const double parts[] = {8, 4, 2};
    bool ok = false;
    *found = (struct located){.kind = request->kind, .julia = scene->fractal.julia};
    if (!searchable(scene, request->kind, found))
        return false;
    for (size_t i = 0; request->near && !ok && i < sizeof parts / sizeof *parts; i++) {
        struct view part;
        part_of(&part, &scene->view, request, parts[i]);
        ok =
            !atomic_load(&watch->cancel) && find_new(scene, &part, parts[i], request, watch, found);
        view_finish(&part);
    }
    return ok || find_new(scene, &scene->view, 1, request, watch, found);
}

void located_finish(struct located *found) {
    scene_finish(&found->scene);
}
