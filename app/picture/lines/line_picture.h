/* Line picture: a texture whose columns and rows are lines (render/grid/lines.h). With its
 * tables each pixel of an output finds the nearest lines, wherever the picture is placed. The
 * context must be current. */
#ifndef FATHOM_APP_PICTURE_LINES_LINE_PICTURE_H
#define FATHOM_APP_PICTURE_LINES_LINE_PICTURE_H

#include "app/explore/similarity.h"
#include "app/picture/gl.h"
#include "render/grid/lines.h"

/* The lines of one axis. Positions are pixels from the middle of the view's picture. */
struct line_axis {
    double from, to;     /* range of the table, slightly more than that of the lines */
    double mean, widest; /* distances between neighbours */
    int entries;         /* number of table entries */
    double per_entry;    /* [px] width of a table entry */
};

struct line_picture {
    struct lines *lines;       /* own reference; NULL: there is no picture yet */
    struct gl_texture texture; /* texture of the lines, with spare room for more */
    struct gl_texture table;   /* tables: a row for columns, a row for rows */
    float *entries;            /* scratch for a row of the table */
    struct line_axis columns, rows;
    double factor; /* scale on the output that the table was made for; 0: not made */
    bool blends;   /* the table leads to places between lines */
    bool dense;    /* several lines share a pixel: mipmaps average them */
};

void line_picture_finish(struct line_picture *picture);
/* Replaces the lines; the texture's pixels are then undefined. Returns false if there is no
 * memory, which is logged; there is then no picture. */
bool line_picture_take(struct line_picture *picture, struct lines *lines);
/* Copies the lines' pixels into the texture. `rgba` is an address, or an offset in the bound
 * pixel buffer object. Returns false if there is no memory; that is logged. */
bool line_picture_copy(struct line_picture *picture, const void *rgba);
/* Makes tables for evenly spaced lines of this size, without a texture. Returns false if there
 * is no memory; that is logged. */
bool line_picture_even(struct line_picture *picture, int width_px, int height_px);
/* Prepares the tables for drawing at scale `factor`. A pixel takes the nearest line; but where
 * neighbours are more than about 2 pixels apart, or many share a pixel, their colours blend. */
void line_picture_prepare(struct line_picture *picture, double factor);
/* Returns true if so many lines share a pixel at scale `factor` that they are averaged. */
bool line_picture_dense(const struct line_picture *picture, double factor);
/* Returns how far colours have changed, 0 .. 1, from one line's to the next one's at a position,
 * at scale `factor`. *first becomes the number of the first of these lines. The search begins
 * there: initially 0, or the result of a lower position. */
double line_picture_part(const struct grid_line *line, int count, double at, double factor,
                         int *first);
/* Returns the distance from a position to the nearest of `count` lines [px]; `line` NULL: lines
 * of a picture's grid. */
double line_picture_distance(const struct grid_line *line, int count, double at);
/* Measures accuracy: the shares of an output's pixels that show a sample of exactly their point,
 * and one within half a pixel each way. The picture of `lines` (NULL: of a grid of columns x
 * rows) lies at `place`. */
void line_picture_judge(const struct lines *lines, int columns, int rows, struct similarity place,
                        int width_px, int height_px, double *exact, double *near);

/* Describes the texture as a picture with roughly evenly spaced pixels: *part has its size,
 * *place its place. Returns the used share of the texture, x + i y. */
double complex line_picture_as_even(const struct line_picture *picture, struct gl_texture *part,
                                    struct similarity *place);

#endif
