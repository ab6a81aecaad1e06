/* Layers: textures lying on an output by a similarity, and how OpenGL draws them there, one over
 * the other, or the finer of two at every pixel. Which ones, and why, is present.c's and
 * backdrop.c's affair. */
#ifndef FATHOM_APP_PICTURE_LAYERS_H
#define FATHOM_APP_PICTURE_LAYERS_H

#include "app/explore/similarity.h"
#include "app/picture/lines/line_picture.h"
#include "render/backend.h"

/* Up to so much larger or smaller, a picture keeps its pixels as they are. */
#define LAYERS_SHARP 1.1

/* A linked pair of shaders and its uniforms; -1: it has none. */
struct layers_program {
    GLuint name;
    GLint corners, sides, current_corners, old_corners;
    GLint current_coarser, old_coarser, first_stride, stored, fineness;
};

struct drawn_layers {
    struct layers_program one, within;         /* one: everywhere, within: where it lies */
    struct layers_program lines, lines_within; /* the same for those of lines */
    struct layers_program around;              /* what is around one */
    struct layers_program two, gaps;           /* gaps: two, filling them */
    GLuint vertices, framebuffer;
    GLuint exact, smooth;     /* samplers: nearest and linear, the edge outside; */
    GLuint levels, any_level; /* and linear in levels as well, of textures that have them */
};

/* What is drawn into: the bound framebuffer. */
struct output {
    int width_px, height_px;
    bool screen; /* rows bottom up */
    bool stored; /* alpha is fineness; else all of it is opaque */
    /* layers that are drawn alone leave that out; the first row is on top. Empty: nothing */
    struct rect known;
};

struct drawn_layer {
    const struct gl_texture *texture;
    /* Whose texture that is, prepared for this size; NULL: pixels are equally far apart. */
    const struct line_picture *lines;
    struct similarity place; /* on the output */
    /* gaps are filled from a lattice of this stride (lattice_fill.h); 1: none */
    int gap_stride;
    bool uneven; /* neighbours differ in fineness: not to be smoothed */
    bool whole;  /* it has a colour everywhere */
    bool behind; /* any other is finer */
    double
        through; /* how much of what is there shines through it where layers_draw_inside draws it, 0 .. 1 */
};

/* False: logged why; layers_finish is still due. */
bool layers_init(struct drawn_layers *layers);
void layers_finish(struct drawn_layers *layers);

/* Fills a texture with nothing. Binds another framebuffer. */
void layers_clear(const struct drawn_layers *layers, const struct gl_texture *texture);

/* The shift nearest to `offset` that puts the layer's pixels onto the output's. */
double complex layers_whole_pixels(double complex offset, const struct gl_texture *texture,
                                   const struct output *output);
/* How fine it is there, as alpha: 1 on a screen. */
float layers_fineness(const struct drawn_layer *layer, const struct output *output);
/* The pixels of the output that lie inside the layer where it is upright; else none. */
struct rect layers_inside(const struct drawn_layer *layer, const struct output *output);
/* Whether no pixel of the output lies outside the layer. */
bool layers_cover(const struct drawn_layer *layer, const struct output *output);

/* Whether what is drawn there is looked at: a level of the backdrop is small and kept amid a motion,
 * and not worth much time. */
bool layers_seen(const struct output *output);
/* Makes the texture's levels where the layer, if that is of it, is so small that its pixels are to be
 * averaged. */
void layers_prepare_levels(struct gl_texture *texture, const struct drawn_layer *layer,
                           const struct output *output);

/* Fills all with the colours of a layer without lines, whose texture has levels, blurred and mirrored at its edges. It may
 * be but a part of the texture, x and i y, from the first row and column on. */
void layers_fill_around(const struct drawn_layers *layers, const struct drawn_layer *layer,
                        double complex used, const struct output *output);
/* The background everywhere; its alpha is 0. */
void layers_clear_output(const struct output *output);
/* Draws a whole layer over everything: what lies outside of it gets the colours of its edge. In a
 * stored output nothing is coarser, but than lines, which are as fine as they are close. */
void layers_spread(const struct drawn_layers *layers, const struct drawn_layer *layer,
                   const struct output *output);
/* Draws a whole layer where it lies; what is there may shine through it, and keeps its fineness then. */
void layers_draw_inside(const struct drawn_layers *layers, const struct drawn_layer *layer,
                        const struct output *output);
/* Draws a whole layer that covers the output, the screen. */
void layers_draw_one(const struct drawn_layers *layers, const struct drawn_layer *layer,
                     const struct output *output);
/* Draws the finer of two, neither of lines; `current` where they are equal. Where neither is, what is there stays. */
void layers_draw_two(const struct drawn_layers *layers, const struct drawn_layer *current,
                     const struct drawn_layer *old, const struct output *output);

#endif
