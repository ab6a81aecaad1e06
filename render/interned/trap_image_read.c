/* Reader of a trap image: scales a picture by adding up the pixels that fall into each target
 * pixel, in any order. */
#include "render/interned/trap_image_read.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE COLOUR_IMAGE_SIDE

/* Sums over the source pixels of a target pixel. */
struct sums {
    uint64_t colour[3]; /* weighted by alpha */
    uint64_t alpha, pixels;
};

struct shrinking {
    const char *path;
    int from_width, from_height; /* size of the file's picture */
    int width, height;           /* size after scaling */
    uint32_t *row; /* part of a row, converted to 8 bits a channel; NULL if the file has 8 bits */
    struct sums *sums; /* width * height sums */
};

static int part_of(int i, int size, int of) {
    return (int)((int64_t)i * of / size);
}

/* Returns the end of the source pixels that begin at part_of. There is at least one, because a
 * small image is enlarged. */
static int end_of_part(int i, int size, int of) {
    const int first = part_of(i, size, of), next = part_of(i + 1, size, of);
    return next > first ? next : first + 1;
}

static bool begin(void *user, int width_px, int height_px, bool deep) {
    struct shrinking *s = user;
    const int most = width_px > height_px ? width_px : height_px;
    s->from_width = width_px;
    s->from_height = height_px;
    s->width = (int)fmax(1, (double)SIDE * width_px / most);
    s->height = (int)fmax(1, (double)SIDE * height_px / most);
    s->row = deep ? malloc(sizeof *s->row * (size_t)width_px) : NULL;
    s->sums = calloc((size_t)s->width * (size_t)s->height, sizeof *s->sums);
    if (s->sums && (s->row || !deep))
        return true;
    log_error("'%s': not enough memory for this image", s->path);
    return false;
}

/* Adds a run of pixels. A run is at most a 256th of a row, so 32 bits are enough for its sums. */
static void add_run(struct sums *sums, const uint32_t *rgba, int count) {
    uint32_t red = 0, green = 0, blue = 0, alpha = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t a = rgba[i] >> 24;
        red += (rgba[i] & 0xffu) * a;
        green += (rgba[i] >> 8 & 0xffu) * a;
        blue += (rgba[i] >> 16 & 0xffu) * a;
        alpha += a;
    }
    sums->colour[0] += red;
    sums->colour[1] += green;
    sums->colour[2] += blue;
    sums->alpha += alpha;
    sums->pixels += (uint64_t)count;
}

/* Returns the index of the first pixel of a part at or to the right of column x. */
static int index_of(const struct image_part *part, int x) {
    const int at = x > part->x ? (x - part->x + part->step - 1) / part->step : 0;
    return at < part->count ? at : part->count;
}

static void add_row(const struct shrinking *s, const struct image_part *part, const uint32_t *rgba,
                    int y) {
    for (int x = 0; x < s->width; x++) {
        const int first = index_of(part, part_of(x, s->width, s->from_width));
        const int end = index_of(part, end_of_part(x, s->width, s->from_width));
        add_run(&s->sums[(size_t)y * (size_t)s->width + (size_t)x], rgba + first, end - first);
    }
}

static void take(void *user, const struct image_part *part) {
    const struct shrinking *s = user;
    for (int i = 0; part->deep && i < part->count; i++) {
        s->row[i] = 0;
        for (int c = 0; c < 4; c++)
            s->row[i] |= (uint32_t)(part->deep[i] >> (16 * c + 8) & 0xffu) << 8 * c;
    }
    for (int y = 0; y < s->height; y++)
        if (part->y >= part_of(y, s->height, s->from_height) &&
            part->y < end_of_part(y, s->height, s->from_height))
            add_row(s, part, part->deep ? s->row : part->rgba, y);
}

static uint32_t mean_of(const struct sums *sums) {
    uint32_t mean = (uint32_t)(sums->alpha / sums->pixels) << 24;
    for (int c = 0; sums->alpha > 0 && c < 3; c++)
        mean |= (uint32_t)(sums->colour[c] / sums->alpha) << 8 * c;
    return mean;
}

static void fill(const struct shrinking *s, uint32_t *rgba) {
    const int left = (SIDE - s->width) / 2, top = (SIDE - s->height) / 2;
    memset(rgba, 0, COLOUR_IMAGE_SIZE * sizeof *rgba);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            rgba[(top + y) * SIDE + left + x] =
                mean_of(&s->sums[(size_t)y * (size_t)s->width + (size_t)x]);
}

bool trap_image_read(const char *path, uint32_t *rgba) {
    struct shrinking shrinking = {.path = path};
    const struct image_sink sink = {begin, take, &shrinking};
    const bool ok = image_take(path, &sink);
    if (ok)
        fill(&shrinking, rgba);
    free(shrinking.row);
    free(shrinking.sums);
    return ok;
}
