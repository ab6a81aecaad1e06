/* Line picture: holds a picture of lines and makes its tables, which map a position to the
 * texture's column or row. */
#include "app/picture/lines/line_picture.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

#define EXACT_PX   1e-6 /* [px] rounding error of a sample's place */
#define POINTS     4096 /* points of a turned picture that are judged */
#define PER_PX     8    /* table entries per pixel */
#define MARGIN_PX  1.0  /* [px] the table extends this far beyond the outermost lines */
#define ROOM       16   /* textures get 1/16 spare room for more lines */
#define SHARP_PX   1.5  /* [px] nearer neighbours have a sharp border */
#define BLENDED_PX 2.5  /* [px] farther neighbours blend all the way */
#define DENSE_PX   0.6  /* [px] lines nearer than this are averaged; nearest ones would skip many */

void line_picture_finish(struct line_picture *picture) {
    gl_texture_finish(&picture->texture);
    gl_texture_finish(&picture->table);
    lines_unref(picture->lines);
    free(picture->entries);
    *picture = (struct line_picture){0};
}

/* --- lines and texture --- */

static struct line_axis measure(const struct grid_line *line, int count, int most) {
    struct line_axis axis = {.from = line[0].at - MARGIN_PX, .to = line[count - 1].at + MARGIN_PX};
    axis.mean = axis.widest = 1;
    for (int i = 1; i < count; i++)
        axis.widest = fmax(axis.widest, line[i].at - line[i - 1].at);
    if (count > 1)
        axis.mean = (line[count - 1].at - line[0].at) / (count - 1);
    axis.entries = (int)fmin(ceil((axis.to - axis.from) * PER_PX), most);
    axis.per_entry = (axis.to - axis.from) / axis.entries;
    return axis;
}

static int with_room(int count, int most) {
    const int more = count + count / ROOM + ROOM;
    return more < most ? more : count < most ? most : count;
}

/* Measures the lines, which are in the texture, and makes room for their tables. */
static bool make_table(struct line_picture *picture, struct lines *lines, int most) {
    picture->columns = measure(lines->line, lines->columns, most);
    picture->rows = measure(lines->line + lines->columns, lines->rows, most);
    picture->factor = 0;
    const int across = picture->columns.entries, down = picture->rows.entries;
    const int entries = across > down ? across : down;
    if (picture->table.width_px < entries) {
        const int width = with_room(entries, most);
        free(picture->entries);
        picture->entries = malloc((size_t)width * sizeof *picture->entries);
        if (!picture->entries || !gl_table_resize(&picture->table, width, 2)) {
            gl_texture_finish(&picture->table);
            return false;
        }
    }
    picture->lines = lines_ref(lines);
    return true;
}

static int largest_texture(void) {
    GLint most;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return most;
}

bool line_picture_take(struct line_picture *picture, struct lines *lines) {
    lines_unref(picture->lines);
    picture->lines = NULL;
    if (make_table(picture, lines, largest_texture()))
        return true;
    log_error("not enough memory for the tables of a picture in motion; make the window smaller");
    return false;
}

bool line_picture_copy(struct line_picture *picture, const void *rgba) {
    const int most = largest_texture(), columns = picture->lines->columns;
    const int rows = picture->lines->rows;
    struct gl_texture *texture = &picture->texture;
    if ((!texture->name || texture->width_px < columns || texture->height_px < rows) &&
        !gl_texture_resize(texture, with_room(columns, most), with_room(rows, most)))
        return false;
    glBindTexture(GL_TEXTURE_2D, texture->name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    texture->levels = false;
    picture->factor = 0;
    return true;
}

bool line_picture_even(struct line_picture *picture, int width_px, int height_px) {
    if (picture->lines && picture->lines->columns == width_px && picture->lines->rows == height_px)
        return true;
    lines_unref(picture->lines);
    picture->lines = NULL;
    struct lines *lines = lines_create(width_px, height_px);
    if (!lines)
        return false;
    for (int i = 0; i < width_px; i++)
        lines->line[i].at = i + 0.5 - width_px / 2.0;
    for (int i = 0; i < height_px; i++)
        lines->line[width_px + i].at = i + 0.5 - height_px / 2.0;
    gl_texture_finish(&picture->texture);
    picture->texture = (struct gl_texture){0, width_px, height_px, false};
    const bool ok = make_table(picture, lines, largest_texture());
    lines_unref(lines);
    return ok;
}

/* --- tables --- */

/* Returns how far colours have changed from a line to the next one, after the part `t` of the
 * way; the lines are `gap` pixels of the output apart. */
static double blended(double t, double gap) {
    const double width = fmin(fmax((gap - SHARP_PX) / (BLENDED_PX - SHARP_PX), 0), 1);
    return width > 0 ? fmin(fmax((t - 0.5) / width + 0.5, 0), 1) : t >= 0.5;
}

double line_picture_part(const struct grid_line *line, int count, double at, double factor,
                         int *first) {
    int i = *first;
    while (i + 2 < count && line[i + 1].at <= at)
        i++;
    *first = i;
    if (count == 1)
        return 0;
    const double gap = line[i + 1].at - line[i].at;
    return gap > 0 ? blended(fmin(fmax((at - line[i].at) / gap, 0), 1), gap * factor)
                   : at >= line[i].at;
}

/* Fills a table with the texture coordinates of lines, in a texture that has `size` of them. */
static void fill(const struct line_axis *axis, const struct grid_line *line, int count,
                 double factor, bool dense, double size, float *table) {
    /* Averages must not include texels beyond the last line. */
    const double last = count - 1 - (dense ? fmin(2 / (factor * axis->mean), count - 1) : 0);
    int i = 0;
    for (int entry = 0; entry < axis->entries; entry++) {
        const double at = axis->from + (entry + 0.5) * axis->per_entry;
        const double part = line_picture_part(line, count, at, dense ? INFINITY : factor, &i);
        table[entry] = (float)((fmin(i + part, last) + 0.5) / size);
    }
}

static void fill_row(struct line_picture *picture, int row, double factor, bool dense) {
    const struct line_axis *axis = row ? &picture->rows : &picture->columns;
    const struct lines *lines = picture->lines;
    fill(axis, lines->line + (row ? lines->columns : 0), row ? lines->rows : lines->columns, factor,
         dense, row ? picture->texture.height_px : picture->texture.width_px, picture->entries);
    for (int i = axis->entries; i < picture->table.width_px; i++)
        /* pixels are drawn in groups that reach past the end */
        picture->entries[i] = picture->entries[i - 1];
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, row, picture->table.width_px, 1, GL_RED, GL_FLOAT,
                    picture->entries);
}

