/* The inset: a small picture in the window's corner of the Julia set that belongs to the point under the
 * pointer. A backend's handle of its own draws it, less urgent than the picture, and what is there stays until
 * the next one is complete; so it follows the pointer at the display's rate. */
#ifndef FATHOM_APP_WINDOW_INSET_H
#define FATHOM_APP_WINDOW_INSET_H

#include "app/explore/explorer.h"
#include "app/picture/active_backend.h"
#include "app/picture/gl.h"

/* Zero-initialised; pairs with inset_finish. */
struct inset {
    bool on;              /* wanted */
    bool busy;            /* a picture is in flight, */
    bool made;            /* there was one: `req` is initialised, */
    struct frame_req req; /* of that one */
    uint32_t *rgba;       /* room for `pixels` */
    size_t pixels;
    struct gl_texture texture; /* the last complete one; 0 pixels wide: none */
    GLuint framebuffer;
    double retry_ms; /* after a failure, not before this */
};

/* Once a turn, while OpenGL's context is current: takes what was drawn, and asks for what the pointer is on
 * now. `pointing`: it is over the window. True: there is something new to show, or nothing any more. */
bool inset_advance(struct inset *inset, struct active_backend *active,
                   const struct explorer *explorer, bool pointing);
/* Whether it is to be advanced at the display's rate. */
bool inset_busy(const struct inset *inset);
/* Draws it over what is in the window's framebuffer, of this size, in its lower right corner. */
void inset_draw(struct inset *inset, int width_px, int height_px);
/* The context and the backend are still there. */
void inset_finish(struct inset *inset, struct active_backend *active);

#endif
