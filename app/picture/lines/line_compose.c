/* Line composing: composes rows one after the other. A row of lines is sampled across once, for
 * all rows of the screen that show it. */
#include "app/picture/lines/line_compose.h"
#include <math.h>
#include <stdlib.h>

#define WHOLE 256 /* parts between two neighbours */
/* factor by which lines may be closer than dense ones; pairs of such are averaged */
#define DENSER 2

/* A colour between line `at` and the next: `part` of WHOLE parts come from the next one. */
struct line_pick {
    int32_t at, part;
};

void line_compose_finish(struct line_compose *compose) {
    gl_texture_finish(&compose->texture);
    glDeleteFramebuffers(1, &compose->framebuffer);
    free(compose->bgra);
    free(compose->picks);
    *compose = (struct line_compose){0};
}

static bool make_room(struct line_compose *compose, int width_px, int height_px) {
    const size_t width = (size_t)width_px, height = (size_t)height_px;
    const size_t pixels = width * (height + 2), count = width + height;
    if (!compose->framebuffer)
        glGenFramebuffers(1, &compose->framebuffer);
    if (compose->pixels < pixels || compose->count < count) {
        free(compose->bgra);
        free(compose->picks);
        compose->bgra = malloc(pixels * sizeof *compose->bgra);
        compose->picks = malloc(count * sizeof *compose->picks);
        compose->pixels = compose->bgra && compose->picks ? pixels : 0;
        compose->count = compose->pixels ? count : 0;
    }
    return compose->pixels > 0 && gl_shown_resize(&compose->texture, width_px, height_px);
}

/* Lines of one axis and their place on an output of `size` pixels. */
struct axis {
    const struct grid_line *line;
    int count;
    double factor, offset, size;
    bool dense;
};

/* Picks the lines for the pixels from `first` to `end` - 1. */
static void pick_lines(const struct axis *axis, int first, int end, struct line_pick *picks) {
    int nearest = 0;
    for (int i = first; i < end; i++) {
        const double at = (i + 0.5 - axis->size / 2 - axis->offset) / axis->factor;
        const double part = line_picture_part(axis->line, axis->count, at, axis->factor, &nearest);
        const bool half = axis->dense && axis->count > 1;
        const int parts = half ? WHOLE / 2 : (int)(part * WHOLE + 0.5);
        picks[i - first] =
            (struct line_pick){nearest + (parts == WHOLE), parts == WHOLE ? 0 : parts};
    }
}

static void pick(struct line_compose *compose, const struct drawn_layer *layer,
                 const struct output *output, struct rect r) {
    const struct lines *lines = layer->lines->lines;
    const double factor = creal(layer->place.factor);
    const double complex offset = layer->place.offset;
    const bool dense = line_picture_dense(layer->lines, factor);
    const struct axis across = {lines->line,   lines->columns,   factor,
                                creal(offset), output->width_px, dense};
    const struct axis down = {
        lines->line + lines->columns, lines->rows, factor, cimag(offset), output->height_px, dense};
    pick_lines(&across, r.x0, r.x1, compose->picks);
    pick_lines(&down, r.y0, r.y1, compose->picks + (r.x1 - r.x0));
}

static uint32_t mix(uint32_t a, uint32_t b, uint32_t part) {
    const uint32_t even = 0x00ff00ff, rest = WHOLE - part, half = 0x00800080;
    const uint32_t low = ((a & even) * rest + (b & even) * part + half) >> 8 & even;
    const uint32_t high = ((a >> 8 & even) * rest + (b >> 8 & even) * part + half) & ~even;
    return low | high;
}

static void pick_row(const uint32_t *from, const struct line_pick *columns, int width,
                     uint32_t *to) {
    for (int x = 0; x < width; x++) {
        const uint32_t *colour = from + columns[x].at;
        const uint32_t part = (uint32_t)columns[x].part;
        to[x] = part == 0 ? *colour : mix(colour[0], colour[1], part);
    }
}

