/* Layers: textures placed on an output by a similarity, drawn over each other, or the finer of
 * two at every pixel. present.c and backdrop.c decide which layers to draw. */
#ifndef FATHOM_APP_PICTURE_LAYERS_H
#define FATHOM_APP_PICTURE_LAYERS_H

#include "app/explore/similarity.h"
#include "app/picture/lines/line_picture.h"
#include "render/backend.h"

/* Scale, up or down, up to which a picture's pixels are not smoothed. */
#define LAYERS_SHARP 1.1

/* A linked pair of shaders and the locations of its uniforms; -1: it has none of that name. */
struct layers_program {
    GLuint name;
    GLint corners, sides, current_corners, old_corners;
    GLint current_coarser, old_coarser, first_stride, stored, fineness;
};

struct drawn_layers {
    struct layers_program one, within;         /* everywhere; only inside the layer */
    struct layers_program lines, lines_within; /* programs for lines: everywhere; only inside */
    struct layers_program around;              /* fills the surroundings of a layer */
    struct layers_program two, gaps;           /* the finer of two; also fills gaps */
    GLuint vertices, framebuffer;
    GLuint exact, smooth;     /* samplers: nearest; linear. Both clamp to the edge. */
    GLuint levels, any_level; /* samplers, linear in mipmaps: sharper; any level */
};

/* The bound framebuffer that is drawn into. */
struct output {
    int width_px, height_px;
    bool screen; /* rows are bottom up */
    bool stored; /* alpha stores fineness; otherwise it is opaque */
    /* Region that is left out where a layer is drawn alone; row 0 is on top. Empty: none. */
    struct rect known;
};

struct drawn_layer {
    const struct gl_texture *texture;
    /* Line tables of the texture, prepared for this size. NULL: pixels are evenly spaced. */
    const struct line_picture *lines;
    struct similarity place; /* place on the output */
    /* stride of the lattice from which gaps are filled (lattice_fill.h); 1: no gaps */
    int gap_stride;
    bool uneven; /* neighbours differ in fineness and must not be smoothed */
    bool whole;  /* has a colour everywhere */
    bool behind; /* any other layer counts as finer */
    /* Share of the background that shines through in layers_draw_inside, 0 .. 1. */
    double transparency;
};

/* Returns false on failure, which is logged; layers_finish must still be called. */
bool layers_init(struct drawn_layers *layers);
void layers_finish(struct drawn_layers *layers);

/* Fills a texture with the background and alpha 0. Binds another framebuffer. */
void layers_clear(const struct drawn_layers *layers, const struct gl_texture *texture);

/* Returns the shift nearest to `offset` that aligns the layer's pixels with the output's. */
double complex layers_whole_pixels(double complex offset, const struct gl_texture *texture,
                                   const struct output *output);
/* Returns the fineness that a single layer stores as alpha; 1 on a screen. */
float layers_fineness(const struct drawn_layer *layer, const struct output *output);
/* Returns the output pixels inside an upright layer; an empty rectangle for a turned layer. */
struct rect layers_inside(const struct drawn_layer *layer, const struct output *output);
/* Returns true if the layer covers the whole output. */
bool layers_cover(const struct drawn_layer *layer, const struct output *output);

/* Returns true if the output is worth mipmaps. A level of the backdrop is not: it is small and
 * drawn amid a motion. */
bool layers_want_mipmaps(const struct output *output);
/* Makes the texture's mipmaps if the layer uses it and is so small that pixels must be averaged. */
void layers_prepare_levels(struct gl_texture *texture, const struct drawn_layer *layer,
                           const struct output *output);

/* Fills the output with the blurred colours of a layer without lines, mirrored at its edges; its
 * texture must have mipmaps. The layer may be only the part `used` (x + i y) of the texture,
 * from the first row and column on. */
void layers_fill_around(const struct drawn_layers *layers, const struct drawn_layer *layer,
                        double complex used, const struct output *output);
/* Fills the output with the background; alpha becomes 0. */
void layers_clear_output(const struct output *output);
/* Draws a whole layer over the whole output; outside of it the colours of its edge continue. A
 * stored output marks it as the coarsest; lines are marked by their spacing. */
void layers_draw_everywhere(const struct drawn_layers *layers, const struct drawn_layer *layer,
                            const struct output *output);
/* Draws a whole layer where it lies. If the background shines through, it keeps its fineness. */
void layers_draw_inside(const struct drawn_layers *layers, const struct drawn_layer *layer,
                        const struct output *output);
/* Draws a whole layer that covers the screen. */
void layers_draw_one(const struct drawn_layers *layers, const struct drawn_layer *layer,
                     const struct output *output);
/* Draws the finer of two layers without lines at every pixel, `current` if they are equal.
 * Pixels that neither has keep their content. */
void layers_draw_two(const struct drawn_layers *layers, const struct drawn_layer *current,
                     const struct drawn_layer *old, const struct output *output);

#endif
