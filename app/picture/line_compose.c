/* Composes rows one after the other: samples of a row of lines are picked across once, for all rows
 * of the screen that show it. */
#include "app/picture/line_compose.h"
#include <math.h>
#include <stdlib.h>

#define WHOLE 256 /* parts between two neighbours */

/* The colour of line `at`, with so many parts of the next one's. */
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

/* Of the pixels of one axis, `size` of them. */
static void pick_lines(const struct grid_line *line, int count, double factor, double offset,
                       int size, struct line_pick *picks) {
    int first = 0;
    for (int i = 0; i < size; i++) {
        const double at = (i + 0.5 - size / 2.0 - offset) / factor;
        const double part = line_picture_part(line, count, at, factor, &first);
        const int parts = (int)(part * WHOLE + 0.5);
        picks[i] = (struct line_pick){first + (parts == WHOLE), parts == WHOLE ? 0 : parts};
    }
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

/* The rows of lines that were picked across last. */
struct picked {
    uint32_t *row[2];
    int at[2]; /* -1: none */
};

/* The row `at`, which is kept until the next but one. */
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

/* From RGBA; the blue comes first. */
static uint32_t shown(uint32_t colour, uint32_t alpha) {
    return (colour & 0x0000ff00) | (colour & 0xff) << 16 | (colour >> 16 & 0xff) | alpha;
}

static void copy_row(const uint32_t *from, uint32_t alpha, int width, uint32_t *to) {
    for (int x = 0; x < width; x++)
        to[x] = shown(from[x], alpha);
}

static void compose_rows(struct line_compose *compose, const struct line_picture *picture,
                         const uint32_t *rgba, const struct output *output, uint32_t alpha) {
    const int width = output->width_px, height = output->height_px;
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
            to[x] = shown(mix(a[x], b[x], part), alpha);
    }
}

static bool composable(const struct layer *layer, const struct output *output) {
    const double factor = creal(layer->place.factor);
    return factor > 0 && cimag(layer->place.factor) == 0 && layers_cover(layer, output) &&
           !line_picture_dense(layer->lines, factor);
}

bool line_compose_draw(struct line_compose *compose, const struct layer *layer,
                       const uint32_t *rgba, const struct output *output) {
    const struct lines *lines = layer->lines->lines;
    const struct similarity place = layer->place;
    const int width = output->width_px, height = output->height_px;
    if (!composable(layer, output) || !make_room(compose, width, height))
        return false;
    pick_lines(lines->line, lines->columns, creal(place.factor), creal(place.offset), width,
               compose->picks);
    pick_lines(lines->line + lines->columns, lines->rows, creal(place.factor), cimag(place.offset),
               height, compose->picks + width);
    const uint32_t alpha = (uint32_t)lroundf(layers_fineness(layer, output) * 255) << 24;
    compose_rows(compose, layer->lines, rgba, output, alpha);
    glBindTexture(GL_TEXTURE_2D, compose->texture.name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE,
                    compose->bgra);
    gl_texture_show(&compose->texture, compose->framebuffer, output->screen);
    return true;
}
