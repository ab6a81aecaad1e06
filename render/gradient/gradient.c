/* Gradients: computes their tables and edits them. Colours are computed by + - * / only, so that a
 * table has the same bytes on every machine. */
#include "render/gradient/gradient.h"
#include "render/base/require.h"
#include "render/gradient/oklab.h"
#include <math.h>
#include <string.h>

#define CHANNELS 3

const char *const interpolation_names[] = {"none", "smooth", "linear", "oklab", NULL};

void gradient_init(struct gradient *gradient) {
    memset(gradient, 0, sizeof *gradient);
    gradient->interpolation = INTERPOLATION_SMOOTH;
    gradient->saturation = gradient->brightness = 1;
    gradient->period = 64;
    gradient->interior = COLOUR_ALPHA;
}

static bool in_range(double x, double low, double high) {
    return x >= low && x <= high;
}

const char *gradient_problem(const struct gradient *g) {
    if (g->count < 1 || g->count > GRADIENT_STOPS_MAX)
        return "no colours";
    if ((unsigned)g->interpolation >= INTERPOLATION_COUNT)
        return "unknown interpolation";
    if (!in_range(g->period, GRADIENT_PERIOD_MIN, GRADIENT_PERIOD_MAX))
        return "the period is not from 0.001 to 1e9";
    if (!in_range(g->offset, 0, 1) || g->offset == 1)
        return "the offset is not in [0, 1)";
    if (!in_range(g->hue, -180, 180))
        return "the hue is not from -180 to 180";
    if (!in_range(g->saturation, 0, 2) || !in_range(g->brightness, 0, 2))
        return "saturation or brightness is not from 0 to 2";
    for (int i = 0; i < g->count; i++)
        if (!in_range(g->stops[i].place, i > 0 ? g->stops[i - 1].place : 0, 1))
            return "the places of colours are not in [0, 1] or decrease";
    return NULL;
}

static int byte_of(uint32_t rgba, int channel) {
    return (int)(rgba >> (8 * channel) & 0xff);
}

/* --- curves --- */

struct curve {
    const struct gradient *gradient;
    double values[GRADIENT_STOPS_MAX][CHANNELS]; /* values of the stops: bytes, or Oklab */
};

/* Returns the distance from stop i to the next one, cyclic; i may be -1. 0 is a hard edge. */
static double distance_to_next(const struct gradient *g, int i) {
    const int n = g->count, a = (i + n) % n, b = (i + 1 + n) % n;
    const double d = g->stops[b].place - g->stops[a].place;
    return b > a ? d : d + 1;
}

static double slope(const struct curve *c, int i, int channel) {
    const int n = c->gradient->count, a = (i + n) % n, b = (i + 1 + n) % n;
    const double width = distance_to_next(c->gradient, i);
    return width > 0 ? (c->values[b][channel] - c->values[a][channel]) / width : 0;
}

/* Returns the derivative at a stop that keeps the cubic monotone on both sides: at most three times
 * the smaller slope (Fritsch and Carlson 1980, the box inside their region). */
static double tangent(const struct curve *c, int i, int channel) {
    const int last = c->gradient->count - 1;
    if (c->gradient->mirrored && (i == 0 || i == last))
        return 0;
    const double before = slope(c, i - 1, channel), after = slope(c, i, channel);
    if (before * after <= 0)
        return 0;
    const double mean = (before + after) / 2;
    const double sign = mean < 0 ? -1 : 1;
    return sign * fmin(sign * mean, 3 * fmin(sign * before, sign * after));
}

/* Cubic Hermite curve of one channel between a stop and the next. */
struct segment {
    double y0, y1, d0, d1;
};

static struct segment segment_of(const struct curve *c, int i, int channel) {
    const int next = (i + 1) % c->gradient->count;
    const double h = distance_to_next(c->gradient, i);
    struct segment segment = {.y0 = c->values[i][channel], .y1 = c->values[next][channel]};
    if (c->gradient->interpolation == INTERPOLATION_LINEAR) {
        segment.d0 = segment.d1 = segment.y1 - segment.y0;
    } else {
        segment.d0 = h * tangent(c, i, channel);
        segment.d1 = h * tangent(c, next, channel);
    }
    return segment;
}