bool line_picture_dense(const struct line_picture *picture, double factor) {
    return fmax(picture->columns.mean, picture->rows.mean) * factor < DENSE_PX;
}

void line_picture_prepare(struct line_picture *picture, double factor) {
    const struct line_axis *columns = &picture->columns, *rows = &picture->rows;
    const bool dense = line_picture_dense(picture, factor);
    const bool blends = dense || fmax(columns->widest, rows->widest) * factor > SHARP_PX;
    if (picture->factor > 0 && picture->blends == blends &&
        (!blends || fabs(log2(factor / picture->factor)) < 1.0 / 8))
        return;
    glBindTexture(GL_TEXTURE_2D, picture->table.name);
    fill_row(picture, 0, factor, dense);
    fill_row(picture, 1, factor, dense);
    picture->factor = factor;
    picture->blends = blends;
    picture->dense = dense;
}

double line_picture_distance(const struct grid_line *line, int count, double at) {
    if (!line) {
        const double first = 0.5 - count / 2.0;
        return fabs(at - first - fmin(fmax(round(at - first), 0), count - 1));
    }
    int low = 0, high = count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (line[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return fmin(fabs(line[low].at - at), fabs(line[high].at - at));
}

/* --- accuracy of a frame --- */

struct axis {
    const struct grid_line *line;
    int count;
    double factor;
    int exact, near;
};

/* Returns the distance to the nearest line in pixels of the output. */
static double distance(const struct axis *axis, double at) {
    return axis->factor * line_picture_distance(axis->line, axis->count, at);
}

static void count_accurate(double distance, int *exact, int *near) {
    *exact += distance < EXACT_PX;
    *near += distance < 0.5 + EXACT_PX;
}

/* Measures the accuracy of a frame. In an upright picture columns and rows are independent; in a
 * turned one points are sampled. */
void line_picture_judge(const struct lines *lines, int columns, int rows, struct similarity place,
                        int width_px, int height_px, double *exact, double *near) {
    struct axis across = {NULL, columns, cabs(place.factor), 0, 0};
    struct axis down = {NULL, rows, cabs(place.factor), 0, 0};
    if (lines) {
        across = (struct axis){lines->line, lines->columns, cabs(place.factor), 0, 0};
        down = (struct axis){lines->line + lines->columns, lines->rows, cabs(place.factor), 0, 0};
    }
    const struct similarity inverse = similarity_inverse(place);
    const double complex first = 0.5 - width_px / 2.0 + I * (0.5 - height_px / 2.0);
    if (cimag(place.factor) == 0) {
        for (int x = 0; x < width_px; x++)
            count_accurate(distance(&across, creal(similarity_apply(inverse, first + x))),
                           &across.exact, &across.near);
        for (int y = 0; y < height_px; y++)
            count_accurate(distance(&down, cimag(similarity_apply(inverse, first + I * y))),
                           &down.exact, &down.near);
        *exact = (double)across.exact / width_px * down.exact / height_px;
        *near = (double)across.near / width_px * down.near / height_px;
        return;
    }
    int points[2] = {0};
    for (int i = 0; i < POINTS; i++) {
        const int x = i * 977 % width_px, y = (int)((double)i * height_px / POINTS);
        const double complex at = similarity_apply(inverse, first + x + I * y);
        count_accurate(fmax(distance(&across, creal(at)), distance(&down, cimag(at))), &points[0],
                       &points[1]);
    }
    *exact = (double)points[0] / POINTS;
    *near = (double)points[1] / POINTS;
}

double complex line_picture_as_even(const struct line_picture *picture, struct gl_texture *part,
                                    struct similarity *place) {
    const struct line_axis *columns = &picture->columns, *rows = &picture->rows;
    *part = picture->texture;
    part->width_px = picture->lines->columns;
    part->height_px = picture->lines->rows;
    place->factor = (columns->to - columns->from) / part->width_px;
    place->offset = (columns->from + columns->to + I * (rows->from + rows->to)) / 2;
    return (double)part->width_px / picture->texture.width_px +
           I * part->height_px / picture->texture.height_px;
}
