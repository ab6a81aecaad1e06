/* The presenter's insides, for its own files alone: present.c, and warm_up.c, which tries all ways of drawing. */
#ifndef FATHOM_APP_PICTURE_PRESENT_PARTS_H
#define FATHOM_APP_PICTURE_PRESENT_PARTS_H

#include "app/picture/backdrop/backdrop.h"
#include "app/picture/layers.h"
#include "app/picture/lines/line_compose.h"
#include "app/picture/present.h"
#include "app/picture/upload.h"

/* A picture of lines on its way, or the last one started, which has come. */
struct coming {
    struct lines *lines; /* its own reference; NULL: the last one started is of the view's grid */
    struct view view;
    int width_px, height_px; /* of the view's picture */
    struct backdrop_look look;
    bool copied; /* as far as there was news */
};

struct presenter {
    struct drawn_layers layers;
    struct backdrop *backdrop;
    int size_max;

    struct gl_texture current, old, spare, empty;
    struct view view;          /* of the current picture, */
    int width_px, height_px;   /* how large that view's picture is; 0: none was started yet, */
    struct backdrop_look look; /* and its look */
    int first_stride;
    bool any, complete; /* pixels have arrived, else the texture means nothing; all have */
    double through;     /* what is behind it shines through, as it is thin: 0 .. 1; 0: nothing */
    bool has_old, old_whole; /* there is one; it has a colour everywhere */
    /* The old one is of another kind: alone to be seen until the current one has its coarse lattice, then behind that. */
    bool veiled, old_behind;
    bool
        covers; /* the coarse lattice of the current one is there, with its gaps filled in the texture */
    uint64_t old_fractal;            /* digest of what the old one shows */
    struct similarity old_place;     /* of the old picture in the current one */
    struct line_picture lines, even; /* even: how pictures of the view's grid are magnified */
    bool shows_lines;                /* they are the current picture, complete and alone, */
    struct similarity lines_place;   /* or lie in it like this until it is complete */
    bool software;                   /* OpenGL is; then they are composed: */
    const uint32_t *uncopied;        /* their pixels, if their texture does not have them */
    struct line_compose composed;
    struct coming coming;
    struct output drawn;           /* the last frame, */
    struct similarity drawn_place; /* and where the current picture lies on it */

    struct upload upload;
    struct rect pending;    /* changed, not yet in the texture */
    struct targets targets; /* a picture of lines, and the one after it, has another one */
    bool gl_target;         /* OpenGL copies the current picture by itself, unless it is of lines */
};

/* Draws what is known, with as few look-ups a pixel as will do; the current picture lies at `place`. False: not all of
 * the output is known. */
bool present_draw(struct presenter *p, struct similarity place, const struct output *output);

#endif