/* Returns the curve's value at t in [0, 1]. */
static double height(const struct segment *s, double t) {
    const double u = 1 - t;
    return u * u * ((1 + 2 * t) * s->y0 + t * s->d0) + t * t * ((1 + 2 * u) * s->y1 - u * s->d1);
}

static uint32_t byte_near(double y) {
    return y < 0 ? 0 : y > 255 ? 255 : (uint32_t)(y + 0.5);
}

/* Returns the last stop at or before a place, cyclic. */
static int stop_before(const struct gradient *g, double place) {
    int i = g->count;
    while (i > 0 && g->stops[i - 1].place > place)
        i--;
    return i > 0 ? i - 1 : g->count - 1;
}

static void curve_init(struct curve *c, const struct gradient *g) {
    c->gradient = g;
    for (int i = 0; i < g->count; i++) {
        const struct oklab lab = oklab_of_rgba(g->stops[i].rgba);
        for (int channel = 0; channel < CHANNELS; channel++)
            c->values[i][channel] = byte_of(g->stops[i].rgba, channel);
        if (g->interpolation == INTERPOLATION_OKLAB)
            memcpy(c->values[i], (double[]){lab.l, lab.a, lab.b}, sizeof c->values[i]);
    }
}

static uint32_t colour_of_values(const struct gradient *g, const double y[CHANNELS]) {
    if (g->interpolation == INTERPOLATION_OKLAB)
        return oklab_rgba((struct oklab){y[0], y[1], y[2]});
    return byte_near(y[0]) | byte_near(y[1]) << 8 | byte_near(y[2]) << 16 | COLOUR_ALPHA;
}

/* --- tables --- */

/* Returns the place in the gradient of a table entry. */
static double place_of(const struct gradient *g, int entry) {
    double place = (double)entry / COLOUR_TABLE_SIZE;
    if (g->offset > 0) {
        place += g->offset;
        place -= place >= 1;
    }
    if (!g->mirrored)
        return place;
    return place < 0.5 ? 2 * place : 2 - 2 * place;
}

static void fill_curves(const struct gradient *g, uint32_t *table) {
    struct curve c;
    curve_init(&c, g);
    struct segment segments[CHANNELS] = {0};
    for (int k = 0, last = -1; k < COLOUR_TABLE_SIZE; k++) {
        const double place = place_of(g, k);
        const int i = stop_before(g, place);
        const double d = place - g->stops[i].place;
        /* Before the first stop or after the last. */
        if (g->mirrored && (d < 0 || i == g->count - 1)) {
            table[k] = g->stops[d < 0 ? 0 : i].rgba;
            continue;
        }
        for (int channel = 0; i != last && channel < CHANNELS; channel++)
            segments[channel] = segment_of(&c, i, channel);
        last = i;
        const double t = (d < 0 ? d + 1 : d) / distance_to_next(g, i);
        const double y[CHANNELS] = {height(&segments[0], t), height(&segments[1], t),
                                    height(&segments[2], t)};
        table[k] = colour_of_values(g, y);
    }
}

/* Returns the distance between a place and a stop, cyclic unless the gradient is mirrored. */
static double distance_to_stop(const struct gradient *g, double place, int stop) {
    const double d = fabs(place - g->stops[stop].place);
    return g->mirrored ? d : fmin(d, 1 - d);
}

/* Fills the table with bands. They are centred on their places, so that rounding of the frequency
 * never reaches the next band. */
static void fill_bands(const struct gradient *g, uint32_t *table) {
    const bool even = gradient_is_even(g) && !g->mirrored && g->offset == 0;
    for (int k = 0; k < COLOUR_TABLE_SIZE; k++) {
        int nearest = (k * g->count + COLOUR_TABLE_SIZE / 2) / COLOUR_TABLE_SIZE % g->count;
        const double place = place_of(g, k);
        for (int i = 0; !even && i < g->count; i++)
            if (distance_to_stop(g, place, i) < distance_to_stop(g, place, nearest))
                nearest = i;
        table[k] = g->stops[nearest].rgba;
    }
}

/* Applies hue, saturation and brightness. Equal neighbours, which are frequent, are converted
 * once. */
