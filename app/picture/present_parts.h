/* Presenter internals: shared by present.c and warm_up.c only. */
#ifndef FATHOM_APP_PICTURE_PRESENT_PARTS_H
#define FATHOM_APP_PICTURE_PRESENT_PARTS_H

#include "app/picture/backdrop/backdrop.h"
#include "app/picture/layers.h"
#include "app/picture/lines/line_compose.h"
#include "app/picture/present.h"
#include "app/picture/upload.h"

/* A picture of lines in flight, or the last picture of lines once it has arrived. */
struct pending_lines {
    struct lines *lines; /* own reference; NULL: the last picture started has the view's grid */
    struct view view;
    int width_px, height_px; /* size of the view's picture */
    struct backdrop_look look;
    bool uploaded; /* the texture has all reported pixels */
};

struct presenter {
    struct drawn_layers layers;
    struct backdrop *backdrop;
    int size_max;

    struct gl_texture current, old, spare, empty;
    struct view view;          /* view of the current picture */
    int width_px, height_px;   /* size of that view's picture; 0: none was started yet */
    struct backdrop_look look; /* look of the current picture */
    int first_stride;
    /* pixels have arrived; all pixels have. Without `any` the texture is undefined. */
    bool any, complete;
    /* share of the background that shines through, 0 .. 1; above 0 for thin density pictures */
    double transparency;
    bool has_old, old_whole; /* there is an old picture; it has a colour everywhere */
    /* The old picture is of another kind. waits_for_lattice: it hides the current picture until
     * that has its coarse lattice. old_behind: from then on it is visible only behind the current
     * picture. */
    bool waits_for_lattice, old_behind;
    /* The texture has the current picture's coarse lattice, with filled gaps. */
    bool covers;
    uint64_t old_fractal;            /* digest of the old picture's fractal */
    struct similarity old_place;     /* place of the old picture in the current one */
    struct line_picture lines, even; /* even: lines for magnifying pictures of the view's grid */
    bool shows_lines;                /* `lines` is the current picture, complete and alone */
    /* place of `lines` in the current picture until that is complete */
    struct similarity lines_place;
    bool software; /* OpenGL runs on the processor; lines are then composed in memory */
    const uint32_t *not_uploaded; /* pixels of `lines` that its texture lacks; NULL: none */
    struct line_compose composed;
    struct pending_lines next;
    struct output drawn;           /* output of the last frame */
    struct similarity drawn_place; /* place of the current picture in the last frame */

    struct upload upload;
    struct rect pending;    /* changed, but not yet in the texture */
    struct targets targets; /* pictures of lines, and the picture after them, use another target */
    bool gl_target; /* OpenGL copies the current picture without the processor (not lines) */
};

/* Draws all pictures and the backdrop with as few texture look-ups per pixel as possible;
 * `place` is the place of the current picture. Returns false if part of the output has no known
 * colour. */
bool present_draw(struct presenter *p, struct similarity place, const struct output *output);

#endif
