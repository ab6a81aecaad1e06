/* Line pictures: a texture whose columns and rows are lines (render/grid/lines.h), and the tables by
 * which each pixel of an output finds the lines nearest to it, wherever the picture lies there. The
 * context must be current. */
#ifndef FATHOM_APP_PICTURE_LINES_LINE_PICTURE_H
#define FATHOM_APP_PICTURE_LINES_LINE_PICTURE_H

#include "app/explore/similarity.h"
#include "app/picture/gl.h"
#include "render/grid/lines.h"

/* The lines of one kind. Positions are pixels from the middle of the view's picture. */
struct line_axis {
    double from, to;     /* what they stand for: a little more than what lies between them */
    double mean, widest; /* distances between neighbours; */
    int entries;         /* of the table, as many as there are, */
    double per_entry;    /* px each */
};

struct line_picture {
    struct lines *lines;       /* its own reference; NULL: there is no picture yet */
    struct gl_texture texture; /* with room for some more lines */
    struct gl_texture table;   /* a row for columns, one for rows, */
    float *entries;            /* and one to make them in */
    struct line_axis columns, rows;
    double factor; /* the table was made for that size on the output; 0: it was not yet; */
    bool blends;   /* it leads to places between lines; */
    bool dense;    /* everywhere: so many lie on a pixel that the texture's levels average them */
};

void line_picture_finish(struct line_picture *picture);
/* Takes other lines in place of those before; what the texture has is not theirs then. False: no
 * memory, logged; there is no picture then. */
bool line_picture_take(struct line_picture *picture, struct lines *lines);
/* Copies their pixels into the texture. `rgba`: memory, or what lies so far into the bound pixel
 * buffer object. False: no memory, logged. */
bool line_picture_copy(struct line_picture *picture, const void *rgba);
/* Becomes the tables, without a texture, for those of that size, whose lines are evenly spaced. False:
 * no memory, logged. */
bool line_picture_even(struct line_picture *picture, int width_px, int height_px);
/* To be called before it is drawn `factor` times as large: a pixel takes the nearest line, but where
 * neighbours are more than some pixels apart, or too many lie on a pixel, their colours flow into
 * each other. */
void line_picture_prepare(struct line_picture *picture, double factor);
/* So many of them lie on a pixel, `factor` times as large, that they are averaged. */
bool line_picture_dense(const struct line_picture *picture, double factor);
/* How much of its way from one line's colour to the next one's a position has gone, 0 .. 1, that many
 * times as large. `first` becomes the number of the one line, and is where to begin looking: 0, or
 * what it was for a position before this one. */
double line_picture_part(const struct grid_line *line, int count, double at, double factor,
                         int *first);
/* How far the nearest of `count` lines lies from a position, px; NULL: those of a picture's grid. */
double line_picture_distance(const struct grid_line *line, int count, double at);
/* Which part of an output's pixels shows a sample of that very point, and one within half a pixel of
 * it, each way, where a picture of these lines, or NULL: of a grid of so many, lies like that. */
void line_picture_judge(const struct lines *lines, int columns, int rows, struct similarity place,
                        int width_px, int height_px, double *exact, double *near);

/* Its texture as that of a picture whose pixels are about as far apart everywhere: *part has the size of that, and *place
 * says where that lies. Returns how much of the texture it is, x and i y. */
double complex line_picture_as_even(const struct line_picture *picture, struct gl_texture *part,
                                    struct similarity *place);

#endif
