/* Counted backdrop: keeps counts of the whole set and predicts the tone of pictures of a part. */
#include "app/picture/backdrop/backdrop_counted.h"
#include <math.h>

#define WIDTH      480
#define HEIGHT     270
#define ZOOM       0.6    /* zoom whose corners lie beyond |z| = 6, where orbits end */
#define LOOKS_MOST 8192.0 /* pixels of a part that are examined at most */
#define WIDE       0.0625 /* a larger share of the picture is as bright as the whole */
#define TINY       1e-6   /* [px] smaller parts are points, either inside or outside */
#define FAR        1e6    /* [px] parts farther away show nothing */
/* Points per pixel with which a picture of the part replaces this one. With so few points chance
 * makes its largest counts much larger: by this number of standard deviations. */
#define POINTS     3.0
#define DEVIATIONS 2.75

void backdrop_counted_finish(struct backdrop_counted *counted) {
    if (counted->counts.count)
        density_req_finish(&counted->req);
    density_counts_finish(&counted->counts);
}

bool backdrop_counted_wanted(const struct backdrop_counted *counted, const struct density_req *like,
                             struct density_req *level) {
    if (counted->counts.count && density_equal(&counted->req.density, &like->density))
        return false;
    density_req_init_copy(level, like);
    view_home(&level->view);
    mpfr_set_d(level->view.zoom, ZOOM, MPFR_RNDN);
    level->width_px = WIDTH;
    level->height_px = HEIGHT;
    level->start = NULL;
    return true;
}

void backdrop_counted_take(struct backdrop_counted *counted, const struct density_req *level,
                           struct density_counts *counts) {
    backdrop_counted_finish(counted);
    density_req_init_copy(&counted->req, level);
    counted->counts = *counts;
    *counts = (struct density_counts){0};
}

/* --- a part --- */

/* A part of the counted picture, in pixels, and its share inside of that picture. */
struct part {
    int x0, y0, x1, y1;
    double inside;
};

/* Clips one side of a part to 0 .. size and makes it at least a pixel wide. A side outside of this
 * range becomes empty. Returns the share of the side that lies inside. */
static double clip(double middle, double half, int size, int *from, int *to) {
    const double low = middle - half, high = middle + half;
    const double a = fmin(fmax(low, 0), size), b = fmin(fmax(high, 0), size);
    if (!(fabs(middle) < FAR) || !(high > 0 && low < size)) {
        *from = *to = 0;
        return 0;
    }
    *from = (int)fmin(floor(a), size - 1);
    *to = (int)fmin(fmax(ceil(b), *from + 1), size);
    return half > TINY ? (b - a) / (2 * half) : 1;
}

static struct part part_of(struct similarity place, int width_px, int height_px) {
    const double across = fabs(creal(place.factor)), along = fabs(cimag(place.factor));
    struct part part;
    part.inside = clip(creal(place.offset) + WIDTH / 2.0,
                       (across * width_px + along * height_px) / 2, WIDTH, &part.x0, &part.x1);
    part.inside *= clip(cimag(place.offset) + HEIGHT / 2.0,
                        (along * width_px + across * height_px) / 2, HEIGHT, &part.y0, &part.y1);
    return part;
}

/* Returns the largest count to expect where the mean is `count`, in a picture that has `scale`
 * times as many points. The result is at least the lowest white of a tone. */
static uint64_t largest(uint64_t count, double scale) {
    const double mean = (double)count * scale;
    const double most = fmax(mean + DEVIATIONS * sqrt(mean) + 1, TONE_WHITE_LEAST);
    return count > 0 ? (uint64_t)ceil(most / scale) : 0;
}

/* Returns a stride that limits the pixels examined of a large part. */
static int stride_of(const struct part *part) {
    const double area = (double)(part->x1 - part->x0) * (part->y1 - part->y0);
    return (int)fmax(ceil(sqrt(area / LOOKS_MOST)), 1);
}

/* Returns true if a point is at most one pixel away: later points fill the gaps between a few. */
static bool is_hit(const struct backdrop_counted *counted, const struct density_place *place, int x,
                   int y) {
    for (int i = 0; i < 9 * counted->req.density.channels; i++) {
        const int near_x = x + i % 3 - 1, near_y = y + i / 3 % 3 - 1;
        if (near_x >= 0 && near_y >= 0 && near_x < WIDTH && near_y < HEIGHT &&
            density_shown(&counted->req, place, &counted->counts, i / 9, near_x, near_y) > 0)
            return true;
    }
    return false;
}

/* Returns the share of the part's pixels that are hit. */
static double find_hit(const struct backdrop_counted *counted, const struct part *part) {
    const struct density_place place = density_place(&counted->req);
    const int stride = stride_of(part);
    double looks = 0, hit = 0;
    for (int y = part->y0; y < part->y1; y += stride)
        for (int x = part->x0; x < part->x1; x += stride, looks++)
            hit += is_hit(counted, &place, x, y);
    return looks > 0 ? hit / looks : 0;
}

/* Finds the distribution of the part's counts; with a scale above 0, of the largest counts to
 * expect. Large parts are sampled. Returns the mean count of the channel with the most points. */
static double find_levels(const struct backdrop_counted *counted, const struct part *part,
                          double scale, struct tone_levels levels[TONE_CHANNELS_MAX]) {
    const struct density_req *req = &counted->req;
    const struct density_place place = density_place(req);
    const int stride = stride_of(part);
    double most = 0;
    for (int i = 0; i < req->density.channels; i++) {
        double looks = 0, points = 0;
        tone_levels_init(&levels[i]);
        for (int y = part->y0; y < part->y1; y += stride)
            for (int x = part->x0; x < part->x1; x += stride) {
                const uint64_t count = density_shown(req, &place, &counted->counts, i, x, y);
                tone_levels_add(&levels[i], scale > 0 ? largest(count, scale) : count, 1);
                points += (double)count;
                looks++;
            }
        most = fmax(most, looks > 0 ? points / looks : 0);
    }
    return most;
}

void backdrop_counted_look(struct backdrop_counted *counted, struct similarity place, int width_px,
                           int height_px) {
    const struct part all = {0, 0, WIDTH, HEIGHT, 1};
    struct part part = part_of(place, width_px, height_px);
    double mean = find_levels(counted, &part, 0, counted->levels);
    counted->hit = part.inside * find_hit(counted, &part);
    if (mean == 0 || (part.x1 - part.x0) * (part.y1 - part.y0) > WIDE * WIDTH * HEIGHT) {
        part = all;
        mean = find_levels(counted, &part, 0, counted->levels);
    }
    if (mean > 0)
        find_levels(counted, &part, POINTS / mean, counted->levels);
}

/* Empties the edge, so that the area around the picture, which continues it, is empty. */
static void empty_edge(uint32_t *rgba, size_t width, size_t height) {
    for (size_t x = 0; x < width; x++)
        rgba[x] = rgba[(height - 1) * width + x] = rgba[0];
    for (size_t y = 0; y < height; y++)
        rgba[y * width] = rgba[y * width + width - 1] = rgba[0];
}

void backdrop_counted_paint(const struct backdrop_counted *counted, const struct tone *tone,
                            uint32_t *rgba) {
    struct tone_map map;
    tone_map_init(&map, tone, counted->req.density.channels, counted->levels);
    density_paint(&counted->req, &counted->counts, &map, rgba);
    empty_edge(rgba, WIDTH, HEIGHT);
}