/* The rows of lines that were sampled across last. */
struct picked {
    uint32_t *row[2];
    int at[2]; /* number of the row; -1: none */
};

/* Returns the row `at`, sampled across; it is kept until the next but one. */
static const uint32_t *picked_row(struct picked *picked, const struct line_picture *picture,
                                  const uint32_t *rgba, int at, const struct line_pick *columns,
                                  int width) {
    const int slot = at & 1;
    if (picked->at[slot] != at)
        pick_row(rgba + (size_t)at * (size_t)picture->lines->columns, columns, width,
                 picked->row[slot]);
    picked->at[slot] = at;
    return picked->row[slot];
}

/* Converts RGBA to BGRA with the given alpha. */
static uint32_t bgra_of(uint32_t colour, uint32_t alpha) {
    return (colour & 0x0000ff00) | (colour & 0xff) << 16 | (colour >> 16 & 0xff) | alpha;
}

static void copy_row(const uint32_t *from, uint32_t alpha, int width, uint32_t *to) {
    for (int x = 0; x < width; x++)
        to[x] = bgra_of(from[x], alpha);
}

static void compose_rows(struct line_compose *compose, const struct line_picture *picture,
                         const uint32_t *rgba, int width, int height, uint32_t alpha) {
    const struct line_pick *columns = compose->picks, *rows = columns + width;
    uint32_t *room = compose->bgra + (size_t)width * (size_t)height;
    struct picked picked = {{room, room + width}, {-1, -1}};
    for (int y = 0; y < height; y++) {
        uint32_t *to = compose->bgra + (size_t)y * (size_t)width;
        const uint32_t part = (uint32_t)rows[y].part;
        const uint32_t *a = picked_row(&picked, picture, rgba, rows[y].at, columns, width);
        if (part == 0) {
            copy_row(a, alpha, width, to);
            continue;
        }
        const uint32_t *b = picked_row(&picked, picture, rgba, rows[y].at + 1, columns, width);
        for (int x = 0; x < width; x++)
            to[x] = bgra_of(mix(a[x], b[x], part), alpha);
    }
}

static bool composable(const struct drawn_layer *layer) {
    const double complex factor = layer->place.factor;
    return creal(factor) > 0 && cimag(factor) == 0 &&
           !line_picture_dense(layer->lines, creal(factor) * DENSER);
}

/* Returns the pixels whose centres lie inside the layer: a pixel more each way than those that
 * lie inside entirely. */
static struct rect part_of(const struct drawn_layer *layer, const struct output *output) {
    const int width = output->width_px, height = output->height_px;
    const struct rect r = layers_inside(layer, output);
    if (layers_cover(layer, output))
        return (struct rect){0, 0, width, height};
    if (r.x0 >= r.x1)
        return r;
    return (struct rect){r.x0 - (r.x0 > 0), r.y0 - (r.y0 > 0), r.x1 + (r.x1 < width),
                         r.y1 + (r.y1 < height)};
}

bool line_compose_draw(struct line_compose *compose, const struct drawn_layer *layer,
                       const uint32_t *rgba, const struct output *output) {
    const struct rect r = part_of(layer, output);
    const int width = r.x1 - r.x0, height = r.y1 - r.y0;
    if (width <= 0 || height <= 0 || !composable(layer) ||
        !make_room(compose, output->width_px, output->height_px))
        return false;
    pick(compose, layer, output, r);
    const uint32_t alpha = (uint32_t)lroundf(layers_fineness(layer, output) * 255) << 24;
    compose_rows(compose, layer->lines, rgba, width, height, alpha);
    glBindTexture(GL_TEXTURE_2D, compose->texture.name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE,
                    compose->bgra);
    gl_texture_show(&compose->texture, compose->framebuffer, r,
                    output->screen ? output->height_px : 0);
    return true;
}
