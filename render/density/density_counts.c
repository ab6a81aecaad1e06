/* Density counts: computes places, creates a histogram in host memory, and converts it to a
 * picture. */
#include "render/density/density_counts.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_BITS 128
#define SCALE_MOST (DBL_MAX / 64)

/* --- places --- */

/* Rotation of a view as the cosine and sine of its angle, exact for quarter turns. */
struct turn {
    double cosine, sine;
};

static struct turn turn_of(double angle) {
    if (angle == 0)
        return (struct turn){1, 0};
    if (fabs(angle) == M_PI_2)
        return (struct turn){0, angle > 0 ? 1 : -1};
    if (fabs(angle) == M_PI)
        return (struct turn){-1, 0};
    return (struct turn){cos(angle), sin(angle)};
}

static enum density_fold fold_of(const struct view *view, struct turn turn) {
    if (!mpfr_zero_p(view->im))
        return DENSITY_FOLD_NONE;
    return turn.sine == 0     ? DENSITY_FOLD_ROWS
           : turn.cosine == 0 ? DENSITY_FOLD_COLUMNS
                              : DENSITY_FOLD_NONE;
}

/* Returns middle - (a centre_re + b centre_im), rounded once to double. */
static double origin_of(const struct view *view, double a, double b, double middle) {
    mpfr_t sum, term;
    mpfr_inits2(PLACE_BITS, sum, term, (mpfr_ptr)0);
    mpfr_mul_d(sum, view->re, a, MPFR_RNDN);
    mpfr_mul_d(term, view->im, b, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
    mpfr_d_sub(sum, middle, sum, MPFR_RNDN);
    const double result = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(sum, term, (mpfr_ptr)0);
    return result;
}

/* Returns the pixels per unit of the plane, clamped to the range of doubles. */
static double scale_of(const struct density_req *req) {
    mpfr_t step;
    mpfr_init2(step, VIEW_ZOOM_BITS);
    view_step(&req->view, req->height_px, step);
    mpfr_ui_div(step, 1, step, MPFR_RNDN);
    const double scale = mpfr_get_d(step, MPFR_RNDN);
    mpfr_clear(step);
    return fmin(scale, SCALE_MOST);
}

/* Rounds to the number type and clamps to its range: infinite coefficients would give NaN
 * places. */
static double rounded(enum number_type type, double x) {
    const double most = type == TYPE_FLOAT ? (double)FLT_MAX : DBL_MAX;
    const double within = fmax(fmin(x, most), -most);
    return type == TYPE_FLOAT ? (double)(float)within : within;
}

/* Returns the map from z to pixels: (z - centre) rotated back by the angle, from the middle of the
 * picture; rows go down. */
struct density_place density_place(const struct density_req *req) {
    const struct view *view = &req->view;
    const struct turn turn = turn_of(view->angle);
    const double scale = scale_of(req);
    struct density_place place = {
        .fold = fold_of(view, turn),
        .width = req->width_px,
        .height = req->height_px,
        .column_re = turn.cosine * scale,
        .column_im = turn.sine * scale,
        .row_re = turn.sine * scale,
        .row_im = -turn.cosine * scale,
    };
    place.both = place.fold == DENSITY_FOLD_NONE;
    place.column_0 = origin_of(view, place.column_re, place.column_im, req->width_px / 2.0);
    place.row_0 = origin_of(view, place.row_re, place.row_im, req->height_px / 2.0);
    if (place.fold == DENSITY_FOLD_ROWS) {
        place.row_im = scale;
        place.odd = req->height_px % 2;
        place.row_0 = place.odd ? 0.5 : 0;
        place.height = (req->height_px + 1) / 2;
    } else if (place.fold == DENSITY_FOLD_COLUMNS) {
        place.column_im = scale;
        place.odd = req->width_px % 2;
        place.column_0 = place.odd ? 0.5 : 0;
        place.width = (req->width_px + 1) / 2;
    }
    memcpy(place.last, density_planes(&req->density).last, sizeof place.last);
    double *const numbers[] = {&place.column_re, &place.column_im, &place.column_0,
                               &place.row_re,    &place.row_im,    &place.row_0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = rounded(req->type, *numbers[i]);
    return place;
}

struct density_rule density_rule(const struct density *density) {
    const uint32_t least = density_least(density);
    struct density_rule rule = {
        .least = least < 2 ? 2 : least,
        .bounded = density->orbits == DENSITY_BOUNDED,
        .planes = density_planes(density),
    };
    rule.limit = rule.planes.top[rule.planes.count - 1];
    return rule;
}

/* --- counts --- */

uint64_t density_counters(const struct density_req *req) {
    const struct density_place place = density_place(req);
    return (uint64_t)place.width * (uint64_t)place.height *
           (uint64_t)density_planes(&req->density).count;
}

bool density_counts_init(struct density_counts *counts, const struct density_req *req) {
    const struct density_place place = density_place(req);
    *counts = (struct density_counts){.width = place.width,
                                      .height = place.height,
                                      .planes = density_planes(&req->density).count};
    const uint64_t size = density_counters(req);
    if (!memory_fits(size * sizeof *counts->count, "counts"))
        return false;
    counts->count = calloc(size, sizeof *counts->count);
    if (!counts->count)
        log_error("not enough memory for counts of %dx%d pixels", place.width, place.height);
    return counts->count != NULL;
}

void density_counts_finish(struct density_counts *counts) {
    free(counts->count);
    *counts = (struct density_counts){0};
}

/* --- display --- */

/* Returns the count of a stored pixel in a channel that shows planes 0 .. last. */
static uint64_t stored_count(const struct density_counts *counts, size_t at, int last) {
    const size_t plane = (size_t)counts->width * (size_t)counts->height;
    uint64_t sum = 0;
    for (int i = 0; i <= last; i++)
        sum += counts->count[(size_t)i * plane + at];
    return sum;
}

uint64_t density_shown(const struct density_req *req, const struct density_place *place,
                       const struct density_counts *counts, int channel, int x, int y) {
    const int column = place->fold == DENSITY_FOLD_COLUMNS ? density_folded(x, req->width_px) : x;
    const int row = place->fold == DENSITY_FOLD_ROWS ? density_folded(y, req->height_px) : y;
    const size_t at = (size_t)row * (size_t)counts->width + (size_t)column;
    return stored_count(counts, at, place->last[channel]) * density_times(place, column, row);
}

void density_levels(const struct density_req *req, const struct density_counts *counts,
                    struct tone_levels levels[TONE_CHANNELS_MAX]) {
    const struct density_place place = density_place(req);
    for (int channel = 0; channel < req->density.channels; channel++) {
        tone_levels_init(&levels[channel]);
        for (int row = 0; row < counts->height; row++)
            for (int column = 0; column < counts->width; column++) {
                const size_t at = (size_t)row * (size_t)counts->width + (size_t)column;
                const uint64_t times = density_times(&place, column, row);
                tone_levels_add(&levels[channel],
                                stored_count(counts, at, place.last[channel]) * times,
                                density_pixels(&place, column, row));
            }
    }
}

void density_paint(const struct density_req *req, const struct density_counts *counts,
                   const struct tone_map *map, uint32_t *rgba) {
    const struct density_place place = density_place(req);
    for (int y = 0; y < req->height_px; y++)
        for (int x = 0; x < req->width_px; x++) {
            uint32_t shade[TONE_CHANNELS_MAX] = {0};
            for (int channel = 0; channel < map->channels; channel++)
                shade[channel] = tone_shade(map->from[channel],
                                            density_shown(req, &place, counts, channel, x, y));
            *rgba++ = tone_pixel(map->channels, map->ramp, shade);
        }
}
