/* Composing: a picture of lines as an output shows it, made in memory and copied there. For OpenGL in
 * software, to which look-ups for each pixel are dear. The context must be current. */
#ifndef FATHOM_APP_PICTURE_LINES_LINE_COMPOSE_H
#define FATHOM_APP_PICTURE_LINES_LINE_COMPOSE_H

#include "app/picture/layers.h"
#include "app/picture/lines/line_picture.h"
#include <stdint.h>

struct line_pick;

/* Zero-initialised: nothing was composed yet. */
struct line_compose {
    struct gl_texture texture; /* with room for the output, rows from the top down */
    GLuint framebuffer;        /* to read that by */
    uint32_t *bgra;
    struct line_pick *picks; /* of each column, then of each row */
    size_t pixels, count;    /* that there is room for */
};

void line_compose_finish(struct line_compose *compose);
/* Fills the output, whose framebuffer is bound, with a layer of lines as far as it lies inside that;
 * the same colours as drawing it, but for how finely places are told apart. `rgba` has the lines'
 * pixels. False: it lies turned there, elsewhere or too densely, or there is no memory; nothing is
 * drawn or logged. */
bool line_compose_draw(struct line_compose *compose, const struct drawn_layer *layer,
                       const uint32_t *rgba, const struct output *output);

#endif
