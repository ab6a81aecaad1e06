/* Line composing: makes a picture of lines as an output shows it, in memory, and copies it
 * there. It serves OpenGL in software, where texture look-ups per pixel are slow. The context
 * must be current. */
#ifndef FATHOM_APP_PICTURE_LINES_LINE_COMPOSE_H
#define FATHOM_APP_PICTURE_LINES_LINE_COMPOSE_H

#include "app/picture/layers.h"
#include "app/picture/lines/line_picture.h"
#include <stdint.h>

struct line_pick;

/* Zero-initialised: nothing was composed yet. */
struct line_compose {
    struct gl_texture texture; /* has room for the output; rows are top down */
    GLuint framebuffer;        /* framebuffer that reads the texture */
    uint32_t *bgra;
    struct line_pick *picks; /* lines of each column, then of each row */
    size_t pixels, count;    /* allocated pixels and picks */
};

void line_compose_finish(struct line_compose *compose);
/* Fills the part of the output inside a layer of lines; the output's framebuffer must be bound.
 * Colours equal those of drawing, except for the resolution of places. `rgba` has the lines'
 * pixels. Returns false if the layer is turned, outside or too dense, or there is no memory;
 * nothing is then drawn or logged. */
bool line_compose_draw(struct line_compose *compose, const struct drawn_layer *layer,
                       const uint32_t *rgba, const struct output *output);

#endif
