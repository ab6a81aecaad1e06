/* OpenGL helpers: programs, textures and framebuffers, on top of OpenGL 3.3. */
#ifndef FATHOM_APP_PICTURE_GL_H
#define FATHOM_APP_PICTURE_GL_H

#include "render/backend.h"
#include <GL/glew.h>
#include <stdbool.h>

/* Compiles and links two of the embedded shaders, named by their files, as GLSL 3.30. `defines`
 * goes before the fragment shader. Returns 0 on failure; the reason is logged. */
GLuint gl_program(const char *vertex, const char *fragment, const char *defines);

/* An RGBA8 texture, linear and clamped; its contents are undefined. */
struct gl_texture {
    GLuint name;
    int width_px, height_px;
    bool levels; /* has current mipmaps; to be reset when the contents change */
};
/* Allocates again if the size differs. Returns false if that fails, which is logged; the texture
 * is then empty. */
bool gl_texture_resize(struct gl_texture *texture, int width_px, int height_px);
/* Resizes a texture that gl_texture_show copies. Its pixels are uploaded as GL_BGRA, the order
 * of screens. Failure is not logged. */
bool gl_shown_resize(struct gl_texture *texture, int width_px, int height_px);
/* Resizes a table of single-precision numbers in `rows` rows; not linear. Failure is not logged. */
bool gl_table_resize(struct gl_texture *table, int entries, int rows);
/* Makes the mipmaps unless they are current. Takes a few milliseconds. */
void gl_texture_make_levels(struct gl_texture *texture);
void gl_texture_finish(struct gl_texture *texture);

/* Copies a texture's top left part to `to` of the bound framebuffer. `spare` is a framebuffer
 * for reading the texture. If the bound framebuffer has its lowest row first, `bottom_px` is its
 * height; otherwise 0. Mesa's llvmpipe copies a top-down texture to such a screen as plain
 * memory, which takes a sixth of the time of drawing. */
void gl_texture_show(const struct gl_texture *texture, GLuint spare, struct rect to, int bottom_px);
/* Returns true if OpenGL is rendered by the processor. */
bool gl_in_software(void);
/* Binds a framebuffer that draws into the texture, and sets the viewport to its size. */
void gl_draw_into(GLuint framebuffer, const struct gl_texture *texture);

/* Reads the bound framebuffer with rows top down; alpha becomes 255. */
void gl_read_screen(int width_px, int height_px, unsigned *rgba);

#endif
