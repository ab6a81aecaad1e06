/* Small helpers on top of OpenGL 3.3. */
#ifndef FATHOM_APP_PICTURE_GL_H
#define FATHOM_APP_PICTURE_GL_H

#include "render/backend.h"
#include <GL/glew.h>
#include <stdbool.h>

/* Compiles and links two of the embedded shaders, by file name, as GLSL 3.30; `defines` goes before
 * the fragment shader. 0: logged why. */
GLuint gl_program(const char *vertex, const char *fragment, const char *defines);

/* An RGBA8 texture, linear, clamped; contents undefined. */
struct gl_texture {
    GLuint name;
    int width_px, height_px;
    bool levels; /* it has smaller ones of what it shows; to be reset when that changes */
};
/* (Re)allocates when the size differs. False: logged why, the texture is empty. */
bool gl_texture_resize(struct gl_texture *texture, int width_px, int height_px);
/* The same for a texture that gl_texture_show copies: its pixels are given as GL_BGRA, as screens
 * keep theirs; nothing logged. */
bool gl_shown_resize(struct gl_texture *texture, int width_px, int height_px);
/* The same for a table of numbers, single precision, in `rows` rows; not linear, nothing logged. */
bool gl_table_resize(struct gl_texture *table, int entries, int rows);
/* Makes those levels, unless they are there: a few milliseconds. */
void gl_texture_make_levels(struct gl_texture *texture);
void gl_texture_finish(struct gl_texture *texture);

/* Copies a texture's pixels from its first on to `to` of the bound framebuffer, whose lowest row is
 * the first if `bottom_px` says how many it has, by a spare one. From the top down to a screen that
 * way, Mesa's llvmpipe only copies memory, which takes a sixth of drawing it. */
void gl_texture_show(const struct gl_texture *texture, GLuint spare, struct rect to, int bottom_px);
/* Whether the processor does what OpenGL says. */
bool gl_in_software(void);
/* Binds a framebuffer that draws into the texture, and sets the viewport to it. */
void gl_draw_into(GLuint framebuffer, const struct gl_texture *texture);

/* Reads the bound framebuffer, rows top down, alpha set to 255. */
void gl_read_screen(int width_px, int height_px, unsigned *rgba);

#endif