static void adjust(const struct gradient *g, uint32_t *table) {
    const struct turn hue = turn_of_degrees(g->hue);
    uint32_t from = 0, to = 0;
    for (int k = 0; k < COLOUR_TABLE_SIZE; k++) {
        if (table[k] != from)
            to = oklab_rgba(
                oklab_adjusted(oklab_of_rgba(table[k]), hue, g->saturation, g->brightness));
        from = table[k];
        table[k] = to;
    }
}

void gradient_table(const struct gradient *g, uint32_t table[COLOUR_TABLE_SIZE]) {
    require(!gradient_problem(g));
    if (g->interpolation == INTERPOLATION_NONE)
        fill_bands(g, table);
    else
        fill_curves(g, table);
    if (g->hue != 0 || g->saturation != 1 || g->brightness != 1)
        adjust(g, table);
}

/* --- comparing and editing --- */

static bool stops_equal(const struct gradient_stop *a, const struct gradient_stop *b) {
    return a->place == b->place && a->rgba == b->rgba && strcmp(a->label, b->label) == 0;
}

bool gradient_equal(const struct gradient *a, const struct gradient *b) {
    bool equal = a->interpolation == b->interpolation && a->mirrored == b->mirrored &&
                 a->offset == b->offset && a->hue == b->hue && a->saturation == b->saturation &&
                 a->brightness == b->brightness && a->period == b->period &&
                 a->interior == b->interior && a->count == b->count;
    for (int i = 0; equal && i < a->count; i++)
        equal = stops_equal(&a->stops[i], &b->stops[i]);
    return equal;
}

bool gradient_is_even(const struct gradient *gradient) {
    for (int i = 0; i < gradient->count; i++)
        if (gradient->stops[i].place != (double)i / gradient->count)
            return false;
    return true;
}

void gradient_space_evenly(struct gradient *gradient) {
    for (int i = 0; i < gradient->count; i++)
        gradient->stops[i].place = (double)i / gradient->count;
}

static void insert(struct gradient *g, int at, struct gradient_stop stop) {
    memmove(g->stops + at + 1, g->stops + at, (size_t)(g->count - at) * sizeof *g->stops);
    g->stops[at] = stop;
    g->count++;
}

static struct gradient_stop take_out(struct gradient *g, int at) {
    const struct gradient_stop stop = g->stops[at];
    g->count--;
    memmove(g->stops + at, g->stops + at + 1, (size_t)(g->count - at) * sizeof *g->stops);
    return stop;
}

static int put_in_order(struct gradient *g, struct gradient_stop stop) {
    int at = 0;
    while (at < g->count && g->stops[at].place <= stop.place)
        at++;
    insert(g, at, stop);
    return at;
}

/* Returns the colour at a place before adjustments, as the colours of stops are. */
static uint32_t colour_at(const struct gradient *gradient, double place) {
    struct gradient plain = *gradient;
    uint32_t table[COLOUR_TABLE_SIZE];
    plain.hue = plain.offset = 0;
    plain.saturation = plain.brightness = 1;
    gradient_table(&plain, table);
    const double turn = gradient->mirrored ? place / 2 : place;
    return table[(int)(turn * COLOUR_TABLE_SIZE) % COLOUR_TABLE_SIZE];
}

int gradient_add(struct gradient *gradient, double place, uint32_t rgba) {
    if (gradient->count == GRADIENT_STOPS_MAX || !in_range(place, 0, 1))
        return -1;
    struct gradient_stop stop = {.place = place};
    stop.rgba = rgba ? rgba | COLOUR_ALPHA : colour_at(gradient, place);
    return put_in_order(gradient, stop);
}

/* The stop may pass other stops. */
int gradient_move(struct gradient *gradient, int stop, double place) {
    require(stop >= 0 && stop < gradient->count, -1);
    struct gradient_stop moved = take_out(gradient, stop);
    moved.place = fmin(fmax(place, 0), 1);
    return put_in_order(gradient, moved);
}

int gradient_delete(struct gradient *gradient, int stop) {
    require(stop >= 0 && stop < gradient->count, -1);
    if (gradient->count == 1)
        return -1;
    take_out(gradient, stop);
    return stop < gradient->count ? stop : gradient->count - 1;
}
